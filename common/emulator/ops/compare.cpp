// Comparison and selection: setp, set, selp, slct. PTX ISA 9.0, sections 9.7.6 and 9.7.7.
//
// A comparison makes one LaneMask from two slots; what differs between the instructions
// is only where the mask goes.
#include <cmath>

#include "emulator/ops/bind.h"
#include "emulator/ops/half.h"

namespace emu {
namespace {

using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
using s16 = std::int16_t;  using s32 = std::int32_t;  using s64 = std::int64_t;

struct Eq { template <class T> bool operator()(T a, T b) const { return a == b; } };
struct Ne {
    template <class T>
    bool operator()(T a, T b) const {
        return a < b || a > b;
    }
};
struct Lt { template <class T> bool operator()(T a, T b) const { return a < b; } };
struct Le { template <class T> bool operator()(T a, T b) const { return a <= b; } };
struct Gt { template <class T> bool operator()(T a, T b) const { return a > b; } };
struct Ge { template <class T> bool operator()(T a, T b) const { return a >= b; } };
// The unordered ones are true where an operand is NaN.
struct Equ {
    template <class T>
    bool operator()(T a, T b) const {
        return !(a < b || a > b);
    }
};
struct Neu { template <class T> bool operator()(T a, T b) const { return !(a == b); } };
struct Ltu { template <class T> bool operator()(T a, T b) const { return !(a >= b); } };
struct Leu { template <class T> bool operator()(T a, T b) const { return !(a > b); } };
struct Gtu { template <class T> bool operator()(T a, T b) const { return !(a <= b); } };
struct Geu { template <class T> bool operator()(T a, T b) const { return !(a < b); } };
struct Num {
    template <class T>
    bool operator()(T a, T b) const {
        return a == a && b == b;
    }
};
struct Nan {
    template <class T>
    bool operator()(T a, T b) const {
        return a != a || b != b;
    }
};

// Lane types whose value is not their bits.
struct Flushed {  // f32 with .ftz
    float bits;
    static constexpr bool is(ptx::Type type) { return type == ptx::Type::f32; }
};
struct FlushedF16 { u16 bits; };
template <class H> struct Upper { u32 bits; };  // the upper half of a pair

template <class T> T value(T x) { return x; }
inline float value(Flushed x) { return flush_float(x.bits); }
inline float value(F16 x) { return to_float(x); }
inline float value(FlushedF16 x) { return to_float(flush_half(F16{x.bits})); }
inline float value(BF16 x) { return to_float(x); }
template <class H> float value(Upper<H> x) { return value(H{u16(x.bits >> 16)}); }

using Compare = LaneMask (*)(const Warp&, std::int32_t, std::int32_t);

template <class Test, class T>
LaneMask compare(const Warp& warp, std::int32_t slot_a, std::int32_t slot_b) {
    const auto* a = lanes<Lane<T>>(warp, slot_a);
    const auto* b = lanes<Lane<T>>(warp, slot_b);
    return lanes_where([&](int lane) {
        return Test{}(value(from_lane<T>(a[lane])), value(from_lane<T>(b[lane])));
    });
}

// ---- what becomes of the mask ---------------------------------------------------------
// In Inst::imm, beside what a run keeps there in the low half.
constexpr u64 combine_and = 1ull << 32, combine_or = 2ull << 32, combine_xor = 3ull << 32,
              combine_bits = 3ull << 32;

u64 combination_of(const Form& form) {
    return form.has("and") ? combine_and : form.has("or") ? combine_or
         : form.has("xor") ? combine_xor : 0;
}
LaneMask combine(const Warp& warp, const Inst& in, int c, LaneMask found) {
    if ((in.imm & combine_bits) == 0) return found;
    const LaneMask other = predicate(warp, in.slot[c]);
    switch (in.imm & combine_bits) {
        case combine_and: return found & other;
        case combine_or: return found | other;
        default: return found ^ other;
    }
}

template <class Test, class T>
void setp(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask found = compare<Test, T>(warp, in.slot[2], in.slot[3]);
    const LaneMask p = combine(warp, in, 4, found), q = combine(warp, in, 4, ~found);
    write_predicate(warp, in.slot[0], mask, p);
    write_predicate(warp, in.slot[1], mask, q);
}
// The common case: one destination, nothing to combine with.
template <class Test, class T>
void setp_alone(Warp& warp, const Inst& in, LaneMask mask) {
    write_predicate(warp, in.slot[0], mask,
                    compare<Test, T>(warp, in.slot[2], in.slot[3]));
}
template <class Test, class H>
void setp_pair(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask low = compare<Test, H>(warp, in.slot[2], in.slot[3]);
    const LaneMask high = compare<Test, Upper<H>>(warp, in.slot[2], in.slot[3]);
    const LaneMask p = combine(warp, in, 4, low), q = combine(warp, in, 4, high);
    write_predicate(warp, in.slot[0], mask, p);
    write_predicate(warp, in.slot[1], mask, q);
}
// The low word of imm is what stands for true.
template <class Test, class T>
void set(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask found =
        combine(warp, in, 3, compare<Test, T>(warp, in.slot[1], in.slot[2]));
    blend_lanes<u32>(warp, in.slot[0], mask,
                     [&](int lane) { return has_lane(found, lane) ? u32(in.imm) : 0u; });
}
template <class Test, class H>
void set_pair(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask low =
        combine(warp, in, 3, compare<Test, H>(warp, in.slot[1], in.slot[2]));
    const LaneMask high =
        combine(warp, in, 3, compare<Test, Upper<H>>(warp, in.slot[1], in.slot[2]));
    blend_lanes<u32>(warp, in.slot[0], mask, [&](int lane) {
        return (has_lane(low, lane) ? u32(in.imm) : 0u) |
               (has_lane(high, lane) ? u32(in.imm) << 16 : 0u);
    });
}

// ---- choosing -------------------------------------------------------------------------
// Which of the runs: a template over (Test, T).
struct AsSetp {
    template <class Test, class T>
    static constexpr Run run = setp<Test, T>;
};
struct AsAlone {
    template <class Test, class T>
    static constexpr Run run = setp_alone<Test, T>;
};
struct AsSet { template <class Test, class T> static constexpr Run run = set<Test, T>; };
struct AsSetpPair {
    template <class Test, class T>
    static constexpr Run run = setp_pair<Test, T>;
};
struct AsSetPair {
    template <class Test, class T>
    static constexpr Run run = set_pair<Test, T>;
};

template <class As, class T, class... Tests>
Run tested(const Form& form, std::initializer_list<std::string_view> names) {
    Run run = nullptr;
    const std::string_view* name = names.begin();
    ((form.has(*name++) ? void(run = As::template run<Tests, T>) : void()), ...);
    return run;
}
// The first modifier is the comparison; "lo" ... "hs" are its unsigned spellings.
template <class As, class T>
Run of_integer(const Form& form) {
    if (Run run = tested<As, T, Eq, Ne, Lt, Le, Gt, Ge>(
            form, {"eq", "ne", "lt", "le", "gt", "ge"}))
        return run;
    return std::is_unsigned_v<T>
               ? tested<As, T, Lt, Le, Gt, Ge>(form, {"lo", "ls", "hi", "hs"})
               : nullptr;
}
template <class As, class T>
Run of_float(const Form& form) {
    return tested<As, T, Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan>(
        form, {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu",
               "geu", "num", "nan"});
}
template <class As>
Run run_of(const Form& form, ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case b16: case ptx::Type::u16: return of_integer<As, std::uint16_t>(form);
        case b32: case ptx::Type::u32: return of_integer<As, std::uint32_t>(form);
        case b64: case ptx::Type::u64: return of_integer<As, std::uint64_t>(form);
        case ptx::Type::s16: return of_integer<As, std::int16_t>(form);
        case ptx::Type::s32: return of_integer<As, std::int32_t>(form);
        case ptx::Type::s64: return of_integer<As, std::int64_t>(form);
        case f16:
            return form.has("ftz") ? of_float<As, FlushedF16>(form)
                                   : of_float<As, F16>(form);
        case bf16: return of_float<As, BF16>(form);
        case f64: return of_float<As, double>(form);
        case f32:
            return form.has("ftz") ? of_float<As, Flushed>(form)
                                   : of_float<As, float>(form);
        default: return nullptr;
    }
}
template <class As>
Run pair_run_of(const Form& form, ptx::Type type) {
    if (type == ptx::Type::f16x2)
        return form.has("ftz") ? of_float<As, FlushedF16>(form) : of_float<As, F16>(form);
    return type == ptx::Type::bf16x2 ? of_float<As, BF16>(form) : nullptr;
}

Bound bind_setp(const Form& form) {
    const ptx::Type type = form.type();
    const u64 imm = combination_of(form);
    if (Run run = pair_run_of<AsSetpPair>(form, type)) return {run, imm};
    const bool alone = imm == 0 && form.text.operands[0].kind != ptx::Operand::Kind::pair;
    return {alone ? run_of<AsAlone>(form, type) : run_of<AsSetp>(form, type), imm};
}

// What stands for true in the destination's type (PTX ISA: set).
u64 truth(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case ptx::Type::u16: case ptx::Type::s16: return 0xffffu;
        case f32: return 0x3f800000u;
        case f16: case f16x2: return F16::one;
        case bf16: case bf16x2: return BF16::one;
        default: return 0xffffffffu;
    }
}
Bound bind_set(const Form& form) {
    const u64 imm = combination_of(form);
    const ptx::Type to = form.type(0), from = form.type(1);
    const bool pair = from == ptx::Type::f16x2 || from == ptx::Type::bf16x2;
    if (pair) return {pair_run_of<AsSetPair>(form, from), imm | (truth(to) & 0xffffu)};
    return {run_of<AsSet>(form, from), imm | truth(to)};
}

