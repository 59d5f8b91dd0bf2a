#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "emulator/ops/one_op.h"

namespace emu {
namespace {

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr std::uint64_t nan = 0x7fffffff, least = 1;  // the least subnormal

TEST_CASE("f32 arithmetic: modifiers, NaN, and ties") {
    const Case cases[] = {
        {"add.f32", {f(1), f(0x1p-24f)}, f(1)},
        {"add.rn.f32", {f(1), f(0x1.8p-24f)}, f(0x1.000002p0f)},
        {"add.rp.f32", {f(1), f(0x1p-149f)}, f(0x1.000002p0f)},
        {"add.rz.f32", {f(-1), f(0x1p-149f)}, f(-0x1.fffffep-1f)},
        {"add.rm.f32", {f(3), f(-3)}, f(-0.0f)},
        {"add.rn.f32", {f(3), f(-3)}, f(0.0f)},
        {"add.f32", {f(inf), f(-inf)}, nan},
        {"add.f32", {0xffc12345, f(1)}, nan},
        {"add.ftz.f32", {least, f(0)}, 0},
        {"add.f32", {least, f(0)}, least},
        {"add.sat.f32", {f(0.75f), f(0.5f)}, f(1)},
        {"add.sat.f32", {f(inf), f(-inf)}, 0},
        {"sub.f32", {f(5), f(7.5f)}, f(-2.5f)},
        {"sub.rm.f32", {f(1), f(0x1p-149f)}, f(0x1.fffffep-1f)},
        {"mul.f32", {f(3), f(-2.5f)}, f(-7.5f)},
        {"mul.rz.f32", {f(0x1.fffffep127f), f(2)}, f(0x1.fffffep127f)},
        {"mul.rp.f32", {f(0x1.fffffep127f), f(-2)}, f(-0x1.fffffep127f)},
        {"mul.ftz.f32", {f(0x1p-100f), f(-0x1p-40f)}, f(-0.0f)},
        {"mul.ftz.sat.f32", {f(4), f(4)}, f(1)},
        // (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24, whose tail a rounded product would lose.
        {"fma.rn.f32", {f(0x1.001p0f), f(0x1.001p0f), f(-1)}, f(0x1.0008p-11f)},
        {"fma.rz.f32", {f(0x1p-100f), f(0x1p-100f), f(-1)}, f(-0x1.fffffep-1f)},
        {"fma.rp.f32", {f(0x1p-100f), f(0x1p-100f), f(1)}, f(0x1.000002p0f)},
        {"fma.rn.sat.f32", {f(-2), f(3), f(1)}, 0},
        {"mad.rn.f32", {f(2), f(3), f(4)}, f(10)},
        {"div.rn.f32", {f(1), f(3)}, f(1.0f / 3)},
        {"div.rz.f32", {f(2), f(3)}, f(0x1.555554p-1f)},
        {"div.rp.f32", {f(1), f(3)}, f(0x1.555556p-2f)},
        {"div.rm.f32", {f(1), f(3)}, f(0x1.555554p-2f)},
        {"div.rz.f32", {f(6), f(-3)}, f(-2)},
        {"div.rn.f32", {f(0), f(0)}, nan},
        {"div.rn.f32", {f(-1), f(0)}, f(-inf)},
        {"div.full.f32", {f(3), f(0x1.8p127f)}, f(0x1p-126f)},
        {"div.approx.f32", {f(3), f(0x1.8p127f)}, 0},
        {"div.approx.f32", {f(inf), f(0x1.8p127f)}, nan},
        {"div.approx.f32", {f(6), f(-3)}, f(-2)},
        {"rcp.rn.f32", {f(3)}, f(0x1.555556p-2f)},
        {"rcp.rz.f32", {f(3)}, f(0x1.555554p-2f)},
        {"sqrt.rn.f32", {f(2)}, f(0x1.6a09e6p0f)},
        {"sqrt.rp.f32", {f(2)}, f(0x1.6a09e8p0f)},
        {"sqrt.rm.f32", {f(9)}, f(3)},
        {"sqrt.rn.f32", {f(-1)}, nan},
        {"sqrt.rn.ftz.f32", {0x80000001}, f(-0.0f)},
        {"abs.f32", {f(-2)}, f(2)},
        {"abs.ftz.f32", {0x80000001}, 0},
        {"neg.f32", {f(2)}, f(-2)},
        {"copysign.f32", {f(-1), f(5)}, f(-5)},
        {"min.f32", {f(-0.0f), f(0.0f)}, f(-0.0f)},
        {"min.f32", {f(0.0f), f(-0.0f)}, f(-0.0f)},
        {"max.f32", {f(-0.0f), f(0.0f)}, f(0.0f)},
        {"max.f32", {0x7fc00000, f(3)}, f(3)},
        {"min.f32", {f(3), 0x7fc00000}, f(3)},
        {"min.f32", {0xffc00000, 0x7fc00000}, nan},
        {"max.NaN.f32", {f(3), 0x7fc00000}, nan},
        {"max.xorsign.abs.f32", {f(-3), f(2)}, f(-3)},
        {"min.xorsign.abs.f32", {f(-3), f(-2)}, f(2)},
        {"min.ftz.f32", {least, f(3)}, 0},
        {"min.f32", {f(3), f(2), f(-4)}, f(-4)},
        {"testp.finite.f32", {f(inf)}, 0},
        {"testp.infinite.f32", {f(-inf)}, 1},
        {"testp.number.f32", {nan}, 0},
        {"testp.notanumber.f32", {nan}, 1},
        {"testp.normal.f32", {f(1)}, 1},
        {"testp.subnormal.f32", {least}, 1},
    };
    check_all(cases);
}

TEST_CASE("f64 arithmetic") {
    const Case cases[] = {
        {"add.f64", {d(1), d(0x1p-53)}, d(1)},
        {"add.rp.f64", {d(1), d(0x1p-1074)}, d(0x1.0000000000001p0)},
        {"add.rz.f64", {d(-1), d(0x1p-1074)}, d(-0x1.fffffffffffffp-1)},
        {"add.rm.f64", {d(5), d(-5)}, d(-0.0)},
        {"sub.f64", {d(1), d(4)}, d(-3)},
        {"mul.rz.f64", {d(0x1.fffffffffffffp1023), d(2)}, d(0x1.fffffffffffffp1023)},
        {"mul.rp.f64", {d(0x1p-600), d(0x1p-600)}, 1},
        {"mul.rm.f64", {d(0x1p-600), d(0x1p-600)}, 0},
        {"fma.rn.f64", {d(2), d(3), d(-10)}, d(-4)},
        {"fma.rp.f64", {d(0x1p-600), d(0x1p-600), d(1)}, d(0x1.0000000000001p0)},
        {"div.rn.f64", {d(1), d(3)}, d(1.0 / 3)},
        {"div.rp.f64", {d(1), d(3)}, d(0x1.5555555555556p-2)},
        {"div.rm.f64", {d(1), d(3)}, d(0x1.5555555555555p-2)},
        {"div.rz.f64", {d(0x1p1023), d(0x1p-1000)}, d(0x1.fffffffffffffp1023)},
        {"rcp.rz.f64", {d(3)}, d(0x1.5555555555555p-2)},
        {"sqrt.rp.f64", {d(2)}, d(0x1.6a09e667f3bcdp0)},
        {"sqrt.rm.f64", {d(2)}, d(0x1.6a09e667f3bccp0)},
        {"min.f64", {d(-0.0), d(0.0)}, d(-0.0)},
        {"max.f64", {d(std::nan("")), d(2)}, d(2)},
        {"abs.f64", {d(-2)}, d(2)},
        {"neg.f64", {d(-2)}, d(2)},
    };
    check_all(cases);
}

// An operation under the processor's own rounding mode, which the emulator never sets.
template <class F>
F under(int mode, F (*op)(F, F, F), F a, F b, F c) {
    volatile F x = a, y = b, z = c;
    std::fesetround(mode);
    volatile F r = op(x, y, z);
    std::fesetround(FE_TONEAREST);
    return r;
}
template <class F>
F __attribute__((noinline)) sum(F a, F b, F) {
    return a + b;
}
template <class F>
F __attribute__((noinline)) product(F a, F b, F) {
    return a * b;
}
template <class F>
F __attribute__((noinline)) fused(F a, F b, F c) {
    return std::fma(a, b, c);
}
template <class F>
F __attribute__((noinline)) quotient(F a, F b, F) {
    return a / b;
}
template <class F>
F __attribute__((noinline)) root(F a, F, F) {
    return std::sqrt(a);
}

template <class F, class Bits>
void compare_with_processor(const std::string& type) {
    struct Direction {
        const char* name;
        int mode;
    };
    struct Operation {
        const char* name;
        F (*op)(F, F, F);
        int operands;
    };
    const Direction directions[] = {
        {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
    const Operation operations[] = {{"add", sum<F>, 2},
                                    {"mul", product<F>, 2},
                                    {"fma", fused<F>, 3},
                                    {"div", quotient<F>, 2},
                                    {"sqrt", root<F>, 1}};
    std::mt19937_64 random(3);
    const int exponent_at = sizeof(F) == 4 ? 23 : 52;
    auto number = [&](int spread) {
        // Exponents close together, so that sums cancel and products land near each
        // other.
        const Bits sign_and_fraction =
            Bits(random()) & ~(Bits(sizeof(F) == 4 ? 0xff : 0x7ff) << exponent_at);
        const Bits middle = Bits(sizeof(F) == 4 ? 127 : 1023);
        return std::bit_cast<F>(
            Bits(sign_and_fraction | (middle - spread + Bits(random() % (2 * spread + 1)))
                                         << exponent_at));
    };
    for (const auto& direction : directions)
        for (const auto& operation : operations) {
            OneOp op(std::string(operation.name) + "." + direction.name + "." + type);
            REQUIRE(op.bound());
            for (int round = 0; round < 4000; ++round) {
                const int spread = round % 2 ? 30 : sizeof(F) == 4 ? 126 : 1000;
                F x[3] = {number(spread), number(spread), number(spread)};
                if (operation.operands == 1) x[0] = std::fabs(x[0]);
                for (int k = 0; k < operation.operands; ++k)
                    op.set(k + 1, 4, std::bit_cast<Bits>(x[k]));
                op.run(lane_bit(4));
                const F expected = under(direction.mode, operation.op, x[0], x[1], x[2]);
                CAPTURE(operation.name);
                CAPTURE(direction.name);
                REQUIRE(Bits(op.get(0, 4)) == std::bit_cast<Bits>(expected));
            }
        }
}

TEST_CASE("directed rounding agrees with the processor's own rounding modes") {
    compare_with_processor<float, std::uint32_t>("f32");
    compare_with_processor<double, std::uint64_t>("f64");
}

}  // namespace
}  // namespace emu
