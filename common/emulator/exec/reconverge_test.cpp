#include <doctest/doctest.h>

#include <algorithm>

#include "emulator/exec/test_machine.h"

using namespace emu;
using test::kernel;
using test::Machine;

TEST_CASE("lanes that part at a branch meet again behind it") {
    // 7 instructions before; setp, bra; one side 2, the other 1; behind: add, st, ret.
    Machine m(kernel(R"(
    setp.lt.u32 %p1, %r2, 10;
    @%p1 bra LOW;
    add.s32 %r8, %r2, 1000;
    bra JOIN;
LOW:
    add.s32 %r8, %r2, 500;
JOIN:
    add.s32 %r9, %r8, 1;
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(m.out()[lane] == lane + (lane < 10 ? 501 : 1001));
    CHECK(m.instructions() == 8 + 2 + 2 + 1 + 3);
    CHECK(m.thread_instructions() == 32 * (8 + 2) + 22 * 2 + 10 * 1 + 32 * 3);
    CHECK(m.sums[0].divergent == 1);
}

TEST_CASE("loops of different length, one within the other") {
    Machine m(kernel(R"(
    mov.u32 %r9, 0;
    rem.u32 %r10, %r2, 5;
    mov.u32 %r11, 0;
OUTER:
    setp.ge.u32 %p1, %r11, %r10;
    @%p1 bra DONE;
    add.u32 %r12, %r2, %r11;
    and.b32 %r12, %r12, 3;
    mov.u32 %r13, 0;
INNER:
    setp.ge.u32 %p2, %r13, %r12;
    @%p2 bra NEXT;
    mad.lo.u32 %r9, %r11, %r13, %r9;
    add.u32 %r9, %r9, 1;
    add.u32 %r13, %r13, 1;
    bra INNER;
NEXT:
    add.u32 %r11, %r11, 1;
    bra OUTER;
DONE:
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane) {
        int want = 0;
        for (int i = 0; i < lane % 5; ++i)
            for (int j = 0; j < ((lane + i) & 3); ++j) want += i * j + 1;
        CHECK(m.out()[lane] == want);
    }
}

TEST_CASE("a branch table sends lanes to several places") {
    Machine m(kernel(R"(
    rem.u32 %r10, %r2, 3;
TABLE: .branchtargets A, B, C;
    brx.idx %r10, TABLE;
A:  mov.u32 %r9, 7;
    bra JOIN;
B:  add.u32 %r9, %r2, 100;
    bra JOIN;
C:  mul.lo.u32 %r9, %r2, 3;
JOIN:
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(m.out()[lane] == (lane % 3 == 0   ? 7
                                : lane % 3 == 1 ? lane + 100
                                                : lane * 3));
}

TEST_CASE("lanes that exit are waited for nowhere") {
    Machine m(kernel(R"(
    mov.u32 %r9, 5;
    setp.lt.u32 %p1, %r2, 4;
    @%p1 exit;
    setp.lt.u32 %p2, %r2, 20;
    @%p2 bra MORE;
    add.u32 %r9, %r9, 1;
    bra JOIN;
MORE:
    setp.lt.u32 %p3, %r2, 8;
    @%p3 ret;
    add.u32 %r9, %r9, 2;
JOIN:
    vote.sync.ballot.b32 %r10, %p2, -1;
    add.u32 %r9, %r9, %r10;
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(m.out()[lane] == (lane < 8 ? -1 : (lane < 20 ? 7 : 6) + 0xfff00));
}

// The holder of the lock leaves the loop and waits there for those that spin: it must be
// let go on.
TEST_CASE("a spin lock within a warp makes progress") {
    // Shared memory is not zero at first: thread 0 sets it and all wait.
    Machine m(kernel(R"(
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra GO;
    st.shared.u32 [lock], 0;
    st.shared.u32 [count], 2;
GO: bar.sync 0;
TRY:
    atom.shared.cas.b32 %r10, [lock], 0, 1;
    setp.ne.s32 %p1, %r10, 0;
    @%p1 bra TRY;
    ld.volatile.shared.u32 %r9, [count];
    add.u32 %r11, %r9, 3;
    st.volatile.shared.u32 [count], %r11;
    atom.shared.exch.b32 %r12, [lock], 0;
)",
                     ".shared .u32 lock; .shared .u32 count;"));
    m.options.budget = 10'000'000;
    const GridResult result = m.run({}, {32, 1, 1});
    CHECK(!result.fault);
    std::vector<int> seen(m.out(), m.out() + 32);
    std::sort(seen.begin(), seen.end());
    for (int k = 0; k < 32; ++k) CHECK(seen[k] == 2 + 3 * k);
}

TEST_CASE("a shuffle takes place across two paths") {
    Machine m(kernel(R"(
    setp.lt.u32 %p1, %r2, 16;
    @%p1 bra LOW;
    mul.lo.u32 %r10, %r2, 3;
    shfl.sync.bfly.b32 %r9, %r10, 16, 31, -1;
    bra JOIN;
LOW:
    add.u32 %r11, %r2, 200;
    shfl.sync.bfly.b32 %r12, %r11, 16, 31, -1;
    add.u32 %r9, %r12, 1;
JOIN:
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(m.out()[lane] == (lane < 16 ? (lane + 16) * 3 + 1 : lane - 16 + 200));
}

TEST_CASE("tiles of a warp, each with a mask of its own") {
    Machine m(kernel(R"(
    shr.u32 %r10, %r2, 3;
    shl.b32 %r10, %r10, 3;
    mov.u32 %r11, 255;
    shl.b32 %r11, %r11, %r10;
    shfl.sync.idx.b32 %r9, %r1, 5, 6175, %r11;
)"));  // 6175 = 0x181f: segments of 8 lanes
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane) CHECK(m.out()[lane] == (lane & ~7) + 5);
}

TEST_CASE("lanes of the mask that never come are named") {
    Machine m(kernel(R"(
    mov.u32 %r9, 1;
    setp.lt.u32 %p1, %r2, 16;
    @!%p1 bra HIGH;
    bar.warp.sync -1;
    bra JOIN;
HIGH:
    bar.sync 1, 64;
JOIN:
    add.u32 %r9, %r9, 1;
)"));
    const GridResult result = m.run({}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->message.find("lanes 0-15 wait for lanes of their mask") !=
          std::string::npos);
    CHECK(result.fault->message.find("lanes 16-31 wait at the barrier") !=
          std::string::npos);
}
