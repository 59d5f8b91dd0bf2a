#pragma once
// One value from any numeric type to any other, by the manual's rules: exact, and slow.
// PTX ISA 9.0, section 9.7.9, cvt. ops/convert.cpp has loops of its own for what is
// common.
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/ops/half.h"
#include "emulator/ops/rounding.h"

namespace emu {

// What a cvt asks for; fits Inst::imm.
struct Conversion {
    ptx::Type to = ptx::Type::none, from = ptx::Type::none;
    Rounding rounding = Rounding::nearest;
    bool integral : 1 = false;  // .rni .rzi .rmi .rpi
    bool away : 1 = false;      // .rna: to nearest, ties away from zero
    bool ftz : 1 = false, sat : 1 = false, relu : 1 = false, finite : 1 = false;
    bool wide_to : 1 = false, wide_from : 1 = false;
};

inline std::uint64_t imm_of(const Conversion& how) {
    std::uint64_t imm = 0;
    std::memcpy(&imm, &how, sizeof how);
    return imm;
}
inline Conversion conversion_in(std::uint64_t imm) {
    Conversion how;
    std::memcpy(static_cast<void*>(&how), &imm, sizeof how);
    return how;
}

__extension__ typedef __int128 Integer;  // holds every integer of 64 bits, signed or not

template <class F>
F round_to_integral(F x, Rounding mode) {
    switch (mode) {
        case Rounding::nearest:
            return std::rint(x);
        case Rounding::zero:
            return std::trunc(x);
        case Rounding::down:
            return std::floor(x);
        case Rounding::up:
            return std::ceil(x);
    }
    return x;
}

// Float to integer saturates always; NaN gives 0, or the lowest signed value's pattern
// where either side has 64 bits.
template <class F, class D>
inline D to_integer(F x, Rounding mode) {
    constexpr bool long_side = sizeof(F) == 8 || sizeof(D) == 8;
    constexpr D of_nan = long_side ? D(std::uint64_t(1) << (8 * sizeof(D) - 1)) : D(0);
    constexpr D least = std::numeric_limits<D>::min(),
                most = std::numeric_limits<D>::max();
    constexpr F above = F(most / 2 + 1) * 2, below = F(least);  // both exact
    const F whole = round_to_integral(x, mode);
    const bool inside = whole >= below && whole < above;
    const D value = D(inside ? whole : F(0));
    return inside ? value : x != x ? of_nan : x < 0 ? least : most;
}

// A double, already odd-rounded if it stands for more digits, to 16 bits in any
// direction.
template <class H>
inline H narrow_half(double x, Rounding mode) {
    H h = half_from<H>(x);
    const double back = to_float(h);
    const bool above = back > x, below = back < x, negative = h.bits & 0x8000u;
    const bool too_far = mode == Rounding::zero   ? (negative ? below : above)
                         : mode == Rounding::down ? above && !negative
                         : mode == Rounding::up   ? below && negative
                                                  : false;
    const bool too_near = mode == Rounding::down ? above && negative
                          : mode == Rounding::up ? below && !negative
                                                 : false;
    h.bits = std::uint16_t(h.bits + too_near - too_far);
    return h;
}

// f32 with 10 bits of fraction.
inline float to_tf32(float x, const Conversion& how) {
    const std::uint32_t bits = bits_of(x);
    const std::uint32_t half = how.away ? 0x1000u
                               : how.rounding == Rounding::zero
                                   ? 0u
                                   : 0xfffu + (bits >> 13 & 1u);
    std::uint32_t kept = (bits + half) & ~0x1fffu;
    const bool finite = (bits & 0x7fffffffu) < 0x7f800000u;
    if (how.finite && (kept & 0x7fffffffu) == 0x7f800000u && finite)
        kept = (kept & 0x80000000u) | 0x7f7fe000u;
    if (how.relu && bits >> 31) kept = 0;
    return std::bit_cast<float>(x != x ? f32_nan : kept);
}

// The value in a lane, 64 bits wide, as `how.to`, extended to 64 bits.
std::uint64_t convert(std::uint64_t bits, const Conversion& how);

// .sat, .relu and .satfinite of a 16-bit result.
template <class H>
inline H finished_half(H h, const Conversion& how) {
    constexpr std::uint16_t infinity = std::is_same_v<H, F16> ? 0x7c00u : 0x7f80u;
    const bool negative = h.bits & 0x8000u, is_nan = (h.bits & 0x7fffu) > infinity;
    if (is_nan) return {how.sat ? std::uint16_t(0) : half_nan};
    if (how.finite && (h.bits & 0x7fffu) == infinity) h.bits = std::uint16_t(h.bits - 1u);
    if ((how.sat || how.relu) && negative) h.bits = 0;
    if (how.sat && h.bits > H::one) h.bits = H::one;
    return h;
}

}  // namespace emu
