#include "emulator/ops/one_op.h"

namespace emu {
namespace {

constexpr std::uint64_t minus(std::uint64_t x, int bits) {
    return bits == 64 ? 0 - x : (0 - x) & ((std::uint64_t(1) << bits) - 1);
}

TEST_CASE("integer arithmetic gives the manual's results at the edges") {
    const Case cases[] = {
        {"add.s32", {0x7fffffff, 1}, 0x80000000},
        {"add.u16", {0xffff, 3}, 2},
        {"add.s16", {0x7fff, 0x12340001}, 0x8000},
        {"add.s64", {~0ull, 5}, 4},
        {"add.sat.s32", {0x7fffffff, 9}, 0x7fffffff},
        {"sub.sat.s32", {0x80000000, 9}, 0x80000000},
        {"add.u16x2", {0xffff'0001, 0x0002'fffe}, 0x0001'ffff},
        {"add.s16x2", {0x7fff'ffff, 0x0001'0001}, 0x8000'0000},
        {"sub.u32", {3, 10}, 0xfffffff9},
        {"sub.s64", {0, 1ull << 63}, 1ull << 63},
        {"mul.lo.s32", {0x10001, 0x10003}, 0x40003},
        {"mul.lo.u16", {0xffff, 0xffff}, 1},
        {"mul.lo.s64", {0x1'0000'0001, 0x1'0000'0003}, 0x4'0000'0003},
        {"mul.hi.u32", {0xffffffff, 0xfffffffe}, 0xfffffffd},
        {"mul.hi.s32", {0xffffffff, 0x7fffffff}, 0xffffffff},
        {"mul.hi.u16", {0x8000, 6}, 3},
        {"mul.hi.s16", {0x8000, 6}, minus(3, 16)},
        {"mul.hi.u64", {1ull << 63, 10}, 5},
        {"mul.hi.s64", {1ull << 63, 10}, minus(5, 64)},
        {"mul.wide.s32", {0xffffffff, 7}, minus(7, 64)},
        {"mul.wide.u32", {0xffffffff, 7}, 0x6'ffff'fff9},
        {"mul.wide.s16", {0xfffe, 300}, minus(600, 32)},
        {"mul.wide.u16", {0xfffe, 300}, 0xfffe * 300},
        {"mad.lo.s32", {7, 0xffffffff, 10}, 3},
        {"mad.lo.u64", {1ull << 40, 1ull << 30, 17}, 17},
        {"mad.hi.s32", {0x40000000, 12, 0xffffffff}, 2},
        {"mad.hi.sat.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff},
        {"mad.wide.s32", {0xfffffffd, 4, 2}, minus(10, 64)},
        {"mad.wide.u32", {0xfffffffd, 4, 2}, 0x3'ffff'fff6},
        {"mad.wide.u16", {0xffff, 2, 5}, 0x20003},
        {"mul24.lo.s32", {0x00ffffff, 5}, minus(5, 32)},
        {"mul24.lo.u32", {0x7f00'0003, 5}, 15},
        {"mul24.hi.u32", {0x00800000, 0x00800000}, 0x40000000},
        {"mul24.hi.s32", {0x00800000, 0x00400000}, minus(0x20000000, 32)},
        {"mad24.lo.u32", {3, 5, 100}, 115},
        {"mad24.hi.sat.s32", {0x7fffff, 0x7fffff, 0x7fffffff}, 0x7fffffff},
        {"sad.u32", {3, 10, 100}, 107},
        {"sad.s32", {0xfffffffe, 10, 100}, 112},
        {"sad.u16", {0xfffe, 10, 1}, 0xfff5},
        {"div.s32", {minus(7, 32), 2}, minus(3, 32)},
        {"div.s32", {0x80000000, 0xffffffff}, 0x80000000},
        {"div.u32", {0xffffffff, 0xfffffffe}, 1},
        {"div.u32", {0xfffffffe, 0xffffffff}, 0},
        {"div.u32", {12, 0}, 0xffffffff},
        {"div.s32", {12, 0}, 0xffffffff},
        {"div.u16", {0xffff, 7}, 9362},
        {"div.s16", {minus(100, 16), 7}, minus(14, 16)},
        {"div.u64", {~0ull, 3}, 0x5555'5555'5555'5555},
        {"div.s64", {1ull << 63, ~0ull}, 1ull << 63},
        {"div.u64", {5, 0}, ~0ull},
        {"rem.s32", {minus(7, 32), 2}, minus(1, 32)},
        {"rem.s32", {0x80000000, 0xffffffff}, 0},
        {"rem.u32", {0xffffffff, 10}, 5},
        {"rem.u32", {9, 0}, 0xffffffff},
        {"rem.s64", {minus(100, 64), 7}, minus(2, 64)},
        {"rem.u16", {0xffff, 0xfffe}, 1},
        {"abs.s32", {minus(5, 32)}, 5},
        {"abs.s32", {0x80000000}, 0x80000000},
        {"abs.s16", {minus(5, 16)}, 5},
        {"abs.s64", {minus(5, 64)}, 5},
        {"neg.s32", {5}, minus(5, 32)},
        {"neg.s16", {5}, minus(5, 16)},
        {"neg.s64", {5}, minus(5, 64)},
        {"min.s32", {0xffffffff, 3}, 0xffffffff},
        {"min.u32", {0xffffffff, 3}, 3},
        {"max.s16", {0x8000, 4}, 4},
        {"max.u16", {0x8000, 4}, 0x8000},
        {"max.s64", {minus(9, 64), 4}, 4},
        {"min.u64", {minus(9, 64), 4}, 4},
        {"min.relu.s32", {minus(9, 32), 4}, 0},
        {"max.relu.s32", {minus(9, 32), minus(4, 32)}, 0},
        {"min.s16x2", {0xffff'0005, 0x0003'fffe}, 0xffff'fffe},
        {"max.u16x2", {0xffff'0005, 0x0003'fffe}, 0xffff'fffe},
        {"min.relu.s16x2", {0xffff'0005, 0x0003'0004}, 0x0000'0004},
    };
    check_all(cases);
}

TEST_CASE("bit ops give the manual's results at the edges") {
    const Case cases[] = {
        {"popc.b32", {0xf0f0'0001}, 9},
        {"popc.b64", {0xffff'0000'0000'0003}, 18},
        {"clz.b32", {0x0001'0000}, 15},
        {"clz.b32", {0}, 32},
        {"clz.b64", {1}, 63},
        {"bfind.u32", {0x0010'0000}, 20},
        {"bfind.u32", {0}, 0xffffffff},
        {"bfind.s32", {0xffff'fffe}, 0},
        {"bfind.s32", {0xffff'ffff}, 0xffffffff},
        {"bfind.shiftamt.u32", {0x0010'0000}, 11},
        {"bfind.s64", {0xff00'0000'0000'0000}, 55},
        {"bfind.shiftamt.u64", {2}, 62},
        {"brev.b32", {0x0000'0003}, 0xc000'0000},
        {"brev.b64", {0x8000'0000'0000'0005}, 0xa000'0000'0000'0001},
        {"fns.b32", {0xaaaaaaaa, 3, 1}, 3},
        {"fns.b32", {0xaaaaaaaa, 3, minus(1, 32)}, 3},
        {"fns.b32", {0xaaaaaaaa, 3, 2}, 5},
        {"fns.b32", {0xaaaaaaaa, 3, minus(2, 32)}, 1},
        {"fns.b32", {0xaaaaaaaa, 3, 0}, 3},
        {"fns.b32", {0xaaaaaaaa, 2, 0}, 0xffffffff},
        {"fns.b32", {0x00000001, 5, 1}, 0xffffffff},
        {"bfe.u32", {0x1234'5678, 8, 12}, 0x456},
        {"bfe.s32", {0x0000'0f80, 4, 8}, 0xffff'fff8},
        {"bfe.s32", {0x8000'0000, 28, 20}, 0xffff'fff8},
        {"bfe.u32", {0xffff'ffff, 3, 0}, 0},
        {"bfe.s32", {0x8000'0000, 40, 4}, 0xffff'ffff},
        {"bfe.u32", {0xdead'beef, 0, 200}, 0xdead'beef},
        {"bfe.u64", {0x1234'5678'9abc'def0, 36, 16}, 0x4567},
        {"bfe.s64", {0x00f0'0000'0000'0000, 52, 4}, ~0ull},
        {"bfi.b32", {0xabc, 0x1111'1111, 8, 12}, 0x111a'bc11},
        {"bfi.b32", {0xabc, 0x1111'1111, 32, 12}, 0x1111'1111},
        {"bfi.b32", {0xabc, 0x1111'1111, 28, 12}, 0xc111'1111},
        {"bfi.b64", {0xff, 0, 60, 8}, 0xf000'0000'0000'0000},
        {"szext.clamp.s32", {0x0000'00ff, 8}, 0xffff'ffff},
        {"szext.clamp.u32", {0xabcd'00ff, 4}, 0xf},
        {"szext.clamp.s32", {0xabcd'00ff, 99}, 0xabcd'00ff},
        {"szext.wrap.u32", {0xabcd'00ff, 36}, 0xf},
        {"bmsk.clamp.b32", {4, 8}, 0xff0},
        {"bmsk.clamp.b32", {28, 8}, 0xf000'0000},
        {"bmsk.clamp.b32", {40, 8}, 0},
        {"bmsk.clamp.b32", {0, 77}, 0xffff'ffff},
        {"bmsk.wrap.b32", {36, 40}, 0xff0},
        // 1*5 + 2*6 + 3*7 - 1*8 = 30
        {"dp4a.s32.s32", {0xff03'0201, 0x0807'0605, 100}, 130},
        {"dp4a.u32.u32", {0xff03'0201, 0x0807'0605, 100}, 100 + 5 + 12 + 21 + 255 * 8},
        {"dp4a.u32.s32", {0xff03'0201, 0xff07'0605, 0}, minus(255 - 38, 32)},
        // -2 * 3 + 300 * 4
        {"dp2a.lo.s32.s32", {0x012c'fffe, 0x0000'0403, 1}, 1195},
        {"dp2a.hi.s32.u32", {0x012c'fffe, 0x0403'0000, 1}, 1195},
    };
    check_all(cases);
}

TEST_CASE("64-bit sums and products out of 32-bit halves carry and borrow") {
    std::mt19937_64 random(11);
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t a = random() >> (round % 40), b = random() >> (round % 33);
        OneOp low("add.cc.u32"), high("addc.u32"), sub("sub.cc.s32"), subc("subc.s32");
        auto halves = [&](OneOp& first, OneOp& second) {
            first.set(1, 9, a & 0xffffffff), first.set(2, 9, b & 0xffffffff);
            second.set(1, 9, a >> 32), second.set(2, 9, b >> 32);
            first.run(lane_bit(9));
            second.warp().carry = first.warp().carry;
            second.run(lane_bit(9));
            return second.get(0, 9) << 32 | first.get(0, 9);
        };
        REQUIRE(halves(low, high) == a + b);
        REQUIRE(halves(sub, subc) == a - b);
    }
}

TEST_CASE("mad.lo.cc and madc.hi accumulate a 64-bit product") {
    std::mt19937_64 random(12);
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t a = random() & 0xffffffff, b = random() & 0xffffffff,
                            c = random();
        OneOp low("mad.lo.cc.u32"), high("madc.hi.u32");
        low.set(1, 3, a), low.set(2, 3, b), low.set(3, 3, c & 0xffffffff);
        high.set(1, 3, a), high.set(2, 3, b), high.set(3, 3, c >> 32);
        low.run(lane_bit(3));
        high.warp().carry = low.warp().carry;
        high.run(lane_bit(3));
        REQUIRE((high.get(0, 3) << 32 | low.get(0, 3)) == a * b + c);
    }
}

TEST_CASE("an op without .cc leaves the carry alone, one with it only its lanes") {
    OneOp op("add.cc.u32");
    op.warp().carry = 0xf0u;
    for (int lane = 0; lane < warp_size; ++lane)
        op.set(1, lane, 0xffffffff), op.set(2, lane, 2);
    op.run(0x3u);
    CHECK(op.warp().carry == 0xf3u);
    OneOp last("addc.u32");
    last.warp().carry = 0x5u;
    last.set(1, 0, 0xffffffff);
    last.run(all_lanes);
    CHECK(last.get(0, 0) == 0);
    CHECK(last.get(0, 2) == 1);
    CHECK(last.warp().carry == 0x5u);
}

TEST_CASE("32-bit quotients and remainders through double are exact") {
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        const std::uint32_t a = random() >> (round % 31),
                            b = (random() >> (round % 29)) | 1u;
        static OneOp div("div.u32"), rem("rem.s32");
        div.set(1, 0, a), div.set(2, 0, b), rem.set(1, 0, a), rem.set(2, 0, b);
        div.run(all_lanes), rem.run(all_lanes);
        REQUIRE(div.get(0, 0) == a / b);
        REQUIRE(std::int32_t(rem.get(0, 0)) ==
                std::int64_t(std::int32_t(a)) % std::int64_t(std::int32_t(b)));
    }
}

TEST_CASE("forms that do not exist are refused") {
    for (const char* text :
         {"add.sat.u32", "mul.s32", "abs.u32", "min.relu.u32", "add.foo.s32"})
        CHECK_FALSE(OneOp(text).bound());
}

}  // namespace
}  // namespace emu
