// Error bounds are the manual's; the oracle is long double.
#include <bit>
#include <cmath>

#include "emulator/ops/one_op.h"

namespace emu {
namespace {

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }

float apply(OneOp& op, float x) {
    op.set(1, 6, f(x));
    op.run(lane_bit(6));
    return std::bit_cast<float>(std::uint32_t(op.get(0, 6)));
}

struct Range {
    const char* text;
    long double (*exact)(long double);
    float from, to;
    double absolute, relative;  // either bound suffices
};

TEST_CASE("approximate functions keep the manual's bounds") {
    const Range ranges[] = {
        {"rcp.approx.f32", [](long double x) { return 1 / x; }, 0x1p-120f, 0x1p120f, 0,
         0x1p-23},
        {"sqrt.approx.f32", [](long double x) { return sqrtl(x); }, 0x1p-140f, 0x1p127f,
         0, 0x1p-23},
        {"rsqrt.approx.f32", [](long double x) { return 1 / sqrtl(x); }, 0x1p-140f,
         0x1p127f, 0, 0x1p-22},
        {"sin.approx.f32", [](long double x) { return sinl(x); }, -6.2831855f, 6.2831855f,
         0x1p-21, 0},
        {"cos.approx.f32", [](long double x) { return cosl(x); }, -6.2831855f, 6.2831855f,
         0x1p-21, 0},
        {"sin.approx.f32", [](long double x) { return sinl(x); }, -314.f, 314.f, 0x1p-21,
         0},
        {"lg2.approx.f32", [](long double x) { return log2l(x); }, 0.5f, 2.0f, 0x1p-22,
         0},
        {"lg2.approx.f32", [](long double x) { return log2l(x); }, 2.0f, 0x1p127f, 0,
         0x1p-22},
        {"lg2.approx.f32", [](long double x) { return log2l(x); }, 0x1p-149f, 0.5f, 0,
         0x1p-22},
        {"ex2.approx.f32", [](long double x) { return exp2l(x); }, -125.f, 127.9f, 0,
         0x1p-22},
        {"tanh.approx.f32", [](long double x) { return tanhl(x); }, -12.f, 12.f, 0,
         0x1p-11},
    };
    for (const Range& range : ranges) {
        OneOp op(range.text);
        REQUIRE(op.bound());
        std::mt19937 random(23);
        for (int k = 0; k < 20000; ++k) {
            const double share = random() / 4294967296.0;
            // Even steps in value, or in logarithm where the range spans many powers of
            // two.
            const bool logarithmic = range.from > 0 && range.to / range.from > 100;
            const float x = float(
                logarithmic ? range.from * std::pow(double(range.to) / range.from, share)
                            : range.from + (double(range.to) - range.from) * share);
            const long double exact = range.exact(x);
            const double error = double(fabsl(apply(op, x) - exact));
            CAPTURE(range.text);
            CAPTURE(x);
            REQUIRE((error <= range.absolute ||
                     error <= range.relative * double(fabsl(exact))));
        }
    }
}

TEST_CASE("approximate functions at the manual's special inputs") {
    const float inf = INFINITY;
    const std::uint64_t nan = 0x7fffffff, least = 1;
    const Case cases[] = {
        {"rcp.approx.f32", {f(-0.0f)}, f(-inf)},
        {"rcp.approx.ftz.f32", {least}, f(inf)},
        {"rcp.approx.ftz.f32", {f(0x1p127f)}, 0},
        {"rcp.approx.f32", {f(0x1p127f)}, f(0x1p-127f)},
        {"sqrt.approx.f32", {f(-1)}, nan},
        {"sqrt.approx.ftz.f32", {least}, 0},
        {"rsqrt.approx.f32", {f(-0.0f)}, f(-inf)},
        {"rsqrt.approx.f32", {f(inf)}, 0},
        {"rsqrt.approx.f32", {f(-1)}, nan},
        {"rsqrt.approx.f32", {f(4)}, f(0.5f)},
        {"sin.approx.f32", {f(-0.0f)}, f(-0.0f)},
        {"sin.approx.f32", {f(inf)}, nan},
        {"cos.approx.f32", {f(0)}, f(1)},
        {"cos.approx.f32", {f(3.14159274f)}, f(-1)},
        {"lg2.approx.f32", {f(0)}, f(-inf)},
        {"lg2.approx.f32", {f(-1)}, nan},
        {"lg2.approx.f32", {f(inf)}, f(inf)},
        {"lg2.approx.f32", {f(8)}, f(3)},
        {"lg2.approx.ftz.f32", {least}, f(-inf)},
        {"ex2.approx.f32", {f(-inf)}, 0},
        {"ex2.approx.f32", {f(inf)}, f(inf)},
        {"ex2.approx.f32", {f(-149)}, least},
        {"ex2.approx.ftz.f32", {f(-149)}, 0},
        {"ex2.approx.f32", {f(10)}, f(1024)},
        {"ex2.approx.f32", {nan}, nan},
        {"tanh.approx.f32", {f(-inf)}, f(-1)},
        {"tanh.approx.f32", {f(0x1p-20f)}, f(0x1p-20f)},
        {"rcp.approx.ftz.f64", {d(4)}, d(0.25)},
        {"rcp.approx.ftz.f64", {d(0)}, d(INFINITY)},
        {"rcp.approx.ftz.f64", {d(0x1p1023)}, 0},
        {"rsqrt.approx.ftz.f64", {d(16)}, d(0.25)},
        {"rsqrt.approx.f64", {d(0.25)}, d(2)},
    };
    check_all(cases);
}

TEST_CASE("the upper word of a reciprocal is within 2^-20, the lower is zero") {
    OneOp op("rcp.approx.ftz.f64");
    std::mt19937_64 random(1);
    for (int k = 0; k < 5000; ++k) {
        const double x = std::ldexp(1.0 + double(random() >> 12) * 0x1p-52,
                                    int(random() % 2000) - 1000);
        op.set(1, 0, d(x));
        op.run(lane_bit(0));
        const double r = std::bit_cast<double>(op.get(0, 0));
        REQUIRE((op.get(0, 0) & 0xffffffffu) == 0);
        REQUIRE(std::fabs(r * x - 1) < 0x1p-19);
    }
}

}  // namespace
}  // namespace emu
