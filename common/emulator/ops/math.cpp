// Approximate functions: rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh. PTX ISA 9.0, 9.7.3.
//
// The manual gives error bounds, not values. Everything is evaluated in double by the
// polynomials below and rounded once, so results are within half an ulp (+ 2^-36), are
// the same on every machine, and loops over lanes vectorise.
#include <cmath>

#include "emulator/ops/approximate.h"
#include "emulator/ops/bind.h"
#include "emulator/ops/half.h"

namespace emu {
namespace {

using u64 = std::uint64_t;

struct Rcp {
    float operator()(float x) const { return 1.0f / x; }
};
struct Sqrt {
    float operator()(float x) const { return std::sqrt(x); }
};
struct Rsqrt {
    float operator()(float x) const { return float(1.0 / std::sqrt(double(x))); }
};
struct Sin {
    float operator()(float x) const { return sine(x, 0); }
};
struct Cos {
    float operator()(float x) const { return sine(x, 1); }
};
struct Lg2 {
    float operator()(float x) const { return log2_of(x); }
};
struct Ex2 {
    float operator()(float x) const { return exp2_of(x); }
};
struct Tanh {
    float operator()(float x) const { return tanh_of(x); }
};

template <class F, bool ftz>
struct Single {
    float operator()(float x) const {
        const float r = F{}(ftz ? flush_float(x) : x);
        const float kept = ftz ? flush_float(r) : r;
        return kept == kept ? kept : std::bit_cast<float>(f32_nan);
    }
};

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits of a double and
// give the upper 32 bits of one; the lower are zero.
template <class F>
struct UpperWord {
    double operator()(double x) const {
        const double a = flushed(upper(std::bit_cast<u64>(x)));
        const double exact = F{}(a);
        const u64 bits = std::bit_cast<u64>(exact);
        if (!(exact - exact == 0)) return upper(bits);
        return flushed(upper(bits + 0x80000000u));
    }
    static double upper(u64 bits) { return std::bit_cast<double>(bits >> 32 << 32); }
    static double flushed(double x) {
        return std::fabs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x;
    }
};
struct RcpDouble {
    double operator()(double x) const { return 1.0 / x; }
};
struct RsqrtDouble {
    double operator()(double x) const { return 1.0 / std::sqrt(x); }
};

template <class F>
Bound bind_single(const Form& form) {
    if (!form.has("approx") || !only(form, {"approx", "ftz"})) return {};
    if (form.has("ftz")) return unary_of<Single<F, true>, float>(form.type());
    return unary_of<Single<F, false>, float>(form.type());
}
Bound bind_rcp(const Form& form) {
    if (form.type() != ptx::Type::f64) return bind_single<Rcp>(form);
    if (!form.has("approx") || !form.has("ftz")) return {};
    return {each<UpperWord<RcpDouble>, double, double>};
}
Bound bind_rsqrt(const Form& form) {
    if (form.type() != ptx::Type::f64) return bind_single<Rsqrt>(form);
    if (!form.has("approx")) return {};
    return {form.has("ftz") ? Run(each<UpperWord<RsqrtDouble>, double, double>)
                            : Run(each<RsqrtDouble, double, double>)};
}

constexpr Op rows[] = {
    {"rcp", "d:T, a:T", "Floating Point Instructions: rcp", bind_rcp},
    {"sqrt", "d:T, a:T", "Floating Point Instructions: sqrt", bind_single<Sqrt>},
    {"rsqrt", "d:T, a:T", "Floating Point Instructions: rsqrt", bind_rsqrt},
    {"sin", "d:T, a:T", "Floating Point Instructions: sin", bind_single<Sin>},
    {"cos", "d:T, a:T", "Floating Point Instructions: cos", bind_single<Cos>},
    {"lg2", "d:T, a:T", "Floating Point Instructions: lg2", bind_single<Lg2>},
    {"ex2", "d:T, a:T", "Floating Point Instructions: ex2", bind_single<Ex2>},
    {"tanh", "d:T, a:T", "Floating Point Instructions: tanh", bind_single<Tanh>},
};

}  // namespace

const std::span<const Op> math_ops = rows;

}  // namespace emu
