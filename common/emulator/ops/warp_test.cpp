#include <doctest/doctest.h>

#include <bit>

#include "emulator/exec/test_machine.h"

using namespace emu;
using test::kernel;
using test::Machine;

namespace {

std::vector<int> results(const std::string& body, unsigned threads = 32) {
    Machine m(kernel(body));
    const GridResult result = m.run({}, {threads, 1, 1});
    CHECK(!result.fault);
    return {m.out(), m.out() + threads};
}

}  // namespace

// Expected values: PTX ISA, the pseudo-code of "shfl.sync".
TEST_CASE("shuffles: the four modes, within segments") {
    const auto up = results(
        "shfl.sync.up.b32 %r9|%p1, %r2, 3, 0, -1;\n"
        "@!%p1 add.u32 %r9, %r9, 100;\n");
    const auto down = results(
        "shfl.sync.down.b32 %r9|%p1, %r2, 5, 31, -1;\n"
        "@!%p1 add.u32 %r9, %r9, 100;\n");
    const auto down16 = results(
        "shfl.sync.down.b32 %r9|%p1, %r2, 5, 4127, -1;\n"
        "@!%p1 add.u32 %r9, %r9, 100;\n");  // 0x101f
    const auto bfly = results("shfl.sync.bfly.b32 %r9, %r2, 9, 31, -1;\n");
    const auto idx = results("shfl.sync.idx.b32 %r9, %r2, 37, 31, -1;\n");
    for (int lane = 0; lane < 32; ++lane) {
        CHECK(up[lane] == (lane >= 3 ? lane - 3 : lane + 100));
        CHECK(down[lane] == (lane + 5 < 32 ? lane + 5 : lane + 100));
        CHECK(down16[lane] == (lane % 16 + 5 < 16 ? lane + 5 : lane + 100));
        CHECK(bfly[lane] == (lane ^ 9));
        CHECK(idx[lane] == 5);
    }
}

TEST_CASE("a shuffle whose result replaces its source") {
    const auto r = results(
        "mov.u32 %r9, %r2;\nadd.u32 %r9, %r9, 50;\n"
        "shfl.sync.bfly.b32 %r9, %r9, 1, 31, -1;\n");
    for (int lane = 0; lane < 32; ++lane) CHECK(r[lane] == (lane ^ 1) + 50);
}

TEST_CASE("votes") {
    const std::string head = "setp.ge.u32 %p1, %r2, 20;\n setp.ge.u32 %p2, %r2, 0;\n";
    CHECK(results(head + "vote.sync.ballot.b32 %r9, %p1, -1;\n")[4] ==
          std::bit_cast<int>(0xfff00000u));
    CHECK(results(head +
                  "vote.sync.any.pred %p3, %p1, -1;\n selp.u32 %r9, 1, 0, %p3;\n")[0] ==
          1);
    CHECK(results(head +
                  "vote.sync.all.pred %p3, %p1, -1;\n selp.u32 %r9, 1, 0, %p3;\n")[31] ==
          0);
    CHECK(results(head +
                  "vote.sync.all.pred %p3, %p2, -1;\n selp.u32 %r9, 1, 0, %p3;\n")[31] ==
          1);
    CHECK(results(head +
                  "vote.sync.uni.pred %p3, !%p1, -1;\n selp.u32 %r9, 1, 0, %p3;\n")[3] ==
          0);
}

TEST_CASE("a short last warp votes with the lanes it has") {
    CHECK(results("setp.ge.u32 %p1, %r2, 0;\n vote.sync.ballot.b32 %r9, %p1, -1;\n",
                  40)[39] == 0xff);
    CHECK(results("activemask.b32 %r9;\n", 37)[36] == 0x1f);
}

TEST_CASE("match and redux") {
    const auto any =
        results("rem.u32 %r10, %r2, 3;\n match.any.sync.b32 %r9, %r10, -1;\n");
    for (int lane = 0; lane < 32; ++lane) {
        unsigned want = 0;
        for (int other = lane % 3; other < 32; other += 3) want |= 1u << other;
        CHECK(static_cast<unsigned>(any[lane]) == want);
    }
    CHECK(results("match.all.sync.b32 %r9|%p1, %r3, -1;\n")[8] == -1);
    CHECK(results("match.all.sync.b32 %r9|%p1, %r2, -1;\n")[8] == 0);
    CHECK(results("redux.sync.add.s32 %r9, %r2, -1;\n")[8] == 496);
    CHECK(results("sub.s32 %r10, %r2, 9;\n redux.sync.min.s32 %r9, %r10, -1;\n")[8] ==
          -9);
    CHECK(results("sub.s32 %r10, %r2, 9;\n redux.sync.max.u32 %r9, %r10, -1;\n")[8] ==
          -1);
    CHECK(results("add.s32 %r10, %r2, 64;\n redux.sync.and.b32 %r9, %r10, -1;\n")[8] ==
          64);
    CHECK(results("redux.sync.xor.b32 %r9, %r2, -1;\n", 30)[8] == (30 ^ 31));
}

TEST_CASE("one lane is elected") {
    const auto r = results("elect.sync %r10|%p1, -1;\n selp.u32 %r9, 1, 0, %p1;\n");
    int leaders = 0;
    for (int one : r) leaders += one;
    CHECK(leaders == 1);
}