template <class T>
void selp(Warp& warp, const Inst& in, LaneMask mask) {
    const T* a = lanes<T>(warp, in.slot[1]);
    const T* b = lanes<T>(warp, in.slot[2]);
    const LaneMask c = predicate(warp, in.slot[3]);
    blend_lanes<T>(warp, in.slot[0], mask,
                   [&](int lane) { return has_lane(c, lane) ? a[lane] : b[lane]; });
}
Bound bind_selp(const Form& form) {
    return {ptx::size_of(form.type()) == 8 ? Run(selp<u64>) : Run(selp<u32>)};
}

// a where c is at least zero (-0 is), b where it is negative or NaN.
struct Slct {
    template <class T, class C> T operator()(T a, T b, C c) const {
        return value(c) >= 0 ? a : b;
    }
};
template <class C>
Run slct_run(ptx::Type type) {
    return ptx::size_of(type) == 8 ? Run(each<Slct, u64, u64, u64, C>)
                                   : Run(each<Slct, u32, u32, u32, C>);
}
Bound bind_slct(const Form& form) {
    if (form.type(1) == ptx::Type::s32) return {slct_run<s32>(form.type())};
    return {form.has("ftz") ? slct_run<Flushed>(form.type())
                            : slct_run<float>(form.type())};
}

constexpr Op rows[] = {
    {"setp", "p|q:pred, a:T, b:T, [c:pred]",
     "Comparison and Selection Instructions: setp", bind_setp},
    {"set", "d:T, a:S, b:S, [c:pred]", "Comparison and Selection Instructions: set",
     bind_set},
    {"selp", "d:T, a:T, b:T, c:pred", "Comparison and Selection Instructions: selp",
     bind_selp},
    {"slct", "d:T, a:T, b:T, c:S", "Comparison and Selection Instructions: slct",
     bind_slct},
};

}  // namespace

const std::span<const Op> compare_ops = rows;

}  // namespace emu
