#pragma once
// 16-bit floats in software: f16 (5 bits of exponent) and bf16 (8). Every step is integer
// or float arithmetic without branches, so that loops over lanes vectorise, and the same
// on every machine.
#include <bit>
#include <cmath>
#include <cstdint>

#include "emulator/ptx/program.h"

namespace emu {

constexpr std::uint32_t f32_nan = 0x7fffffffu;  // the NaN that single precision gives
constexpr std::uint16_t half_nan = 0x7fffu;     // and the 16-bit formats

// As a lane type: the low half of a 4-byte slot.
struct F16 {
    std::uint16_t bits;
    static constexpr bool is(ptx::Type type) { return type == ptx::Type::f16; }
    static constexpr std::uint16_t one = 0x3c00u, least_normal = 0x0400u;
};
struct BF16 {
    std::uint16_t bits;
    static constexpr bool is(ptx::Type type) { return type == ptx::Type::bf16; }
    static constexpr std::uint16_t one = 0x3f80u, least_normal = 0x0080u;
};

inline float to_float(BF16 h) {
    return std::bit_cast<float>(std::uint32_t(h.bits) << 16);
}

// The exponent is moved by 112; f16 subnormals come out of a float subtraction, exactly.
inline float to_float(F16 h) {
    const std::uint32_t magnitude = h.bits & 0x7fffu, shifted = magnitude << 13;
    const float normal = std::bit_cast<float>(shifted + (112u << 23));
    const float tiny = std::bit_cast<float>(shifted + (113u << 23)) - 0x1p-14f;
    const float special = std::bit_cast<float>(shifted + (224u << 23));
    const float value = magnitude < 0x0400u   ? tiny
                        : magnitude < 0x7c00u ? normal
                                              : special;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) |
                                std::uint32_t(h.bits & 0x8000u) << 16);
}

// To nearest, ties to even. A NaN becomes the canonical one.
template <class H>
H to_half(float x);

template <>
inline BF16 to_half<BF16>(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    return {std::uint16_t(x == x ? rounded : half_nan)};
}

template <>
inline F16 to_half<F16>(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    // Below 2^-14, adding 0.5 makes the float unit round at f16's last subnormal bit.
    const float at_half = std::bit_cast<float>(magnitude) + 0.5f;
    const std::uint32_t tiny = std::bit_cast<std::uint32_t>(at_half) - 0x3f000000u;
    const std::uint32_t normal =
        (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    const std::uint32_t finite = magnitude < 0x38800000u   ? tiny
                                 : magnitude < 0x47800000u ? normal
                                                           : 0x7c00u;
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    return {std::uint16_t(magnitude > 0x7f800000u ? half_nan : sign | finite)};
}

// A double as a float whose last bit also stands for what is lost ("round to odd"): a
// second rounding to 16 bits then gives what one rounding would. See ops/rounding.h.
inline float odd_float(double x) {
    const float f = float(x);
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(f);
    const double back = f;
    const bool adjust = (back < x || back > x) && !(bits & 1u);
    const bool grow = std::fabs(x) > std::fabs(back);
    return std::bit_cast<float>(adjust ? (grow ? bits + 1u : bits - 1u) : bits);
}

template <class H>
H half_from(double x) {
    return to_half<H>(odd_float(x));
}

// The sign-preserving zero in place of a subnormal, for .ftz.
template <class H>
inline H flush_half(H h) {
    const bool subnormal = (h.bits & 0x7fffu) < H::least_normal;
    return {std::uint16_t(subnormal ? h.bits & 0x8000u : h.bits)};
}

inline float flush_float(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

}  // namespace emu
