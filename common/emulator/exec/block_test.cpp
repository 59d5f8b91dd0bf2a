#include <doctest/doctest.h>

#include "emulator/exec/test_machine.h"

using namespace emu;
using test::kernel;
using test::Machine;

namespace {

bool mentions(const GridResult& result, const std::string& text) {
    return result.fault && result.fault->message.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a barrier lets every thread see what the others stored") {
    Machine m(kernel(R"(
    mov.u32 %r20, data;
    shl.b32 %r10, %r5, 2;
    add.u32 %r11, %r20, %r10;
    mul.lo.u32 %r12, %r5, 7;
    st.shared.u32 [%r11], %r12;
    bar.sync 0;
    sub.u32 %r13, %r4, %r5;
    shl.b32 %r13, %r13, 2;
    add.u32 %r14, %r20, %r13;
    ld.shared.u32 %r9, [%r14+-4];
)",
                     ".shared .align 4 .b8 data[1024];"));
    CHECK(!m.run({2, 1, 1}, {200, 1, 1}).fault);
    for (int i = 0; i < 400; ++i) CHECK(m.out()[i] == 7 * (199 - i % 200));
    CHECK(m.sums[0].barriers == 2);
}

TEST_CASE("reductions at a barrier") {
    Machine m(kernel(R"(
    rem.u32 %r10, %r5, 3;
    setp.eq.u32 %p1, %r10, 0;
    setp.lt.u32 %p2, %r5, 100;
    bar.red.popc.u32 %r11, 0, %p1;
    bar.red.and.pred %p3, 0, %p2;
    bar.red.or.pred %p4, 0, !%p2;
    selp.u32 %r12, 1, 0, %p3;
    selp.u32 %r13, 2, 0, %p4;
    mad.lo.u32 %r9, %r11, 10, %r12;
    add.u32 %r9, %r9, %r13;
)"));
    CHECK(!m.run({}, {100, 1, 1}).fault);
    CHECK(m.out()[0] == 341);  // 34 multiples of 3; all below 100; none beyond
    CHECK(m.out()[99] == 341);
}

TEST_CASE("named barriers: one warp announces itself, the other waits") {
    Machine m(kernel(R"(
    mov.u32 %r9, 1;
    setp.lt.u32 %p1, %r5, 32;
    @%p1 bra PRODUCE;
    bar.sync 3, 64;
    ld.shared.u32 %r9, [data];
    bra JOIN;
PRODUCE:
    st.shared.u32 [data], 77;
    bar.arrive 3, 64;
JOIN:
)",
                     ".shared .u32 data;"));
    for (std::uint64_t seed : {0, 1, 2, 3}) {
        m.options.seed = seed;
        CHECK(!m.run({}, {64, 1, 1}).fault);
        CHECK(m.out()[5] == 1);
        CHECK(m.out()[40] == 77);
    }
}

TEST_CASE("threads that exit before a barrier are counted, and told about") {
    Machine m(kernel(R"(
    mov.u32 %r9, 3;
    setp.ge.u32 %p1, %r5, 40;
    @%p1 bra END;
    bar.sync 0;
    add.u32 %r9, %r9, %r5;
    st.global.u32 [%rd3], %r9;
END:
    ret;
)"));
    CHECK(!m.run({}, {64, 1, 1}).fault);
    CHECK(m.out()[39] == 42);
    CHECK(m.out()[40] == -1);
    REQUIRE(m.findings.size() == 1);
    CHECK(m.findings[0].finding.kind == "barrier-missed");
    CHECK(m.findings[0].finding.severity == Severity::warning);
    CHECK(m.findings[0].finding.message.find("24 threads") != std::string::npos);
}

TEST_CASE("a barrier that part of a warp never reaches") {
    Machine m(kernel(R"(
    setp.ge.u32 %p1, %r5, 16;
    @%p1 bra JOIN;
    bar.sync 0;
JOIN:
    mov.u32 %r9, 3;
)"));
    const GridResult result = m.run({}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "barrier-missed");
    CHECK(mentions(result, "lanes 0-15 wait at the barrier at PTX line"));
    CHECK(mentions(result, "lanes 16-31 wait for the others"));
}

TEST_CASE("halves of a warp at different barriers") {
    Machine m(kernel(R"(
    setp.ge.u32 %p1, %r5, 16;
    @%p1 bra HIGH;
    bar.sync 0;
    bra JOIN;
HIGH:
    bar.sync 0;
JOIN:
    mov.u32 %r9, 3;
)"));
    const GridResult result = m.run({}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "barrier-divergence");
    CHECK(mentions(result, "lanes 16-31 wait at the barrier"));
}

TEST_CASE("barriers that may be reached by part of a warp") {
    Machine m(kernel(R"(
    setp.ge.u32 %p1, %r5, 16;
    @%p1 bra HIGH;
    mov.u32 %r9, 5;
    barrier.sync 0;
    bra JOIN;
HIGH:
    mov.u32 %r9, 6;
    barrier.sync 0;
JOIN:
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    CHECK(m.out()[3] == 5);
    CHECK(m.out()[30] == 6);
}

TEST_CASE("a count that is never reached") {
    Machine m(kernel("bar.sync 1, 96;\n mov.u32 %r9, 1;\n"));
    const GridResult result = m.run({}, {64, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "barrier-missed");
}

TEST_CASE("shared and registers do not remember the block before") {
    // Every block stores what it finds before anything is written.
    Machine m(kernel(R"(
    ld.shared.u32 %r9, [data];
    mov.u32 %r10, 1234;
    st.shared.u32 [data], %r10;
    add.u32 %r9, %r9, %r25;
    mov.u32 %r25, %r1;
    xor.b32 %r25, %r25, %r10;
    add.u32 %r9, %r9, %r25;
    sub.u32 %r9, %r9, %r25;
)",
                     ".shared .u32 data;"));
    CHECK(!m.run({3, 1, 1}, {32, 1, 1}).fault);
    for (int i = 0; i < 96; ++i)
        CHECK(static_cast<unsigned>(m.out()[i]) == 0xcdcdcdcdu + 0xcdcdcdcdu);
}
