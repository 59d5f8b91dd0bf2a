// f32 and f64 arithmetic with the modifiers of the manual: rounding, .ftz, .sat.
// PTX ISA 9.0, section 9.7.3. The approximate functions are in math.cpp.
//
// Rounding to nearest is the processor's own instruction, one loop that vectorises. The
// other directions are software (ops/rounding.h).
#include <cmath>

#include "emulator/ops/bind.h"
#include "emulator/ops/half.h"
#include "emulator/ops/rounding.h"

namespace emu {
namespace {

using u32 = std::uint32_t; using u64 = std::uint64_t;

// Single precision gives one NaN, 0x7fffffff, whatever the operands were; double
// precision passes a NaN on or gives 0xfff8000000000000, which is what the processor does
// as well.
inline float canonical(float x) { return x == x ? x : std::bit_cast<float>(f32_nan); }
inline float saturated(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

struct Add { template <class F> F operator()(F a, F b) const { return a + b; } };
struct Sub { template <class F> F operator()(F a, F b) const { return a - b; } };
struct Mul { template <class F> F operator()(F a, F b) const { return a * b; } };
struct Div { template <class F> F operator()(F a, F b) const { return a / b; } };
struct Fma {
    template <class F>
    F operator()(F a, F b, F c) const {
        return std::fma(a, b, c);
    }
};
struct Rcp { template <class F> F operator()(F a) const { return F(1) / a; } };
struct Sqrt { template <class F> F operator()(F a) const { return std::sqrt(a); } };

// The same in a given direction.
template <class Op, class F, class... A>
F rounded(Rounding mode, F a, A... rest) {
    if constexpr (std::is_same_v<Op, Add>) return rounded_add(a, rest..., mode);
    else if constexpr (std::is_same_v<Op, Sub>) return rounded_add(a, -rest..., mode);
    else if constexpr (std::is_same_v<Op, Mul>) return rounded_mul(a, rest..., mode);
    else if constexpr (std::is_same_v<Op, Div>) return rounded_div(a, rest..., mode);
    else if constexpr (std::is_same_v<Op, Fma>) return rounded_fma(a, rest..., mode);
    else if constexpr (std::is_same_v<Op, Rcp>) return rounded_div(F(1), a, mode);
    else return rounded_sqrt(a, mode);
}

template <class Op, bool ftz, bool sat>
struct Single {
    template <class... A> float operator()(A... a) const {
        float r = Op{}((ftz ? flush_float(a) : a)...);
        if (ftz) r = flush_float(r);
        return sat ? saturated(r) : canonical(r);
    }
};
// Inst::imm: flags below, the direction in bits 8 and up.
constexpr int rounding_shift = 8;
template <class Op>
struct Directed {
    static constexpr bool costly = true;
    template <class... A> float operator()(A... a) const {
        const bool ftz = imm & flag_ftz;
        float r =
            rounded<Op>(Rounding(imm >> rounding_shift), (ftz ? flush_float(a) : a)...);
        if (ftz) r = flush_float(r);
        return imm & flag_sat ? saturated(r) : canonical(r);
    }
    template <class... A> double operator()(double a, A... rest) const {
        return rounded<Op>(Rounding(imm >> rounding_shift), a, rest...);
    }
    u64 imm;
};

// each<F, T, ...> with as many operands as Op has.
template <class F, class T, int operands>
constexpr Run run_of() {
    if constexpr (operands == 1) return each<F, T, T>;
    else if constexpr (operands == 2) return each<F, T, T, T>;
    else return each<F, T, T, T, T>;
}
template <class Op, int operands>
Bound bind_rounded(const Form& form) {
    if (!only(form, {"rn", "rz", "rm", "rp", "ftz", "sat"}) ||
        form.type(1) != ptx::Type::none)
        return {};
    const Rounding mode = rounding_of(form);
    const u64 flags = flags_of(form);
    const bool f64 = form.type() == ptx::Type::f64;
    if (!f64 && form.type() != ptx::Type::f32) return {};
    if (mode != Rounding::nearest)
        return {f64 ? run_of<Directed<Op>, double, operands>()
                    : run_of<Directed<Op>, float, operands>(),
                flags | u64(mode) << rounding_shift};
    if (f64) return {flags == 0 ? run_of<Op, double, operands>() : nullptr};
    switch (flags) {
        case flag_ftz: return {run_of<Single<Op, true, false>, float, operands>()};
        case flag_sat: return {run_of<Single<Op, false, true>, float, operands>()};
        case flag_ftz | flag_sat:
            return {run_of<Single<Op, true, true>, float, operands>()};
        default: return {run_of<Single<Op, false, false>, float, operands>()};
    }
}

// div.approx is a multiplication by the reciprocal: where |b| is above 2^126 that is
// flushed, so the quotient is 0, and infinity / b is NaN. div.full has no such hole. Both
// allow 2 ulp; here they are exact to half an ulp.
template <bool ftz, bool approx>
struct DivFast {
    float operator()(float a, float b) const {
        float r = Single<Div, ftz, false>{}(a, b);
        if (approx) {
            const bool huge = std::fabs(b) > 0x1p126f && std::fabs(b) <= 0x1.fffffep127f;
            const float zero = std::copysign(0.0f, r);
            r = huge ? (std::isinf(a) ? std::bit_cast<float>(f32_nan)
                        : a == a      ? zero
                                      : r)
                     : r;
        }
        return r;
    }
};
Bound bind_div(const Form& form) {
    if (!form.has("approx") && !form.has("full")) return bind_rounded<Div, 2>(form);
    if (form.type() != ptx::Type::f32) return {};
    const bool ftz = form.has("ftz");
    if (form.has("full"))
        return {ftz ? run_of<DivFast<true, false>, float, 2>()
                    : run_of<DivFast<false, false>, float, 2>()};
    return {ftz ? run_of<DivFast<true, true>, float, 2>()
                : run_of<DivFast<false, true>, float, 2>()};
}
// Without a direction it is the approximate one, in math.cpp.
template <class Op>
Bound bind_inverse(const Form& form) {
    return form.has("approx") ? Bound{} : bind_rounded<Op, 1>(form);
}

// ---- signs, minima --------------------------------------------------------------------
template <bool ftz> struct Abs {
    float operator()(float a) const { return std::fabs(ftz ? flush_float(a) : a); }
    double operator()(double a) const { return std::fabs(a); }
};
template <bool ftz> struct Neg {
    float operator()(float a) const { return -(ftz ? flush_float(a) : a); }
    double operator()(double a) const { return -a; }
};
// The sign of a, the magnitude of b.
struct CopySign {
    template <class F> F operator()(F a, F b) const { return std::copysign(b, a); }
};

// A single NaN operand loses, except with .NaN; +0 is greater than -0.
template <bool greatest>
struct Extreme {
    template <class F> F pick(F a, F b) const {
        const bool first = greatest ? b < a || (a == b && !is_negative(a))
                                    : a < b || (a == b && is_negative(a));
        const F kept = first || b != b ? a : b;
        return flags & flag_nan && a != a ? a : flags & flag_nan && b != b ? b : kept;
    }
    float operator()(float a, float b) const {
        if (flags & flag_ftz) a = flush_float(a), b = flush_float(b);
        const u32 sign = (bits_of(a) ^ bits_of(b)) & 0x80000000u;
        if (!(flags & flag_xorsign)) return canonical(pick(a, b));
        const float magnitude = canonical(pick(std::fabs(a), std::fabs(b)));
        return std::bit_cast<float>((bits_of(magnitude) & 0x7fffffffu) | sign);
    }
    float operator()(float a, float b, float c) const {
        return (*this)((*this)(a, b), c);
    }
    double operator()(double a, double b) const { return pick(a, b); }
    u64 flags;
};

template <template <bool> class F>
Bound bind_sign(const Form& form) {
    if (!only(form, {"ftz"})) return {};
    if (form.has("ftz")) return unary_of<F<true>, float>(form.type());
    return unary_of<F<false>, float, double>(form.type());
}
Bound bind_copysign(const Form& form) {
    return binary_of<CopySign, float, double>(form.type());
}

template <bool greatest>
Bound bind_extreme(const Form& form) {
    if (!only(form, {"ftz", "NaN", "xorsign", "abs"}) || operand_count(form) != 3)
        return {};
    return binary_of<Extreme<greatest>, float, double>(form.type(), flags_of(form));
}
template <bool greatest>
Bound bind_extreme_of_three(const Form& form) {
    if (!only(form, {"ftz", "NaN", "abs"}) || operand_count(form) != 4) return {};
    return form.has("abs")
               ? Bound{}
               : ternary_of<Extreme<greatest>, float>(form.type(), flags_of(form));
}

// ---- testp ----------------------------------------------------------------------------
struct Class { std::string_view name; bool (*holds)(int); };
constexpr Class classes[] = {
    {"finite", [](int c) { return c != FP_INFINITE && c != FP_NAN; }},
    {"infinite", [](int c) { return c == FP_INFINITE; }},
    {"number", [](int c) { return c != FP_NAN; }},
    {"notanumber", [](int c) { return c == FP_NAN; }},
    {"normal", [](int c) { return c == FP_NORMAL; }},
    {"subnormal", [](int c) { return c == FP_SUBNORMAL || c == FP_ZERO; }},
};
template <class F>
void testp(Warp& warp, const Inst& in, LaneMask mask) {
    const auto* a = lanes<Lane<F>>(warp, in.slot[1]);
    const Class& wanted = classes[in.imm];
    write_predicate(warp, in.slot[0], mask, lanes_where([&](int lane) {
                        return wanted.holds(std::fpclassify(from_lane<F>(a[lane])));
                    }));
}
Bound bind_testp(const Form& form) {
    for (u64 k = 0; k < std::size(classes); ++k)
        if (form.has(classes[k].name))
            return {
                form.type() == ptx::Type::f64 ? Run(testp<double>) : Run(testp<float>),
                k};
    return {};
}

constexpr Op rows[] = {
    {"add", "d:T, a:T, b:T", "Floating Point Instructions: add", bind_rounded<Add, 2>},
    {"sub", "d:T, a:T, b:T", "Floating Point Instructions: sub", bind_rounded<Sub, 2>},
    {"mul", "d:T, a:T, b:T", "Floating Point Instructions: mul", bind_rounded<Mul, 2>},
    {"fma", "d:T, a:T, b:T, c:T", "Floating Point Instructions: fma",
     bind_rounded<Fma, 3>},
    {"mad", "d:T, a:T, b:T, c:T", "Floating Point Instructions: mad",
     bind_rounded<Fma, 3>},
    {"div", "d:T, a:T, b:T", "Floating Point Instructions: div", bind_div},
    {"rcp", "d:T, a:T", "Floating Point Instructions: rcp", bind_inverse<Rcp>},
    {"sqrt", "d:T, a:T", "Floating Point Instructions: sqrt", bind_inverse<Sqrt>},
    {"abs", "d:T, a:T", "Floating Point Instructions: abs", bind_sign<Abs>},
    {"neg", "d:T, a:T", "Floating Point Instructions: neg", bind_sign<Neg>},
    {"min", "d:T, a:T, b:T", "Floating Point Instructions: min", bind_extreme<false>},
    {"max", "d:T, a:T, b:T", "Floating Point Instructions: max", bind_extreme<true>},
    {"min", "d:T, a:T, b:T, c:T", "Floating Point Instructions: min",
     bind_extreme_of_three<false>},
    {"max", "d:T, a:T, b:T, c:T", "Floating Point Instructions: max",
     bind_extreme_of_three<true>},
    {"copysign", "d:T, a:T, b:T", "Floating Point Instructions: copysign", bind_copysign},
    {"testp", "p:pred, a:T", "Floating Point Instructions: testp", bind_testp},
};

}  // namespace

const std::span<const Op> float_ops = rows;

}  // namespace emu
