#include "emulator/ops/convert.h"

#include "emulator/ops/bind.h"

namespace emu {
namespace {

using ptx::Type;
using u64 = std::uint64_t;
using s64 = std::int64_t;

bool is_float(Type type) {
    return type == Type::f64 || type == Type::f32 || type == Type::f16 ||
           type == Type::bf16;
}

u64 cut(u64 bits, Type type) {
    const int width = 8 * ptx::size_of(type);
    return width == 64 ? bits : bits & ((u64(1) << width) - 1);
}
u64 extended(u64 bits, Type type) {
    const int unused = 64 - 8 * ptx::size_of(type);
    return is_signed(type) ? u64(s64(bits << unused) >> unused)
                           : bits << unused >> unused;
}
Integer integer_in(u64 bits, Type type) {
    const u64 value = extended(bits, type);
    return is_signed(type) ? Integer(s64(value)) : Integer(value);
}
double float_in(u64 bits, Type type, bool ftz) {
    switch (type) {
        case Type::f64:
            return std::bit_cast<double>(bits);
        case Type::f16:
            return to_float(F16{std::uint16_t(bits)});
        case Type::bf16:
            return to_float(BF16{std::uint16_t(bits)});
        default: {
            const float x = std::bit_cast<float>(std::uint32_t(bits));
            return ftz ? flush_float(x) : x;
        }
    }
}

u64 clamped(Integer value, Type type) {
    const int width = 8 * ptx::size_of(type);
    const Integer least = is_signed(type) ? -(Integer(1) << (width - 1)) : 0;
    const Integer most = (Integer(1) << (is_signed(type) ? width - 1 : width)) - 1;
    return u64(value < least ? least : value > most ? most : value);
}

u64 integer_of_float(double x, const Conversion& how) {
    const int width = 8 * ptx::size_of(how.to);
    if (x != x) {
        const bool long_side = how.from == Type::f64 || width == 64;
        return long_side ? extended(u64(1) << (width - 1), how.to) : 0;
    }
    const double whole = round_to_integral(x, how.rounding);
    const double bounded = whole < -0x1p100  ? -0x1p100
                           : whole > 0x1p100 ? 0x1p100
                                             : whole;
    return clamped(Integer(bounded), how.to);
}

template <class H>
u64 half_bits(Quad x, const Conversion& how) {
    const double near = double(x);
    const double odd = to_odd(near, double(x - near));
    return finished_half(narrow_half<H>(odd, how.rounding), how).bits;
}

template <class F>
F finished(F x, const Conversion& how) {
    if (how.sat) x = x > 0 ? (x < 1 ? x : F(1)) : F(0);
    if (how.relu && x < 0) x = 0;
    return x;
}

u64 float_bits(Quad x, const Conversion& how) {
    switch (how.to) {
        case Type::f64:
            return bits_of(finished(narrow<double>(x, how.rounding), how));
        case Type::f16:
            return half_bits<F16>(x, how);
        case Type::bf16:
            return half_bits<BF16>(x, how);
        default: {
            float f = narrow<float>(x, how.rounding);
            if (how.ftz) f = flush_float(f);
            f = finished(f, how);
            return f == f ? bits_of(f) : f32_nan;
        }
    }
}

}  // namespace

u64 convert(u64 bits, const Conversion& how) {
    if (!is_float(how.from)) {
        const Integer value = integer_in(bits, how.from);
        if (is_float(how.to)) return float_bits(Quad(value), how);
        return how.sat ? clamped(value, how.to)
                       : extended(cut(u64(value), how.to), how.to);
    }
    double x = float_in(bits, how.from, how.ftz);
    if (!is_float(how.to)) return integer_of_float(x, how);
    if (!how.integral) return float_bits(x, how);
    Conversion exact = how;
    exact.rounding = Rounding::nearest;
    return float_bits(round_to_integral(x, how.rounding), exact);
}

}  // namespace emu
