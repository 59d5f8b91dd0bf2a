#include <bit>
#include <limits>

#include "emulator/ops/one_op.h"

namespace emu {
namespace {

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }
const float nan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("setp compares integers by their type's sign") {
    const Case cases[] = {
        {"setp.lt.s32", {0xffffffff, 1, 0}, 1},
        {"setp.lt.u32", {0xffffffff, 1, 0}, 0},
        {"setp.hi.u32", {0xffffffff, 1, 0}, 1},
        {"setp.ls.u32", {0xffffffff, 1, 0}, 0},
        {"setp.hs.u64", {1ull << 63, 7, 0}, 1},
        {"setp.lo.u16", {0x8000, 7, 0}, 0},
        {"setp.ge.s64", {1ull << 63, 7, 0}, 0},
        {"setp.gt.s16", {0x8000, 7, 0}, 0},
        {"setp.eq.b32", {0x12, 0x12, 0}, 1},
        {"setp.ne.b64", {0x12, 1ull << 40 | 0x12, 0}, 1},
        {"setp.le.s32", {5, 5, 0}, 1},
        {"setp.eq.s16", {0xabcd'0012, 0x12, 0}, 1},
    };
    check_all(cases);
}

TEST_CASE("setp on floats: ordered tests fail on NaN, unordered ones hold") {
    const std::pair<const char*, int> with_nan[] = {
        {"eq", 0},  {"ne", 0},  {"lt", 0},  {"le", 0},  {"gt", 0},
        {"ge", 0},  {"equ", 1}, {"neu", 1}, {"ltu", 1}, {"leu", 1},
        {"gtu", 1}, {"geu", 1}, {"num", 0}, {"nan", 1}};
    const std::pair<const char*, int> less[] = {
        {"eq", 0},  {"ne", 1},  {"lt", 1},  {"le", 1},  {"gt", 0},
        {"ge", 0},  {"equ", 0}, {"neu", 1}, {"ltu", 1}, {"leu", 1},
        {"gtu", 0}, {"geu", 0}, {"num", 1}, {"nan", 0}};
    for (auto [name, holds] : with_nan) {
        const std::string start = std::string("setp.") + name;
        check_case({(start + ".f32").c_str(), {f(nan), f(2), 0}, std::uint64_t(holds)});
        check_case({(start + ".f64").c_str(), {d(2), d(nan), 0}, std::uint64_t(holds)});
        check_case({(start + ".f16").c_str(), {0x7e00, 0x3c00, 0}, std::uint64_t(holds)});
        check_case(
            {(start + ".bf16").c_str(), {0x3f80, 0x7fc0, 0}, std::uint64_t(holds)});
    }
    for (auto [name, holds] : less) {
        const std::string start = std::string("setp.") + name;
        check_case({(start + ".f32").c_str(), {f(-3), f(2), 0}, std::uint64_t(holds)});
        check_case({(start + ".f64").c_str(), {d(-3), d(-2), 0}, std::uint64_t(holds)});
        check_case({(start + ".f16").c_str(), {0xc200, 0x3c00, 0}, std::uint64_t(holds)});
    }
    check_case({"setp.eq.f32", {f(0.0f), f(-0.0f), 0}, 1});
    check_case({"setp.gt.f32", {1, 0, 0}, 1});  // the least subnormal
    check_case({"setp.gt.ftz.f32", {1, 0, 0}, 0});
    check_case({"setp.gt.ftz.f16", {1, 0, 0}, 0});
}

TEST_CASE("setp combines with a predicate; q is the complement's combination") {
    for (int other : {0, 1})
        for (int less : {0, 1}) {
            const std::uint64_t a = less ? 1 : 9, c = std::uint64_t(other);
            auto both = [&](const char* text, int p, int q) {
                check_case({text, {a, 4, c}, std::uint64_t(p)});
                OneOp op(text);
                op.set(2, 5, a), op.set(3, 5, 4), op.set(4, 5, c);
                op.run(lane_bit(5));
                CHECK(op.get(1, 5) == std::uint64_t(q));
            };
            both("setp.lt.and.s32|", less & other, (1 - less) & other);
            both("setp.lt.or.s32|", less | other, (1 - less) | other);
            both("setp.lt.xor.u32|", less ^ other, (1 - less) ^ other);
            both("setp.lt.s32|", less, !less);
        }
}

TEST_CASE("setp on a pair of halves answers for the low one in p, the high one in q") {
    OneOp op("setp.lt.f16x2|");
    op.set(2, 5, 0x4000'3c00), op.set(3, 5, 0x3c00'4000);
    op.run(lane_bit(5));
    CHECK(op.get(0, 5) == 1);
    CHECK(op.get(1, 5) == 0);
}

TEST_CASE("set, selp and slct") {
    const Case cases[] = {
        {"set.lt.u32.s32", {0xffffffff, 1, 0}, 0xffffffff},
        {"set.lt.f32.s32", {0xffffffff, 1, 0}, f(1.0f)},
        {"set.gt.u32.f32", {f(1), f(2), 0}, 0},
        {"set.lt.and.u32.f32", {f(1), f(2), 1}, 0xffffffff},
        {"set.lt.and.u32.f32", {f(1), f(2), 0}, 0},
        {"set.eq.f16.f16", {0x3c00, 0x3c00, 0}, 0x3c00},
        {"set.eq.u16.f16", {0x3c00, 0x3c00, 0}, 0xffff},
        {"set.lt.f16x2.f16x2", {0x3c00'3c00, 0x0000'4000, 0}, 0x0000'3c00},
        {"set.gt.u32.bf16x2", {0x3f80'3f80, 0x0000'4000, 0}, 0xffff'0000},
        {"selp.b32", {7, 9, 1}, 7},
        {"selp.b64", {7ull << 40, 9ull << 40, 0}, 9ull << 40},
        {"selp.f32", {f(7), f(9), 0}, f(9)},
        {"slct.u32.s32", {7, 9, 0}, 7},
        {"slct.u32.s32", {7, 9, 0xffffffff}, 9},
        {"slct.u64.f32", {7, 9, f(-0.0f)}, 7},
        {"slct.b32.f32", {7, 9, f(nan)}, 9},
        {"slct.b32.f32", {7, 9, 0x80000001}, 9},
        {"slct.ftz.b32.f32", {7, 9, 0x80000001}, 7},
    };
    check_all(cases);
}

}  // namespace
}  // namespace emu
