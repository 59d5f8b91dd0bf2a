// Integer arithmetic: wrap-around, wide products, saturation, carries, division.
// Bit fields and byte dot products are in bits.cpp. PTX ISA 9.0, sections 9.7.1
// and 9.7.2.
//
// Signed overflow wraps in PTX and is undefined in C++: every wrapping op computes in an
// unsigned type of at least 32 bits and converts back.
#include <limits>

#include "emulator/ops/bind.h"

namespace emu {
namespace {

using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
using s16 = std::int16_t;  using s32 = std::int32_t;  using s64 = std::int64_t;
__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

// Unsigned, and not promoted to int.
template <class T>
using Wrap = std::conditional_t<sizeof(T) == 8, u64, u32>;
// Twice the bits, same sign.
template <class T> struct Twice;
template <> struct Twice<u16> { using type = u32; };
template <> struct Twice<s16> { using type = s32; };
template <> struct Twice<u32> { using type = u64; };
template <> struct Twice<s32> { using type = s64; };
template <> struct Twice<u64> { using type = u128; };
template <> struct Twice<s64> { using type = s128; };
template <class T> using Double = typename Twice<T>::type;

template <class T> constexpr T add(T a, T b) { return T(Wrap<T>(a) + Wrap<T>(b)); }
template <class T> constexpr T subtract(T a, T b) { return T(Wrap<T>(a) - Wrap<T>(b)); }
template <class T> constexpr T multiply(T a, T b) { return T(Wrap<T>(a) * Wrap<T>(b)); }
template <class T> constexpr T high(T a, T b) {
    return T(Double<T>(Double<T>(a) * Double<T>(b)) >> (8 * sizeof(T)));
}
constexpr s32 saturate(s64 x) {
    constexpr s64 least = std::numeric_limits<s32>::min(),
                  most = std::numeric_limits<s32>::max();
    return s32(x < least ? least : x > most ? most : x);
}
struct Add { template <class T> T operator()(T a, T b) const { return add(a, b); } };
struct Sub { template <class T> T operator()(T a, T b) const { return subtract(a, b); } };
struct AddSat { s32 operator()(s32 a, s32 b) const { return saturate(s64(a) + b); } };
struct SubSat { s32 operator()(s32 a, s32 b) const { return saturate(s64(a) - b); } };
struct MulLo {
    template <class T>
    T operator()(T a, T b) const {
        return multiply(a, b);
    }
};
struct MulHi { template <class T> T operator()(T a, T b) const { return high(a, b); } };
struct MulWide {
    template <class T> Double<T> operator()(T a, T b) const {
        return Double<T>(a) * Double<T>(b);
    }
};
struct MadLo {
    template <class T>
    T operator()(T a, T b, T c) const {
        return add(multiply(a, b), c);
    }
};
struct MadHi {
    template <class T> T operator()(T a, T b, T c) const { return add(high(a, b), c); }
};
struct MadHiSat {
    s32 operator()(s32 a, s32 b, s32 c) const { return saturate(s64(high(a, b)) + c); }
};
struct MadWide {
    template <class T> Double<T> operator()(T a, T b, Double<T> c) const {
        return add(Double<T>(Double<T>(a) * Double<T>(b)), c);
    }
};
struct Sad {
    template <class T> T operator()(T a, T b, T c) const {
        return add(c, a < b ? subtract(b, a) : subtract(a, b));
    }
};
struct Abs {
    template <class T>
    T operator()(T a) const {
        return a < 0 ? subtract(T(0), a) : a;
    }
};
struct Neg { template <class T> T operator()(T a) const { return subtract(T(0), a); } };
struct Min { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
struct Max { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
template <class F> struct Relu {
    template <class T> T operator()(T a, T b) const { return Max{}(F{}(a, b), T(0)); }
};
// F on both 16-bit halves of a register.
template <class F, class T> struct Halves {
    u32 operator()(u32 a, u32 b) const {
        const T low = F{}(T(a), T(b)), up = F{}(T(a >> 16), T(b >> 16));
        return u32(u16(low)) | u32(u16(up)) << 16;
    }
};

// Division by zero gives all ones, quotient and remainder alike: the manual leaves it
// open, this is what the code that ptxas makes computes. 32-bit quotients are exact in
// double, which vectorises: a fraction is at least 2^-32 away from the next integer.
template <class T> constexpr T quotient(T a, T b) {
    if constexpr (sizeof(T) <= 4) return T(s64(double(a) / double(b)));
    else if constexpr (std::is_signed_v<T>) return b == -1 ? subtract(T(0), a) : a / b;
    else return a / b;
}
struct Div {
    static constexpr bool costly = true;  // with 64 bits
    template <class T> T operator()(T a, T b) const {
        const T q = quotient(a, b == 0 ? T(1) : b);
        return b == 0 ? T(-1) : q;
    }
};
struct Rem {
    static constexpr bool costly = true;
    template <class T> T operator()(T a, T b) const {
        const T by = b == 0 ? T(1) : b;
        const T r = subtract(a, multiply(quotient(a, by), by));
        return b == 0 ? T(-1) : r;
    }
};

// ---- carries --------------------------------------------------------------------------
// Warp::carry holds CC.CF; for subtraction it is the borrow (PTX ISA 9.7.2).
enum class Carry { add, sub, mad_lo, mad_hi };

template <Carry op, class T>
void with_carry(Warp& warp, const Inst& in, LaneMask mask) {
    constexpr bool mad = op == Carry::mad_lo || op == Carry::mad_hi;
    const bool reads = in.imm & 1, writes = in.imm & 2;
    auto* d = lanes<T>(warp, in.slot[0]);
    const auto* a = lanes<T>(warp, in.slot[1]);
    const auto* b = lanes<T>(warp, in.slot[2]);
    const auto* c = mad ? lanes<T>(warp, in.slot[3]) : b;
    using Unsigned = std::make_unsigned_t<T>;
    for_each_lane(mask, [&](int lane) {
        const bool carry_in = reads && has_lane(warp.carry, lane);
        Unsigned x = Unsigned(a[lane]), y = Unsigned(c[lane]);
        if constexpr (op == Carry::mad_lo) x = Unsigned(multiply(a[lane], b[lane]));
        if constexpr (op == Carry::mad_hi) x = Unsigned(high(a[lane], b[lane]));
        Unsigned r;
        bool carry;
        if constexpr (op == Carry::sub) {
            carry = x < y || (carry_in && x == y);
            r = x - y - carry_in;
        } else {
            r = x + y + carry_in;
            carry = r < x || (carry_in && r == x);
        }
        d[lane] = T(r);
        if (writes) warp.carry = (warp.carry & ~lane_bit(lane)) | LaneMask(carry) << lane;
    });
}

template <Carry op>
Bound carry_of(const Form& form, bool reads, bool sign_matters = false) {
    if (!only(form, {"cc", "lo", "hi"})) return {};
    const std::uint64_t imm = reads | (form.has("cc") ? 2u : 0u);
    const ptx::Type type = sign_matters ? form.type() : without_sign(form.type());
    if (is<u32>(type)) return {with_carry<op, u32>, imm};
    if (is<u64>(type)) return {with_carry<op, u64>, imm};
    if (is<s32>(type)) return {with_carry<op, s32>, imm};
    if (is<s64>(type)) return {with_carry<op, s64>, imm};
    return {};
}
template <bool reads>
Bound bind_mad_carry(const Form& form) {
    if (form.has("hi")) return carry_of<Carry::mad_hi>(form, reads, true);
    return form.has("lo") ? carry_of<Carry::mad_lo>(form, reads) : Bound{};
}
Bound bind_addc(const Form& form) { return carry_of<Carry::add>(form, true); }
Bound bind_subc(const Form& form) { return carry_of<Carry::sub>(form, true); }

// ---- choosing -------------------------------------------------------------------------
template <class F, class Sat, Carry with>
Bound bind_sum(const Form& form) {
    if (form.has("cc")) return carry_of<with>(form, false);
    if (!only(form, {"sat"})) return {};
    if (form.has("sat")) return binary_of<Sat, s32>(form.type());
    return binary_of<F, u16, u32, u64>(without_sign(form.type()));
}
template <class F>
Bound bind_signed(const Form& form) {
    return only(form, {}) ? unary_of<F, s16, s32, s64>(form.type()) : Bound{};
}
template <class F>
Bound bind_any(const Form& form) {
    return only(form, {}) ? binary_of<F, u16, u32, u64, s16, s32, s64>(form.type())
                          : Bound{};
}
template <class F>
Bound bind_extreme(const Form& form) {
    if (form.has("relu"))
        return only(form, {"relu"}) ? binary_of<Relu<F>, s32>(form.type()) : Bound{};
    return bind_any<F>(form);
}
template <class F>
Bound bind_halves(const Form& form) {
    if (form.has("s16x2") && form.has("relu"))
        return {each<Halves<Relu<F>, s16>, u32, u32, u32>};
    if (form.has("relu")) return {};
    if (form.has("s16x2")) return {each<Halves<F, s16>, u32, u32, u32>};
    if (form.has("u16x2")) return {each<Halves<F, u16>, u32, u32, u32>};
    return {};
}
Bound bind_mul(const Form& form) {
    if (!only(form, {"lo", "hi"})) return {};
    if (form.has("lo")) return binary_of<MulLo, u16, u32, u64>(without_sign(form.type()));
    if (form.has("hi"))
        return binary_of<MulHi, u16, u32, u64, s16, s32, s64>(form.type());
    return {};
}
Bound bind_mul_wide(const Form& form) {
    if (!form.has("wide")) return {};
    if (is<u16>(form.type())) return {each<MulWide, u32, u16, u16>};
    if (is<s16>(form.type())) return {each<MulWide, s32, s16, s16>};
    if (is<u32>(form.type())) return {each<MulWide, u64, u32, u32>};
    if (is<s32>(form.type())) return {each<MulWide, s64, s32, s32>};
    return {};
}
Bound bind_mad(const Form& form) {
    if (form.has("cc")) return bind_mad_carry<false>(form);
    if (!only(form, {"lo", "hi", "sat"})) return {};
    if (form.has("sat"))
        return form.has("hi") ? ternary_of<MadHiSat, s32>(form.type()) : Bound{};
    if (form.has("lo"))
        return ternary_of<MadLo, u16, u32, u64>(without_sign(form.type()));
    if (form.has("hi"))
        return ternary_of<MadHi, u16, u32, u64, s16, s32, s64>(form.type());
    return {};
}
Bound bind_mad_wide(const Form& form) {
    if (!form.has("wide")) return {};
    if (is<u16>(form.type())) return {each<MadWide, u32, u16, u16, u32>};
    if (is<s16>(form.type())) return {each<MadWide, s32, s16, s16, s32>};
    if (is<u32>(form.type())) return {each<MadWide, u64, u32, u32, u64>};
    if (is<s32>(form.type())) return {each<MadWide, s64, s32, s32, s64>};
    return {};
}
Bound bind_sad(const Form& form) {
    return ternary_of<Sad, u16, u32, u64, s16, s32, s64>(form.type());
}

constexpr Op arithmetic[] = {
    {"add", "d:T, a:T, b:T", "Integer Arithmetic Instructions: add",
     bind_sum<Add, AddSat, Carry::add>},
    {"add", "d:b32, a:b32, b:b32", "Integer Arithmetic Instructions: add",
     bind_halves<Add>},
    {"sub", "d:T, a:T, b:T", "Integer Arithmetic Instructions: sub",
     bind_sum<Sub, SubSat, Carry::sub>},
    {"sub", "d:b32, a:b32, b:b32", "Integer Arithmetic Instructions: sub",
     bind_halves<Sub>},
    {"mul", "d:T, a:T, b:T", "Integer Arithmetic Instructions: mul", bind_mul},
    {"mul", "d:W, a:T, b:T", "Integer Arithmetic Instructions: mul", bind_mul_wide},
    {"mad", "d:T, a:T, b:T, c:T", "Integer Arithmetic Instructions: mad", bind_mad},
    {"mad", "d:W, a:T, b:T, c:W", "Integer Arithmetic Instructions: mad", bind_mad_wide},
    {"sad", "d:T, a:T, b:T, c:T", "Integer Arithmetic Instructions: sad", bind_sad},
    {"div", "d:T, a:T, b:T", "Integer Arithmetic Instructions: div", bind_any<Div>},
    {"rem", "d:T, a:T, b:T", "Integer Arithmetic Instructions: rem", bind_any<Rem>},
    {"abs", "d:T, a:T", "Integer Arithmetic Instructions: abs", bind_signed<Abs>},
    {"neg", "d:T, a:T", "Integer Arithmetic Instructions: neg", bind_signed<Neg>},
    {"min", "d:T, a:T, b:T", "Integer Arithmetic Instructions: min", bind_extreme<Min>},
    {"min", "d:b32, a:b32, b:b32", "Integer Arithmetic Instructions: min",
     bind_halves<Min>},
    {"max", "d:T, a:T, b:T", "Integer Arithmetic Instructions: max", bind_extreme<Max>},
    {"max", "d:b32, a:b32, b:b32", "Integer Arithmetic Instructions: max",
     bind_halves<Max>},
    {"addc", "d:T, a:T, b:T", "Extended-Precision Arithmetic Instructions: addc",
     bind_addc},
    {"subc", "d:T, a:T, b:T", "Extended-Precision Arithmetic Instructions: subc",
     bind_subc},
    {"madc", "d:T, a:T, b:T, c:T", "Extended-Precision Arithmetic Instructions: madc",
     bind_mad_carry<true>},
};

}  // namespace

const std::span<const Op> integer_ops = arithmetic;

}  // namespace emu
