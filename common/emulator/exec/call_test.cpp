#include <doctest/doctest.h>

#include "emulator/exec/test_machine.h"

using namespace emu;
using test::kernel;
using test::Machine;

namespace {

const char* const fib = R"(
.func (.param .b32 result) fib(.param .b32 n)
{
    .reg .pred %p<2>; .reg .b32 %r<9>;
    ld.param.u32 %r8, [n];
    setp.lt.s32 %p1, %r8, 2;
    @%p1 bra DONE;
    add.s32 %r4, %r8, -1;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r4;
    call.uni (b), fib, (a);
    ld.param.b32 %r5, [b];
    }
    add.s32 %r6, %r8, -2;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r6;
    call.uni (b), fib, (a);
    ld.param.b32 %r7, [b];
    }
    add.s32 %r8, %r7, %r5;
DONE:
    st.param.b32 [result], %r8;
    ret;
}
)";

const char* const call_fib = R"(
    rem.u32 %r10, %r2, 11;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r10;
    call.uni (b), fib, (a);
    ld.param.b32 %r9, [b];
    }
)";

const char* const two = R"(
.func (.param .b32 result) twice(.param .b32 n)
{   .reg .b32 %r<3>;
    ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 1; st.param.b32 [result], %r2; ret; }
.func (.param .b32 result) plus9(.param .b32 n)
{   .reg .b32 %r<3>;
    ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 9; st.param.b32 [result], %r2; ret; }
)";

// Each call takes 64 bytes of the stack.
const char* const deep = R"(
.func (.param .b32 result) deep(.param .b32 n)
{
    .local .align 4 .b8 depot[64];
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
    mov.u64 %rd1, depot;
    ld.param.u32 %r1, [n];
    st.local.u32 [%rd1+4], %r1;
    mov.u32 %r3, 0;
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra DONE;
    add.s32 %r2, %r1, -1;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r2;
    call.uni (b), deep, (a);
    ld.param.b32 %r3, [b];
    }
DONE:
    ld.local.u32 %r4, [%rd1+4];
    add.u32 %r3, %r3, %r4;
    st.param.b32 [result], %r3;
    ret;
}
)";

std::string call_deep(int n) {
    return R"(
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], )" +
           std::to_string(n) + R"(;
    call.uni (b), deep, (a);
    ld.param.b32 %r9, [b];
    }
)";
}

}  // namespace

TEST_CASE("recursion to a different depth in every lane") {
    Machine m(kernel(call_fib, fib));
    m.options.limits.stack_bytes = 4096;
    CHECK(!m.run({}, {32, 1, 1}).fault);
    const int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55};
    for (int lane = 0; lane < 32; ++lane) CHECK(m.out()[lane] == numbers[lane % 11]);
}

TEST_CASE("function pointers that differ by lane") {
    Machine m(kernel(R"(
    mov.u64 %rd5, twice;
    mov.u64 %rd6, plus9;
    setp.lt.u32 %p1, %r2, 7;
    selp.b64 %rd7, %rd5, %rd6, %p1;
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r2;
    proto : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd7, (a), proto;
    ld.param.b32 %r9, [b];
    }
)",
                     two));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(m.out()[lane] == (lane < 7 ? 2 * lane : lane + 9));
}

TEST_CASE("a call to an address that is no function") {
    Machine m(kernel(R"(
    {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r2;
    proto : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd1, (a), proto;
    ld.param.b32 %r9, [b];
    }
)",
                     two));
    const GridResult result = m.run({}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "illegal-address");
}

TEST_CASE("every activation has local memory of its own") {
    Machine m(kernel(call_deep(10), deep));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    for (int lane = 0; lane < 32; ++lane) CHECK(m.out()[lane] == 55);
}

TEST_CASE("a stack that overflows names function, depth and limit") {
    Machine m(kernel(call_deep(100), deep));
    const GridResult result = m.run({}, {32, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "stack-overflow");
    CHECK(result.fault->message.find("deep") != std::string::npos);
    CHECK(result.fault->message.find("1024 bytes") != std::string::npos);
    Machine wider(kernel(call_deep(100), deep));
    wider.options.limits.stack_bytes = 16384;
    CHECK(!wider.run({}, {32, 1, 1}).fault);
    CHECK(wider.out()[3] == 5050);
}

TEST_CASE("a function that is nowhere faults by name, when it is called") {
    const char* const absent = ".extern .func absent(.param .b32 n);\n";
    const std::string body = R"(
    mov.u32 %r9, 4;
    setp.eq.u32 %p1, %r4, 64;
    @!%p1 bra SKIP;
    {
    .param .b32 a;
    st.param.b32 [a], %r2;
    call.uni absent, (a);
    }
SKIP:
)";
    Machine m(kernel(body, absent));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    CHECK(m.out()[31] == 4);
    const GridResult result = m.run({}, {64, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->message.find("absent") != std::string::npos);
}

TEST_CASE("an unknown instruction faults when it is executed, and only then") {
    const std::string body = R"(
    mov.u32 %r9, 4;
    setp.eq.u32 %p1, %r4, 64;
    @!%p1 bra SKIP;
    frobnicate.u32 %r9, %r9;
SKIP:
)";
    Machine m(kernel(body));
    CHECK(!m.run({}, {32, 1, 1}).fault);
    CHECK(m.out()[9] == 4);
    const GridResult result = m.run({}, {64, 1, 1});
    REQUIRE(result.fault);
    CHECK(result.fault->kind == "unsupported-instruction");
    CHECK(result.fault->message.find("frobnicate.u32") != std::string::npos);
    CHECK(result.fault->ptx_line > 0);
}
