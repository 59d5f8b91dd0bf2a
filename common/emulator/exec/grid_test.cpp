#include <doctest/doctest.h>

#include <algorithm>

#include "emulator/exec/test_machine.h"

using namespace emu;
using test::kernel;
using test::Machine;

namespace {

// Blocks 11, 27, 43, ... fail; the first of them takes its time.
const char* const some_fail = R"(
    mov.u32 %r9, %r3;
    rem.u32 %r10, %r3, 16;
    setp.ne.u32 %p1, %r10, 11;
    @%p1 bra JOIN;
    setp.ne.u32 %p2, %r3, 11;
    @%p2 bra FAIL;
    mov.u32 %r11, 300000;
LOOP:
    add.u32 %r11, %r11, -1;
    setp.ne.u32 %p3, %r11, 0;
    @%p3 bra LOOP;
FAIL:
    trap;
JOIN:
)";

const char* const ticket = R"(
    mov.u32 %r9, 1;
    setp.ne.u32 %p1, %r5, 0;
    @%p1 bra JOIN;
    atom.global.add.u32 %r9, [%rd1+8192], 1;
JOIN:
)";

// Block 0 waits for what block 1 stores.
const char* const waiting = R"(
    mov.u32 %r9, 8;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 bra SET;
WAIT:
    ld.volatile.global.u32 %r10, [%rd1+8192];
    setp.ne.u32 %p2, %r10, 5;
    @%p2 bra WAIT;
    bra JOIN;
SET:
    mov.u32 %r11, 5;
    st.volatile.global.u32 [%rd1+8192], %r11;
JOIN:
)";

}  // namespace

TEST_CASE("the fault reported is the first in order, whatever the threads") {
    for (int threads : {1, 4}) {
        Machine m(kernel(some_fail));
        m.threads = threads;
        const GridResult result = m.run({100, 1, 1}, {64, 1, 1});
        REQUIRE(result.fault);
        CHECK(result.fault->kind == "trap");
        CHECK(result.fault->block == Dim3{11, 0, 0});
        for (int i = 0; i < 11 * 64; ++i) CHECK(m.out()[i] == i / 64);
    }
}

TEST_CASE("one thread and four count the same") {
    const char* const body = R"(
    mov.u32 %r9, 0;
    rem.u32 %r10, %r1, 13;
LOOP:
    add.u32 %r9, %r9, %r10;
    add.u32 %r10, %r10, -1;
    setp.gt.s32 %p1, %r10, 0;
    @%p1 bra LOOP;
)";
    Machine one(kernel(body)), four(kernel(body)), shuffled(kernel(body));
    four.threads = 4;
    shuffled.threads = 3;
    shuffled.options.seed = 42;
    for (Machine* m : {&one, &four, &shuffled})
        CHECK(!m->run({30, 1, 1}, {100, 1, 1}).fault);
    CHECK(one.instructions() > 0);
    for (Machine* m : {&four, &shuffled}) {
        CHECK(m->instructions() == one.instructions());
        CHECK(m->thread_instructions() == one.thread_instructions());
        CHECK(std::equal(one.out(), one.out() + 3000, m->out()));
    }
}

TEST_CASE("atomics whose result is used run in the order of the schedule") {
    Machine m(kernel(ticket));
    m.threads = 4;
    m.out()[2048] = 100;
    CHECK(!m.run({20, 1, 1}, {32, 1, 1}).fault);
    for (int b = 0; b < 20; ++b) CHECK(m.out()[32 * b] == 100 + b);

    Machine shuffled(kernel(ticket));
    shuffled.out()[2048] = 100;
    shuffled.options.seed = 7;
    CHECK(!shuffled.run({20, 1, 1}, {32, 1, 1}).fault);
    std::vector<int> tickets;
    for (int b = 0; b < 20; ++b) tickets.push_back(shuffled.out()[32 * b]);
    CHECK(!std::is_sorted(tickets.begin(), tickets.end()));
    std::sort(tickets.begin(), tickets.end());
    for (int b = 0; b < 20; ++b) CHECK(tickets[b] == 100 + b);
}

TEST_CASE("resident blocks wait for each other") {
    Machine m(kernel(waiting));
    CHECK(!m.run({2, 1, 1}, {32, 1, 1}).fault);
    CHECK(m.out()[0] == 8);
}

TEST_CASE("a block that waits for one that does not fit waits for ever") {
    Machine m(kernel(waiting));
    m.options.resident_blocks = 1;
    const GridResult result = m.run({2, 1, 1}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "deadlock");
    CHECK(result.fault->message.find("1 blocks have not started") != std::string::npos);
}

TEST_CASE("a loop that gives up after a time is let run until then") {
    Machine m(kernel(R"(
    mov.u32 %r9, 3;
    mov.u64 %rd8, %clock64;
WAIT:
    ld.volatile.global.u32 %r10, [%rd1+8192];
    setp.eq.u32 %p1, %r10, 5;
    @%p1 bra JOIN;
    mov.u64 %rd9, %clock64;
    sub.u64 %rd9, %rd9, %rd8;
    setp.lt.u64 %p2, %rd9, 10000000;
    @%p2 bra WAIT;
    mov.u32 %r9, 4;
JOIN:
)"));
    CHECK(!m.run({1, 1, 1}, {32, 1, 1}).fault);
    CHECK(m.out()[0] == 4);
}

TEST_CASE("a kernel that may wait for the host is told apart from one that waits for ever") {
    std::vector<int> shared(4096, 0);
    for (bool with_host : {false, true}) {
        Machine m(kernel(waiting));
        if (with_host) m.share(shared.data());
        const GridResult result = m.run({1, 1, 1}, {32, 1, 1});
        REQUIRE(result.fault);
        const std::string kind = with_host ? "unsupported-wait" : "deadlock";
        CHECK(result.fault->kind == kind);
    }
}

TEST_CASE("an endless loop ends at the limit, by name") {
    Machine m(kernel(R"(
    mov.u32 %r9, 1;
LOOP:
    mad.lo.u32 %r9, %r9, 3, %r2;
    bra LOOP;
)"));
    m.options.budget = 1'000'000;
    const GridResult result = m.run({4, 1, 1}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "instruction-limit");
    CHECK(result.fault->ptx_line > 0);
}

TEST_CASE("clocks advance with the instructions of the warp") {
    Machine m(kernel(R"(
    mov.u32 %r10, %clock;
    add.u32 %r9, %r2, 1;
    add.u32 %r9, %r2, 2;
    mov.u32 %r11, %clock;
    sub.u32 %r9, %r11, %r10;
)"));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    CHECK(m.out()[7] == 3);
}
