// cvt between numeric types, and cvt.pack.
// PTX ISA 9.0, section 9.7.9.
//
// Whatever kernels use in a loop has an instantiation that vectorises; the rest, a few
// hundred combinations of types, directions and clamps, goes through convert() lane by
// lane.
#include "emulator/ops/convert.h"

#include "emulator/ops/bind.h"

namespace emu {
namespace {

using u8 = std::uint8_t; using u16 = std::uint16_t; using u32 = std::uint32_t;
using s8 = std::int8_t;  using s16 = std::int16_t;  using s32 = std::int32_t;
using u64 = std::uint64_t; using s64 = std::int64_t;
using ptx::Type;

// ---- integers -------------------------------------------------------------------------
// Low bytes of the source as E, extended by E's sign to the destination's slot.
template <class E, class To, class From>
void extend(Warp& warp, const Inst& in, LaneMask mask) {
    const From* from = lanes<From>(warp, in.slot[1]);
    blend_lanes<To>(warp, in.slot[0], mask, [&](int lane) { return To(E(from[lane])); });
}
template <class E>
Run extend_run(const Conversion& how) {
    if (how.wide_to)
        return how.wide_from ? Run(extend<E, u64, u64>) : Run(extend<E, u64, u32>);
    return how.wide_from ? Run(extend<E, u32, u64>) : Run(extend<E, u32, u32>);
}
Run between_integers(const Conversion& how) {
    if (how.sat) return nullptr;
    const int to = ptx::size_of(how.to), from = ptx::size_of(how.from);
    // A signed source in an unsigned type that is narrower than its register is extended
    // twice, by sign and by zeros.
    const int slot = how.wide_to ? 8 : 4;
    if (to > from && to < slot && is_signed(how.from) && !is_signed(how.to))
        return nullptr;
    switch (to > from ? how.from : how.to) {
        case Type::s8: return extend_run<s8>(how);
        case Type::s16: return extend_run<s16>(how);
        case Type::s32: return extend_run<s32>(how);
        case Type::u8: return extend_run<u8>(how);
        case Type::u16: return extend_run<u16>(how);
        case Type::u32: return extend_run<u32>(how);
        default: return extend_run<u64>(how);
    }
}

// ---- between integers and floats ------------------------------------------------------
template <Rounding mode, class D, class F>
void integer_of(Warp& warp, const Inst& in, LaneMask mask) {
    const auto* from = lanes<Lane<F>>(warp, in.slot[1]);
    blend_lanes<D>(warp, in.slot[0], mask, [&](int lane) {
        return to_integer<F, D>(from_lane<F>(from[lane]), mode);
    });
}
template <class D, class F>
Run integer_run(Rounding mode) {
    switch (mode) {
        case Rounding::nearest: return integer_of<Rounding::nearest, D, F>;
        case Rounding::zero: return integer_of<Rounding::zero, D, F>;
        case Rounding::down: return integer_of<Rounding::down, D, F>;
        case Rounding::up: return integer_of<Rounding::up, D, F>;
    }
    return nullptr;
}
template <class F>
Run float_to_integer(const Conversion& how) {
    if (how.ftz && how.rounding != Rounding::zero && how.rounding != Rounding::nearest)
        return nullptr;  // towards an infinity, a subnormal that is not flushed counts
    switch (how.to) {
        case Type::s32: return integer_run<s32, F>(how.rounding);
        case Type::u32: return integer_run<u32, F>(how.rounding);
        case Type::s64: return integer_run<s64, F>(how.rounding);
        case Type::u64: return integer_run<u64, F>(how.rounding);
        default: return nullptr;
    }
}

template <class D>
struct ToFloat {
    template <class A>
    D operator()(A a) const {
        return D(a);
    }
};
template <class D>
Run integer_to_float(const Conversion& how) {
    if (how.rounding != Rounding::nearest || how.sat) return nullptr;
    switch (how.from) {
        case Type::u8: return each<ToFloat<D>, D, u8>;
        case Type::s8: return each<ToFloat<D>, D, s8>;
        case Type::u16: return each<ToFloat<D>, D, u16>;
        case Type::s16: return each<ToFloat<D>, D, s16>;
        case Type::u32: return each<ToFloat<D>, D, u32>;
        case Type::s32: return each<ToFloat<D>, D, s32>;
        case Type::u64: return each<ToFloat<D>, D, u64>;
        case Type::s64: return each<ToFloat<D>, D, s64>;
        default: return nullptr;
    }
}

// ---- between floats -------------------------------------------------------------------
inline float canonical(float x) { return x == x ? x : std::bit_cast<float>(f32_nan); }

struct Widen { double operator()(float a) const { return a; } };
struct Shorten { float operator()(double a) const { return canonical(float(a)); } };
struct FromF16 { float operator()(F16 a) const { return canonical(to_float(a)); } };
struct FromBF16 { float operator()(BF16 a) const { return to_float(a); } };
template <class H>
struct ToHalf {
    H operator()(float a) const { return to_half<H>(a); }
};
struct Saturate {
    float operator()(float a) const { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
};
template <Rounding mode> struct Integral {
    float operator()(float a) const { return canonical(round_to_integral(a, mode)); }
    double operator()(double a) const { return round_to_integral(a, mode); }
};
struct ToTf32 {
    explicit ToTf32(u64 imm) : how(conversion_in(imm)) {}
    float operator()(float a) const { return to_tf32(a, how); }
    Conversion how;
};

template <class F>
Run integral_run(Rounding mode) {
    switch (mode) {
        case Rounding::nearest: return each<Integral<Rounding::nearest>, F, F>;
        case Rounding::zero: return each<Integral<Rounding::zero>, F, F>;
        case Rounding::down: return each<Integral<Rounding::down>, F, F>;
        case Rounding::up: return each<Integral<Rounding::up>, F, F>;
    }
    return nullptr;
}
Run between_floats(const Conversion& how) {
    const bool plain = !how.ftz && !how.sat && !how.relu && !how.finite;
    const Type to = how.to, from = how.from;
    if (to == Type::f32 && from == Type::f32 && how.sat && !how.ftz && !how.integral)
        return each<Saturate, float, float>;
    if (!plain) return nullptr;
    if (how.integral && to == from) {
        if (to == Type::f32) return integral_run<float>(how.rounding);
        return to == Type::f64 ? integral_run<double>(how.rounding) : nullptr;
    }
    if (how.integral) return nullptr;
    if (to == Type::f32 && from == Type::f16) return each<FromF16, float, F16>;
    if (to == Type::f32 && from == Type::bf16) return each<FromBF16, float, BF16>;
    if (to == Type::f64 && from == Type::f32) return each<Widen, double, float>;
    if (how.rounding != Rounding::nearest) return nullptr;
    if (to == Type::f32 && from == Type::f64) return each<Shorten, float, double>;
    if (to == Type::f16 && from == Type::f32) return each<ToHalf<F16>, F16, float>;
    if (to == Type::bf16 && from == Type::f32) return each<ToHalf<BF16>, BF16, float>;
    return nullptr;
}

// ---- the rest -------------------------------------------------------------------------
void convert_slowly(Warp& warp, const Inst& in, LaneMask mask) {
    const Conversion how = conversion_in(in.imm);
    for_each_lane(mask, [&](int lane) {
        const u64 from = how.wide_from ? lanes<u64>(warp, in.slot[1])[lane]
                                       : lanes<u32>(warp, in.slot[1])[lane];
        const u64 to = convert(from, how);
        if (how.wide_to) lanes<u64>(warp, in.slot[0])[lane] = to;
        else lanes<u32>(warp, in.slot[0])[lane] = u32(to);
    });
}

Run fast_run(const Conversion& how) {
    const bool loose_to = how.wide_to != (ptx::size_of(how.to) == 8);
    const bool loose_from = how.wide_from != (ptx::size_of(how.from) == 8);
    const bool to_int = is_integer(how.to), from_int = is_integer(how.from);
    if (to_int && from_int) return between_integers(how);
    if (loose_to || loose_from) return nullptr;
    if (to_int && how.from == Type::f32) return float_to_integer<float>(how);
    if (to_int && how.from == Type::f64) return float_to_integer<double>(how);
    if (from_int && how.to == Type::f32) return integer_to_float<float>(how);
    if (from_int && how.to == Type::f64) return integer_to_float<double>(how);
    return to_int || from_int ? nullptr : between_floats(how);
}

bool is_numeric(Type type) {
    return is_integer(type) || type == Type::f16 || type == Type::bf16 ||
           type == Type::f32 || type == Type::f64;
}
Rounding direction_of(const Form& form) {
    if (form.has("rzi")) return Rounding::zero;
    if (form.has("rmi")) return Rounding::down;
    return form.has("rpi") ? Rounding::up : rounding_of(form);
}
Conversion conversion_of(const Form& form) {
    Conversion how;
    how.to = form.type(0), how.from = form.type(1);
    how.rounding = direction_of(form);
    how.integral =
        form.has("rni") || form.has("rzi") || form.has("rmi") || form.has("rpi");
    how.away = form.has("rna");
    how.ftz = form.has("ftz"), how.sat = form.has("sat");
    how.relu = form.has("relu"), how.finite = form.has("satfinite");
    how.wide_to = form.wide(0), how.wide_from = form.wide(1);
    return how;
}
bool known_modifiers(const Form& form) {
    return only(form, {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz",
                       "sat", "relu", "satfinite"});
}

Bound bind_cvt(const Form& form) {
    if (operand_count(form) != 2 || !known_modifiers(form)) return {};
    const Conversion how = conversion_of(form);
    const u64 imm = imm_of(how);
    if (how.to == Type::tf32)
        return how.from == Type::f32 ? Bound{each<ToTf32, float, float>, imm} : Bound{};
    if (!is_numeric(how.to) || !is_numeric(how.from) || how.away) return {};
    if (Run run = fast_run(how)) return {run, imm};
    return {convert_slowly, imm};
}

// Two floats to a pair of halves, a the upper.
template <class H>
struct ToPair {
    explicit ToPair(u64 imm) : how(conversion_in(imm)) {}
    u32 half(float x) const {
        const H h = how.rounding == Rounding::nearest ? to_half<H>(x)
                                                      : narrow_half<H>(x, how.rounding);
        return finished_half(h, how).bits;
    }
    u32 operator()(float a, float b) const { return half(a) << 16 | half(b); }
    Conversion how;
};
Bound bind_cvt_pair(const Form& form) {
    if (operand_count(form) != 3 || form.type(1) != Type::f32 || !known_modifiers(form))
        return {};
    const u64 imm = imm_of(conversion_of(form));
    if (form.type() == Type::f16x2) return {each<ToPair<F16>, u32, float, float>, imm};
    if (form.type() == Type::bf16x2) return {each<ToPair<BF16>, u32, float, float>, imm};
    return {};
}

// cvt.pack: a above b, both clamped to imm's bits; c, where there is one, above them.
struct Packed {
    u32 clamp(s32 x) const {
        const s64 top = s64(1) << (bits() - is_signed());
        const s64 least = is_signed() ? -top : 0;
        const s64 value = x < least ? least : x >= top ? top - 1 : x;
        return u32(value) & u32((1u << bits()) - 1u);
    }
    u32 operator()(s32 a, s32 b) const { return clamp(a) << bits() | clamp(b); }
    u32 operator()(s32 a, s32 b, u32 c) const {
        return c << (2 * bits()) | (*this)(a, b);
    }
    u32 bits() const { return u32(imm & 0xffu); }
    bool is_signed() const { return imm >> 8; }
    u64 imm;
};
Bound bind_pack(const Form& form, Run run, int operands,
                std::initializer_list<const char*> to) {
    if (!form.has("pack") || !form.has("sat") || operand_count(form) != operands)
        return {};
    for (const std::string name : to)
        if (form.has(name))
            return {run, u64(std::stoi(name.substr(1))) | (name[0] == 's') << 8};
    return {};
}
Bound bind_pack_two(const Form& form) {
    return bind_pack(form, each<Packed, u32, s32, s32>, 3, {"u16", "s16"});
}
Bound bind_pack_three(const Form& form) {
    return bind_pack(form, each<Packed, u32, s32, s32, u32>, 4,
                     {"u8", "s8", "u4", "s4", "u2", "s2"});
}

constexpr Op rows[] = {
    {"cvt", "d:R, a:R", "Data Movement and Conversion Instructions: cvt", bind_cvt},
    {"cvt", "d:b32, a:f32, b:f32", "Data Movement and Conversion Instructions: cvt",
     bind_cvt_pair},
    {"cvt", "d:b32, a:s32, b:s32", "Data Movement and Conversion Instructions: cvt.pack",
     bind_pack_two},
    {"cvt", "d:b32, a:s32, b:s32, c:b32",
     "Data Movement and Conversion Instructions: cvt.pack", bind_pack_three},
};

}  // namespace

const std::span<const Op> convert_ops = rows;

}  // namespace emu
