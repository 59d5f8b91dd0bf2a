// f16 and bf16 arithmetic, alone and in pairs. PTX ISA 9.0, section 9.7.4.
//
// Each result is rounded once. The sum of two halves and the product of two f16 may go
// through float: 24 bits are enough that the second rounding does no harm (2 * 11 + 2). A
// bf16 product can fall below float's range and a fused multiply-add can have a tail of
// any length, so those are rounded to odd first (ops/rounding.h).
#include <cmath>

#include "emulator/ops/approximate.h"
#include "emulator/ops/bind.h"
#include "emulator/ops/half.h"
#include "emulator/ops/rounding.h"

namespace emu {
namespace {

using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;

template <class H> constexpr bool is_f16 = std::is_same_v<H, F16>;

struct Add {
    template <class H> H operator()(H a, H b) const {
        return to_half<H>(to_float(a) + to_float(b));
    }
};
struct Sub {
    template <class H> H operator()(H a, H b) const {
        return to_half<H>(to_float(a) - to_float(b));
    }
};
struct Mul {
    template <class H> H operator()(H a, H b) const {
        if constexpr (is_f16<H>) return to_half<H>(to_float(a) * to_float(b));
        else return half_from<H>(double(to_float(a)) * double(to_float(b)));
    }
};
// The product of two f16 is exact in float, that of two bf16 in double.
struct Fma {
    template <class H> H operator()(H a, H b, H c) const {
        const float x = to_float(a), y = to_float(b), z = to_float(c);
        if constexpr (is_f16<H>) return to_half<H>(sum_to_odd<float>(x * y, z));
        else return half_from<H>(sum_to_odd<double>(double(x) * y, z));
    }
};
struct Ex2 {
    template <class H>
    H operator()(H a) const {
        return to_half<H>(exp2_of(to_float(a)));
    }
};
struct Tanh {
    template <class H>
    H operator()(H a) const {
        return to_half<H>(tanh_of(to_float(a)));
    }
};

// .ftz on operands and result, then .sat or .relu.
template <class Op>
struct Modified {
    template <class H, class... A> H operator()(H a, A... rest) const {
        const bool ftz = flags & flag_ftz;
        H r =
            ftz ? flush_half(Op{}(flush_half(a), flush_half(rest)...)) : Op{}(a, rest...);
        const bool is_nan = (r.bits & 0x7fffu) > infinity<H>, negative = r.bits & 0x8000u;
        if (flags & flag_sat)
            r.bits = is_nan || negative ? u16(0) : r.bits > H::one ? H::one : r.bits;
        if (flags & flag_relu) r.bits = negative && !is_nan ? u16(0) : r.bits;
        return r;
    }
    template <class H> static constexpr u16 infinity = is_f16<H> ? 0x7c00u : 0x7f80u;
    u64 flags;
};

struct Abs {
    template <class H> H operator()(H a) const {
        return {u16((flags & flag_ftz ? flush_half(a) : a).bits & 0x7fffu)};
    }
    u64 flags;
};
struct Neg {
    template <class H> H operator()(H a) const {
        return {u16((flags & flag_ftz ? flush_half(a) : a).bits ^ 0x8000u)};
    }
    u64 flags;
};

// A single NaN operand loses, except with .NaN; +0 is greater than -0.
template <bool greatest>
struct Extreme {
    template <class H> H operator()(H a, H b) const {
        if (flags & flag_ftz) a = flush_half(a), b = flush_half(b);
        const u16 sign = u16((a.bits ^ b.bits) & 0x8000u);
        if (flags & flag_xorsign) a.bits &= 0x7fffu, b.bits &= 0x7fffu;
        const float x = to_float(a), y = to_float(b);
        const bool x_nan = x != x, y_nan = y != y;
        const bool first = greatest ? y < x || (x == y && !is_negative(x))
                                    : x < y || (x == y && is_negative(x));
        const bool no_number = flags & flag_nan ? x_nan || y_nan : x_nan && y_nan;
        const H kept = first || y_nan ? a : b;
        const H r = no_number ? H{half_nan} : kept;
        return flags & flag_xorsign ? H{u16((r.bits & 0x7fffu) | sign)} : r;
    }
    u64 flags;
};

// F on both halves of a register.
template <class F, class H>
struct Pair {
    template <class... A> u32 operator()(A... a) const {
        const F f{flags};
        return u32(f(H{u16(a)}...).bits) | u32(f(H{u16(a >> 16)}...).bits) << 16;
    }
    u64 flags;
};

template <class F, int operands, class T>
constexpr Run run_of() {
    if constexpr (operands == 1) return each<F, T, T>;
    else if constexpr (operands == 2) return each<F, T, T, T>;
    else return each<F, T, T, T, T>;
}
template <class F, int operands>
Bound bind_half(const Form& form, std::initializer_list<std::string_view> known) {
    if (!only(form, known) || form.type(1) != ptx::Type::none) return {};
    const u64 flags = flags_of(form);
    switch (form.type()) {
        case ptx::Type::f16: return {run_of<F, operands, F16>(), flags};
        case ptx::Type::bf16: return {run_of<F, operands, BF16>(), flags};
        case ptx::Type::f16x2: return {run_of<Pair<F, F16>, operands, u32>(), flags};
        case ptx::Type::bf16x2: return {run_of<Pair<F, BF16>, operands, u32>(), flags};
        default: return {};
    }
}
template <class Op>
Bound bind_sum(const Form& form) {
    return bind_half<Modified<Op>, 2>(form, {"rn", "ftz", "sat"});
}
Bound bind_fma(const Form& form) {
    return bind_half<Modified<Fma>, 3>(form, {"rn", "ftz", "sat", "relu"});
}
template <class F>
Bound bind_sign(const Form& form) { return bind_half<F, 1>(form, {"ftz"}); }
template <bool greatest>
Bound bind_extreme(const Form& form) {
    return bind_half<Extreme<greatest>, 2>(form, {"ftz", "NaN", "xorsign", "abs"});
}
// The manual's .ftz of ex2.approx.ftz.bf16 is part of the name: bf16 has no form without.
template <class Op>
Bound bind_function(const Form& form) {
    return bind_half<Modified<Op>, 1>(form, {"approx", "ftz"});
}

constexpr Op rows[] = {
    {"add", "d:T, a:T, b:T", "Half Precision Floating Point Instructions: add",
     bind_sum<Add>},
    {"sub", "d:T, a:T, b:T", "Half Precision Floating Point Instructions: sub",
     bind_sum<Sub>},
    {"mul", "d:T, a:T, b:T", "Half Precision Floating Point Instructions: mul",
     bind_sum<Mul>},
    {"fma", "d:T, a:T, b:T, c:T", "Half Precision Floating Point Instructions: fma",
     bind_fma},
    {"neg", "d:T, a:T", "Half Precision Floating Point Instructions: neg",
     bind_sign<Neg>},
    {"abs", "d:T, a:T", "Half Precision Floating Point Instructions: abs",
     bind_sign<Abs>},
    {"min", "d:T, a:T, b:T", "Half Precision Floating Point Instructions: min",
     bind_extreme<false>},
    {"max", "d:T, a:T, b:T", "Half Precision Floating Point Instructions: max",
     bind_extreme<true>},
    {"tanh", "d:T, a:T", "Half Precision Floating Point Instructions: tanh",
     bind_function<Tanh>},
    {"ex2", "d:T, a:T", "Half Precision Floating Point Instructions: ex2",
     bind_function<Ex2>},
};

}  // namespace

const std::span<const Op> half_ops = rows;

}  // namespace emu
