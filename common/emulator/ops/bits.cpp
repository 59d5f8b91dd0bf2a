// Integer ops that look at single bits or bytes: counts, searches, fields, dot products;
// and products of 24 bits. PTX ISA 9.0, section 9.7.1.
#include <bit>

#include "emulator/ops/bind.h"

namespace emu {
namespace {

using u8 = std::uint8_t; using s8 = std::int8_t; using u16 = std::uint16_t;
using s16 = std::int16_t; using u32 = std::uint32_t; using s32 = std::int32_t;
using u64 = std::uint64_t; using s64 = std::int64_t;

template <class T> constexpr int width = 8 * int(sizeof(T));
template <class T> constexpr T ones = T(~T(0));

// The low n bits, n from 0 to the width of T.
template <class T> constexpr T low_bits(u32 n) {
    return n == 0 ? T(0) : T(ones<T> >> (width<T> - n));
}
// Byte k of a register, sign- or zero-extended.
template <class T> constexpr s32 byte_of(u32 x, int k) { return T(x >> (8 * k)); }

struct Popc {
    template <class T>
    u32 operator()(T a) const {
        return u32(std::popcount(a));
    }
};
struct Clz {
    template <class T>
    u32 operator()(T a) const {
        return u32(std::countl_zero(a));
    }
};
struct Brev {
    u32 operator()(u32 a) const {
        a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
        a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
        a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
        return __builtin_bswap32(a);
    }
    u64 operator()(u64 a) const {
        return u64((*this)(u32(a))) << 32 | (*this)(u32(a >> 32));
    }
};

// Position of the highest bit that is not a copy of the sign; all ones where there is
// none.
template <bool shift_amount> struct Bfind {
    template <class T> u32 operator()(T a) const {
        using U = std::make_unsigned_t<T>;
        const U x = a < 0 ? U(~U(a)) : U(a);
        const u32 zeros = u32(std::countl_zero(x));
        return x == 0 ? ones<u32> : shift_amount ? zeros : u32(width<T> - 1) - zeros;
    }
};

// The offset-th set bit of mask, counted from `base`: upwards, itself included, where the
// offset is positive, downwards where it is negative; is bit `base` set for offset 0.
struct Fns {
    u32 operator()(u32 mask, u32 base, s32 offset) const {
        if (base > 31) return ones<u32>;
        if (offset == 0) return mask >> base & 1u ? base : ones<u32>;
        const int step = offset > 0 ? 1 : -1;
        s64 left = offset > 0 ? offset : -s64(offset);
        for (int at = int(base); at >= 0 && at < 32; at += step)
            if ((mask >> at & 1u) && --left == 0) return u32(at);
        return ones<u32>;
    }
};

struct Bfe {
    template <class T> T operator()(T a, u32 b, u32 c) const {
        using U = std::make_unsigned_t<T>;
        const u32 at = b & 0xffu, length = c & 0xffu;
        constexpr u32 top = width<T> - 1;
        const u32 kept = length < width<T> ? length : u32(width<T>);
        const U field = at > top ? U(0) : U(U(a) >> (at & top));
        const U mask = low_bits<U>(kept);
        if constexpr (std::is_unsigned_v<T>) return field & mask;
        // What lies above the field, or above the register, is its sign.
        const u32 last = at + length - 1u < top ? at + length - 1u : top;
        const bool negative = length != 0 && (U(a) >> last & 1u);
        const u32 held = at > top ? 0u : kept < top + 1u - at ? kept : top + 1u - at;
        const U value = field & low_bits<U>(held);
        return T(negative ? U(value | ~low_bits<U>(held)) : value);
    }
};

struct Bfi {
    template <class T> T operator()(T a, T b, u32 c, u32 d) const {
        const u32 at = c & 0xffu, length = d & 0xffu;
        constexpr u32 all = width<T>;
        if (at >= all || length == 0) return b;
        const T mask = T(low_bits<T>(length < all ? length : all) << at);
        return T((b & ~mask) | (T(a << at) & mask));
    }
};

// Sign- or zero-extends the low b bits.
template <bool wraps> struct Szext {
    template <class T> T operator()(T a, u32 b) const {
        const u32 n = wraps ? b & 31u : b < 32u ? b : 32u;
        const u32 value = u32(a) & low_bits<u32>(n);
        const bool negative =
            std::is_signed_v<T> && n != 0 && (u32(a) >> ((n - 1u) & 31u) & 1u);
        return T(negative ? value | ~low_bits<u32>(n) : value);
    }
};
// b ones from bit a upwards.
template <bool wraps> struct Bmsk {
    u32 operator()(u32 a, u32 b) const {
        const u32 at = wraps ? a & 31u : a, length = wraps ? b & 31u : b < 32u ? b : 32u;
        return at > 31u ? 0u : low_bits<u32>(length) << (at & 31u);
    }
};

template <class A, class B> struct Dp4a {
    u32 operator()(u32 a, u32 b, u32 c) const {
        s32 sum = 0;
        for (int k = 0; k < 4; ++k) sum += byte_of<A>(a, k) * byte_of<B>(b, k);
        return c + u32(sum);
    }
};
// Two 16-bit values with the lower or upper two bytes of b.
template <class A, class B, bool upper> struct Dp2a {
    u32 operator()(u32 a, u32 b, u32 c) const {
        constexpr int from = upper ? 2 : 0;
        const s64 low = s64(A(a)) * byte_of<B>(b, from);
        const s64 high = s64(A(a >> 16)) * byte_of<B>(b, from + 1);
        return c + u32(low + high);
    }
};

// ---- products of 24 bits --------------------------------------------------------------
// Sign- or zero-extended low 24 bits.
constexpr s64 low24(s32 x) { return s32(u32(x) << 8) >> 8; }
constexpr s64 low24(u32 x) { return x & 0xffffffu; }
template <class T> constexpr T low24_product(T a, T b, bool hi) {
    return T((low24(a) * low24(b)) >> (hi ? 16 : 0));
}

template <bool hi> struct Mul24 {
    template <class T> T operator()(T a, T b) const { return low24_product(a, b, hi); }
};
template <bool hi> struct Mad24 {
    template <class T> T operator()(T a, T b, T c) const {
        return T(u32(low24_product(a, b, hi)) + u32(c));
    }
};
struct Mad24HiSat {
    s32 operator()(s32 a, s32 b, s32 c) const {
        const s64 sum = s64(low24_product(a, b, true)) + c;
        return s32(std::clamp(sum, s64(INT32_MIN), s64(INT32_MAX)));
    }
};

Bound bind_mul24(const Form& form) {
    if (form.has("hi")) return binary_of<Mul24<true>, u32, s32>(form.type());
    return form.has("lo") ? binary_of<Mul24<false>, u32, s32>(form.type()) : Bound{};
}
Bound bind_mad24(const Form& form) {
    if (form.has("sat")) return ternary_of<Mad24HiSat, s32>(form.type());
    if (form.has("hi")) return ternary_of<Mad24<true>, u32, s32>(form.type());
    return form.has("lo") ? ternary_of<Mad24<false>, u32, s32>(form.type()) : Bound{};
}

// ---- choosing -------------------------------------------------------------------------
template <class F>
Bound bind_count(const Form& form) {
    if (form.type() == ptx::Type::b32) return {each<F, u32, u32>};
    return form.type() == ptx::Type::b64 ? Bound{each<F, u32, u64>} : Bound{};
}
Bound bind_brev(const Form& form) { return unary_of<Brev, u32, u64>(form.type()); }

template <bool shift_amount>
Run bfind_run(ptx::Type type) {
    using F = Bfind<shift_amount>;
    switch (type) {
        case ptx::Type::u32: return each<F, u32, u32>;
        case ptx::Type::s32: return each<F, u32, s32>;
        case ptx::Type::u64: return each<F, u32, u64>;
        case ptx::Type::s64: return each<F, u32, s64>;
        default: return nullptr;
    }
}
Bound bind_bfind(const Form& form) {
    return {form.has("shiftamt") ? bfind_run<true>(form.type())
                                 : bfind_run<false>(form.type())};
}
Bound bind_fns(const Form&) { return {each<Fns, u32, u32, u32, s32>}; }
Bound bind_bfe(const Form& form) {
    switch (form.type()) {
        case ptx::Type::u32: return {each<Bfe, u32, u32, u32, u32>};
        case ptx::Type::s32: return {each<Bfe, s32, s32, u32, u32>};
        case ptx::Type::u64: return {each<Bfe, u64, u64, u32, u32>};
        case ptx::Type::s64: return {each<Bfe, s64, s64, u32, u32>};
        default: return {};
    }
}
Bound bind_bfi(const Form& form) {
    if (form.type() == ptx::Type::b32) return {each<Bfi, u32, u32, u32, u32, u32>};
    return form.type() == ptx::Type::b64 ? Bound{each<Bfi, u64, u64, u64, u32, u32>}
                                         : Bound{};
}
template <bool wraps>
Run szext_run(ptx::Type type) {
    if (type == ptx::Type::u32) return each<Szext<wraps>, u32, u32, u32>;
    return type == ptx::Type::s32 ? Run(each<Szext<wraps>, s32, s32, u32>) : nullptr;
}
Bound bind_szext(const Form& form) {
    return {form.has("wrap") ? szext_run<true>(form.type())
                             : szext_run<false>(form.type())};
}
Bound bind_bmsk(const Form& form) {
    if (form.has("wrap")) return {each<Bmsk<true>, u32, u32, u32>};
    return {each<Bmsk<false>, u32, u32, u32>};
}

template <template <class, class> class F, class SignedA, class SignedB>
Bound dot_of(const Form& form) {
    using A = std::make_unsigned_t<SignedA>;
    using B = std::make_unsigned_t<SignedB>;
    const bool a = is_signed(form.type(0)), b = is_signed(form.type(1));
    if (a && b) return {each<F<SignedA, SignedB>, u32, u32, u32, u32>};
    if (a) return {each<F<SignedA, B>, u32, u32, u32, u32>};
    if (b) return {each<F<A, SignedB>, u32, u32, u32, u32>};
    return {each<F<A, B>, u32, u32, u32, u32>};
}
template <class A, class B> using Dp2aLow = Dp2a<A, B, false>;
template <class A, class B> using Dp2aHigh = Dp2a<A, B, true>;

Bound bind_dp4a(const Form& form) { return dot_of<Dp4a, s8, s8>(form); }
Bound bind_dp2a(const Form& form) {
    return form.has("hi") ? dot_of<Dp2aHigh, s16, s8>(form)
                          : dot_of<Dp2aLow, s16, s8>(form);
}

constexpr Op rows[] = {
    {"mul24", "d:T, a:T, b:T", "Integer Arithmetic Instructions: mul24", bind_mul24},
    {"mad24", "d:T, a:T, b:T, c:T", "Integer Arithmetic Instructions: mad24", bind_mad24},
    {"popc", "d:u32, a:T", "Integer Arithmetic Instructions: popc", bind_count<Popc>},
    {"clz", "d:u32, a:T", "Integer Arithmetic Instructions: clz", bind_count<Clz>},
    {"bfind", "d:u32, a:T", "Integer Arithmetic Instructions: bfind", bind_bfind},
    {"fns", "d:b32, mask:b32, base:b32, offset:s32",
     "Integer Arithmetic Instructions: fns", bind_fns},
    {"brev", "d:T, a:T", "Integer Arithmetic Instructions: brev", bind_brev},
    {"bfe", "d:T, a:T, b:u32, c:u32", "Integer Arithmetic Instructions: bfe", bind_bfe},
    {"bfi", "f:T, a:T, b:T, c:u32, d:u32", "Integer Arithmetic Instructions: bfi",
     bind_bfi},
    {"szext", "d:T, a:T, b:u32", "Integer Arithmetic Instructions: szext", bind_szext},
    {"bmsk", "d:b32, a:u32, b:u32", "Integer Arithmetic Instructions: bmsk", bind_bmsk},
    {"dp4a", "d:b32, a:b32, b:b32, c:b32", "Integer Arithmetic Instructions: dp4a",
     bind_dp4a},
    {"dp2a", "d:b32, a:b32, b:b32, c:b32", "Integer Arithmetic Instructions: dp2a",
     bind_dp2a},
};

}  // namespace

const std::span<const Op> bit_ops = rows;

}  // namespace emu
