#pragma once
// sin, 2^x, log2, tanh of a float in double arithmetic: no branches, no library whose
// last bits differ between versions. Each series is cut where the next term is below
// 2^-36 of the result. Built without contraction (-ffp-contract=off).
#include <bit>
#include <cmath>
#include <cstdint>

namespace emu {

// c[0] + c[1] x + c[2] x^2 + ...
template <int n>
inline double polynomial(const double (&c)[n], double x) {
    double sum = c[n - 1];
    for (int k = n - 2; k >= 0; --k) sum = sum * x + c[k];
    return sum;
}

inline double two_to_the(double x) {
    // Taylor of e^(f ln 2), |f| <= 1/2: ln(2)^k / k!
    constexpr double c[] = {1.0,
                            0x1.62e42fefa39efp-1,
                            0x1.ebfbdff82c58fp-3,
                            0x1.c6b08d704a0cp-5,
                            0x1.3b2ab6fba4e77p-7,
                            0x1.5d87fe78a6731p-10,
                            0x1.430912f86c787p-13,
                            0x1.ffcbfc588b0c7p-17,
                            0x1.62c0223a5c824p-20,
                            0x1.b5253d395e7c4p-24};
    const double bounded = x < -1000.0 ? -1000.0 : x > 1000.0 ? 1000.0 : x;
    const double whole = std::rint(bounded);
    const double power = polynomial(c, bounded - whole);
    // 1.5 * 2^52 puts the whole number into the low bits of the mantissa.
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(whole + 0x1.8p52) + 1023u;
    return power * std::bit_cast<double>(biased << 52);
}
inline float exp2_of(float x) { return x == x ? float(two_to_the(x)) : x; }

inline float log2_of(float x) {
    // log2((1 + s) / (1 - s)) = 2 / ln 2 (s + s^3 / 3 + ...), |s| <= 0.1716
    constexpr double c[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7, 1.0 / 9,
                            1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17};
    constexpr double scale = 0x1.71547652b82fep+1;  // 2 / ln 2
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(double(x));
    // Mantissa from sqrt(1/2) to sqrt(2): subtracting sqrt(1/2)'s bits carries into the
    // exponent.
    const std::uint64_t shifted = bits - 0x3fe6a09e667f3bcdu;
    const std::int64_t exponent = std::int64_t(shifted) >> 52;
    const double m = std::bit_cast<double>(bits - (std::uint64_t(exponent) << 52));
    const double s = (m - 1.0) / (m + 1.0);
    const double value = double(exponent) + scale * s * polynomial(c, s * s);
    const float infinity = std::bit_cast<float>(0x7f800000u);
    return x > 0.0f    ? (x < infinity ? float(value) : x)
           : x == 0.0f ? -infinity
                       : std::bit_cast<float>(0x7fffffffu);
}

// sin(x + quarters pi/2). Far out, where a float's neighbours are radians apart and the
// manual promises nothing, the reduced angle is kept small so that results stay in [-1,
// 1].
inline float sine(float x, int quarters) {
    constexpr double odd[] = {1.0,          -1.0 / 6,        1.0 / 120,       -1.0 / 5040,
                              1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800};
    constexpr double even[] = {
        1.0,         -1.0 / 2,       1.0 / 24,        -1.0 / 720,
        1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200};
    const double quotient = std::rint(double(x) * 0x1.45f306dc9c883p-1);  // 2 / pi
    const double near = std::fma(quotient, -0x1.921fb54442d18p+0, double(x));
    const double rest =
        std::fma(quotient, -0x1.1a62633145c07p-54, near);  // pi / 2 in two
    const double r = std::fabs(rest) <= 1.0 ? rest : rest == rest ? 0.0 : rest;
    const double turn = quotient + quarters;
    const double quarter = turn - 4.0 * std::floor(turn * 0.25);
    const double of_sine = r * polynomial(odd, r * r),
                 of_cosine = polynomial(even, r * r);
    const double value = quarter == 1.0 || quarter == 3.0 ? of_cosine : of_sine;
    const float signed_value = float(quarter >= 2.0 ? -value : value);
    return x == 0.0f && quarters == 0 ? x : signed_value;  // the sine of -0 is -0
}

// Near zero tanh(x) = x - x^3/3, elsewhere (t - 1) / (t + 1) with t = e^2x.
inline float tanh_of(float x) {
    const double t = two_to_the(x * 0x1.71547652b82fep+1);  // 2 / ln 2
    const double far = (t - 1.0) / (t + 1.0);
    const double bounded = x > 20.0f ? 1.0 : x < -20.0f ? -1.0 : far;
    const double tiny = x - x * double(x) * x / 3.0;
    const double value = std::fabs(x) < 0x1p-10f ? tiny : bounded;
    return x == x ? float(value) : x;
}

}  // namespace emu
