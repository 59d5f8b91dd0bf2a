#pragma once
// Directed rounding without touching the processor's rounding mode.
//
// Each operation is done in a format at least twice as wide (double for f32, binary128
// for f64) and what is still missing is folded into the last bit: "round to odd". A value
// rounded to odd with two or more spare bits rounds to the narrow format as the exact
// value would, in every direction (Boldo and Melquiond, 2008).
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/ops/op.h"

namespace emu {

enum class Rounding : std::uint8_t { nearest, zero, down, up };

inline Rounding rounding_of(const Form& form) {
    if (form.has("rz")) return Rounding::zero;
    if (form.has("rm")) return Rounding::down;
    if (form.has("rp")) return Rounding::up;
    return Rounding::nearest;
}

__extension__ typedef __float128 Quad;
__extension__ typedef unsigned __int128 QuadBits;

template <class F>
struct FloatTraits;
template <>
struct FloatTraits<float> {
    using Bits = std::uint32_t;
    using Wide = double;
};
template <>
struct FloatTraits<double> {
    using Bits = std::uint64_t;
    using Wide = Quad;
};
template <>
struct FloatTraits<Quad> {
    using Bits = QuadBits;
};
template <class F>
using FloatBits = typename FloatTraits<F>::Bits;
template <class F>
using Wider = typename FloatTraits<F>::Wide;

template <class F>
constexpr FloatBits<F> bits_of(F x) {
    return std::bit_cast<FloatBits<F>>(x);
}
template <class F>
constexpr bool is_negative(F x) {
    return bits_of(x) >> (8 * sizeof(F) - 1) != 0;
}
// The neighbour farther from zero, or nearer to it. x is finite; not zero when going
// nearer.
template <class F>
F farther(F x) {
    return std::bit_cast<F>(FloatBits<F>(bits_of(x) + 1));
}
template <class F>
F nearer(F x) {
    return std::bit_cast<F>(FloatBits<F>(bits_of(x) - 1));
}

// `hi` is the exact value rounded to nearest, `lo` has the sign of what is missing.
template <class W>
inline W to_odd(W hi, W lo) {
    const bool inexact = lo < 0 || lo > 0;  // false for NaN: hi is not finite then
    if (!inexact || (bits_of(hi) & 1)) return hi;
    return (lo > 0) == (hi > 0) ? farther(hi) : nearer(hi);
}

template <class F, class W>
inline F narrow(W x, Rounding mode) {
    const F f = F(x);
    const W back = f;
    const bool above = back > x, below = back < x, negative = is_negative(f);
    switch (mode) {
        case Rounding::nearest:
            return f;
        case Rounding::zero:
            return (negative ? below : above) ? nearer(f) : f;
        case Rounding::down:
            return above ? (negative ? farther(f) : nearer(f)) : f;
        case Rounding::up:
            return below ? (negative ? nearer(f) : farther(f)) : f;
    }
    return f;
}

// x + y in the wide format, rounded to odd; the error of a sum is a number of the format
// (Knuth's two-sum), and neither overflow nor underflow is near.
template <class W>
inline W sum_to_odd(W x, W y) {
    const W s = x + y, t = s - x;
    return to_odd(s, W((x - (s - t)) + (y - t)));
}

// An exact zero from a sum of unlike signs is -0 when rounding down, else +0 (IEEE
// 754 6.3).
template <class F, class W>
inline F rounded_sum(W x, W y, Rounding mode) {
    const F f = narrow<F>(sum_to_odd(x, y), mode);
    if (mode == Rounding::down && x + y == 0 && (is_negative(x) || is_negative(y)))
        return -F(0);
    return f;
}

template <class F>
inline F rounded_add(F a, F b, Rounding mode) {
    return rounded_sum<F, Wider<F>>(a, b, mode);
}
template <class F>
inline F rounded_mul(F a, F b, Rounding mode) {
    return narrow<F>(Wider<F>(a) * Wider<F>(b), mode);  // the product is exact
}
template <class F>
inline F rounded_fma(F a, F b, F c, Rounding mode) {
    return rounded_sum<F, Wider<F>>(Wider<F>(a) * Wider<F>(b), c, mode);
}

// The quotient with its low bits cut off, so that quotient * b is exact in the wide
// format and the remainder a - quotient * b too: its sign is what is missing.
template <class F>
inline F rounded_div(F a, F b, Rounding mode) {
    using W = Wider<F>;
    constexpr int cut = sizeof(F) == 4 ? 26 : 53;  // keeps 27 and 60 bits of the quotient
    const W q = W(a) / W(b);
    if (!(q - q == 0) || q == 0) return F(q);
    const W kept = std::bit_cast<W>(FloatBits<W>(bits_of(q) >> cut << cut));
    const W rest = W(a) - kept * W(b);
    return narrow<F>(to_odd(kept, b < 0 ? -rest : rest), mode);
}

// std::sqrt rounds to nearest; s * s is exact in the wide format.
template <class F>
inline F rounded_sqrt(F a, Rounding mode) {
    using W = Wider<F>;
    const F s = std::sqrt(a);
    if (!(s - s == 0) || s == 0) return s;
    const W rest = W(a) - W(s) * W(s);
    return narrow<F>(to_odd(W(s), rest), mode);
}

}  // namespace emu
