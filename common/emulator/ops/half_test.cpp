#include "emulator/ops/half.h"

#include <cmath>
#include <vector>

#include "emulator/ops/one_op.h"
#include "emulator/ops/rounding.h"

namespace emu {
namespace {

// A half's value by its definition, without the code under test.
double value_of(unsigned bits, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = int(bits >> fraction_bits & ((1u << exponent_bits) - 1));
    const double fraction = bits & ((1u << fraction_bits) - 1);
    const double sign = bits & 0x8000u ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(fraction + std::ldexp(1.0, fraction_bits),
                             exponent - bias - fraction_bits);
}
double f16_value(unsigned bits) { return value_of(bits, 5, 10); }
double bf16_value(unsigned bits) { return value_of(bits, 8, 7); }

// Nearest of all halves, ties to even, by search in the ordered list of positive ones.
unsigned nearest(double x, double (*value)(unsigned), unsigned infinity) {
    if (x != x) return 0x7fffu;
    const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
    x = std::fabs(x);
    unsigned low = 0, high = infinity;
    while (high - low > 1) (value((low + high) / 2) <= x ? low : high) = (low + high) / 2;
    const double below = value(low);
    // Above the greatest number the next step of the grid takes infinity's place.
    const double above =
        high == infinity ? below + (below - value(low - 1)) : value(high);
    if (x - below < above - x) return sign | low;
    if (x - below > above - x) return sign | high;
    return sign | (low & 1u ? high : low);
}

TEST_CASE("every half converts to float as its definition says") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float a = to_float(F16{std::uint16_t(bits)}),
                    b = to_float(BF16{std::uint16_t(bits)});
        if (f16_value(bits) != f16_value(bits))
            REQUIRE(a != a);
        else
            REQUIRE(std::bit_cast<std::uint64_t>(double(a)) ==
                    std::bit_cast<std::uint64_t>(f16_value(bits)));
        if (bf16_value(bits) != bf16_value(bits))
            REQUIRE(b != b);
        else
            REQUIRE(double(b) == bf16_value(bits));
    }
}

TEST_CASE(
    "floats round to the nearest half: every half, every midpoint, and beside them") {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const float here = to_float(F16{std::uint16_t(bits)});
        const float next =
            bits + 1 == 0x7c00 ? 65536.0f : to_float(F16{std::uint16_t(bits + 1)});
        const float middle = (here + next) / 2;
        for (float x :
             {here, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
            REQUIRE(to_half<F16>(x).bits == nearest(x, f16_value, 0x7c00));
            REQUIRE(to_half<F16>(-x).bits == nearest(-double(x), f16_value, 0x7c00));
        }
    }
    for (unsigned bits = 0; bits < 0x7f80; bits += 7) {
        const float here = to_float(BF16{std::uint16_t(bits)});
        const float middle = std::bit_cast<float>((bits << 16) + 0x8000u);
        for (float x : {here, middle, std::nextafter(middle, 0.0f),
                        std::nextafter(middle, INFINITY)})
            REQUIRE(to_half<BF16>(x).bits == nearest(x, bf16_value, 0x7f80));
    }
    CHECK(to_half<F16>(NAN).bits == 0x7fff);
    CHECK(to_half<F16>(-INFINITY).bits == 0xfc00);
    CHECK(to_half<F16>(1e-20f).bits == 0);
    CHECK(to_half<BF16>(-INFINITY).bits == 0xff80);
    CHECK(to_half<BF16>(std::numeric_limits<float>::max()).bits == 0x7f80);
}

// One rounding of the exact result. Binary128 holds products of halves exactly; what a
// sum loses there still decides ties.
template <class H>
unsigned exact(const std::string& op, double a, double b, double c) {
    const Quad p = op == "add" ? Quad(a) + b : op == "sub" ? Quad(a) - b : Quad(a) * b;
    const Quad z = op == "fma" ? Quad(c) : 0, r = op == "fma" ? p + z : p;
    const Quad size_p = p < 0 ? -p : p, size_z = z < 0 ? -z : z;
    const Quad lost = size_p >= size_z ? z - (r - p) : p - (r - z);
    const double near = double(r), rest = double(r - near);
    const double odd = to_odd(near, rest != 0  ? rest
                                    : lost > 0 ? 1.0
                                    : lost < 0 ? -1.0
                                               : 0.0);
    return nearest(odd, std::is_same_v<H, F16> ? f16_value : bf16_value,
                   std::is_same_v<H, F16> ? 0x7c00u : 0x7f80u);
}

template <class H>
void compare_with_exact(const std::string& type, double (*value)(unsigned)) {
    std::mt19937 random(17);
    for (const std::string name : {"add", "sub", "mul", "fma"}) {
        OneOp op(name + (name == "fma" ? ".rn." : ".") + type);
        REQUIRE(op.bound());
        for (int round = 0; round < 30000; ++round) {
            // Exponents near one another in two of three rounds.
            auto number = [&] {
                const unsigned bits = random() & 0xffffu;
                return round % 3 == 0 ? bits : (bits & 0x8fffu) | 0x3000u;
            };
            const unsigned a = number(), b = number(), c = number();
            op.set(1, 3, a), op.set(2, 3, b);
            if (name == "fma") op.set(3, 3, c);
            op.run(lane_bit(3));
            CAPTURE(name);
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(c);
            REQUIRE(op.get(0, 3) == exact<H>(name, value(a), value(b), value(c)));
        }
    }
}

TEST_CASE("half arithmetic rounds once") {
    compare_with_exact<F16>("f16", f16_value);
    compare_with_exact<BF16>("bf16", bf16_value);
}

TEST_CASE("half arithmetic: pairs, modifiers, signs, minima, functions") {
    const Case cases[] = {
        {"add.f16x2", {0x3c00'4000, 0x4000'c200}, 0x4200'bc00},   // {1, 2} + {2, -3}
        {"mul.bf16x2", {0x4000'3f80, 0x4040'c000}, 0x40c0'c000},  // {2, 1} * {3, -2}
        {"fma.rn.f16x2", {0x4000'3c00, 0x4200'4000, 0x3c00'bc00}, 0x4700'3c00},
        // 1.0078125 * 1.0078125 + 2^-60: just above a tie that would go to even.
        {"fma.rn.bf16", {0x3f88, 0x3f88, 0x2180}, 0x3f91},
        {"fma.rn.relu.f16", {0xc000, 0x3c00, 0x3c00}, 0},
        {"fma.rn.relu.f16", {0x7e00, 0x3c00, 0x3c00}, 0x7fff},
        {"fma.rn.sat.f16", {0x4000, 0x4000, 0x3c00}, 0x3c00},
        {"add.sat.f16", {0x7e00, 0x3c00}, 0},
        {"add.f16", {0x7bff, 0x7bff}, 0x7c00},
        {"add.ftz.f16", {0x0001, 0x0001}, 0},
        {"add.f16", {0x0001, 0x0001}, 0x0002},
        {"neg.f16x2", {0x3c00'bc00}, 0xbc00'3c00},
        {"abs.bf16", {0xbf80}, 0x3f80},
        {"min.f16", {0x8000, 0x0000}, 0x8000},
        {"max.f16", {0x7e00, 0x3c00}, 0x3c00},
        {"max.NaN.f16", {0x7e00, 0x3c00}, 0x7fff},
        {"min.f16x2", {0x3c00'4000, 0xbc00'4200}, 0xbc00'4000},
        {"max.xorsign.abs.bf16", {0xc040, 0x4000}, 0xc040},
        {"ex2.approx.f16", {0x4200}, 0x4800},
        {"ex2.approx.ftz.bf16", {0xbf80}, 0x3f00},
        {"tanh.approx.f16x2", {0x7c00'0000}, 0x3c00'0000},
    };
    check_all(cases);
}

}  // namespace
}  // namespace emu
