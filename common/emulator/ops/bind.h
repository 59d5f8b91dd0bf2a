#pragma once
// What the arithmetic families use to choose a Run for a form: by type, by modifier.
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "emulator/ops/op.h"

namespace emu {

// A pair of 16-bit values in one register is not a ptx::Type for integers (u16x2), so
// their rows say b32 and ask Form::has.

constexpr bool is_signed(ptx::Type type) {
    return type >= ptx::Type::s8 && type <= ptx::Type::s64;
}
constexpr bool is_integer(ptx::Type type) {
    return type >= ptx::Type::b8 && type <= ptx::Type::s64 && type != ptx::Type::b128;
}

// Wrapping arithmetic does not ask for the sign: u32 stands for s32 and b32.
constexpr ptx::Type without_sign(ptx::Type type) {
    using enum ptx::Type;
    switch (type) {
        case b8:
        case s8:
            return u8;
        case b16:
        case s16:
            return u16;
        case b32:
        case s32:
            return u32;
        case b64:
        case s64:
            return u64;
        default:
            return type;
    }
}

// Is T the C++ type of a PTX type? Untyped bits count as unsigned.
template <class T>
constexpr bool is(ptx::Type type) {
    using enum ptx::Type;
    if constexpr (std::is_same_v<T, float>)
        return type == f32;
    else if constexpr (std::is_same_v<T, double>)
        return type == f64;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return type == s8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return type == s16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return type == s32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return type == s64;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return type == u8 || type == b8;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return type == u16 || type == b16;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return type == u32 || type == b32;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return type == u64 || type == b64;
    else
        return T::is(type);
}

// True where every modifier is a type or one of `known`: a modifier that nobody looked at
// would be ignored silently otherwise.
inline bool only(const Form& form, std::initializer_list<std::string_view> known) {
    return std::ranges::all_of(form.text.modifiers, [&](const std::string& modifier) {
        return ptx::type_named(modifier) != ptx::Type::none ||
               std::ranges::find(known, modifier) != known.end();
    });
}

inline int operand_count(const Form& form) { return int(form.text.operands.size()); }

// Modifiers that a functor can look at while it runs: the same for all lanes.
enum Flag : std::uint64_t {
    flag_ftz = 1,
    flag_sat = 2,
    flag_relu = 4,
    flag_nan = 8,
    flag_xorsign = 16,
};
inline std::uint64_t flags_of(const Form& form) {
    std::uint64_t flags = 0;
    auto note = [&](std::string_view name, Flag flag) {
        if (form.has(name)) flags |= flag;
    };
    note("ftz", flag_ftz);
    note("sat", flag_sat);
    note("relu", flag_relu);
    note("NaN", flag_nan);
    note("xorsign", flag_xorsign);
    return flags;
}

// A functor without data ignores Inst::imm, one with data is made from it.
template <class F>
F functor(std::uint64_t imm) {
    if constexpr (std::is_empty_v<F>)
        return F{};
    else
        return F{imm};
}

// write_lanes for an f that is cheap and may be asked for any lane: with a partial mask
// all lanes are computed and the result is blended, so that this loop vectorises too.
template <class T, class F>
inline void blend_lanes(Warp& warp, std::int32_t slot, LaneMask mask, F&& f) {
    auto* d = lanes<Lane<T>>(warp, slot);
    if (mask == all_lanes) {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) d[lane] = to_lane<T>(f(lane));
    } else {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) {
            const Lane<T> keep = Lane<T>(0) - Lane<T>(mask >> lane & 1u);
            d[lane] = (to_lane<T>(f(lane)) & keep) | (d[lane] & ~keep);
        }
    }
}

// D = F(A...), operands in slots 1, 2, 3, ... A functor that does not vectorise says that
// it is `costly`, and is asked for the lanes of the mask only.
template <class F, class D, class... A>
void each(Warp& warp, const Inst& in, LaneMask mask) {
    const F f = functor<F>(in.imm);
    auto run = [&](const Lane<A>*... a) {
        auto at = [&](int lane) -> D { return f(from_lane<A>(a[lane])...); };
        if constexpr (requires { F::costly; })
            write_lanes<D>(warp, in.slot[0], mask, at);
        else
            blend_lanes<D>(warp, in.slot[0], mask, at);
    };
    [&]<std::size_t... k>(std::index_sequence<k...>) {
        run(lanes<Lane<A>>(warp, in.slot[k + 1])...);
    }
    (std::index_sequence_for<A...>{});
}

// The instantiation of each<F, T, T...> whose T is `type`: one, two or three operands.
template <class F, class... Ts>
Bound unary_of(ptx::Type type, std::uint64_t imm = 0) {
    Bound bound{nullptr, imm};
    ((is<Ts>(type) ? void(bound.run = each<F, Ts, Ts>) : void()), ...);
    return bound;
}
template <class F, class... Ts>
Bound binary_of(ptx::Type type, std::uint64_t imm = 0) {
    Bound bound{nullptr, imm};
    ((is<Ts>(type) ? void(bound.run = each<F, Ts, Ts, Ts>) : void()), ...);
    return bound;
}
template <class F, class... Ts>
Bound ternary_of(ptx::Type type, std::uint64_t imm = 0) {
    Bound bound{nullptr, imm};
    ((is<Ts>(type) ? void(bound.run = each<F, Ts, Ts, Ts, Ts>) : void()), ...);
    return bound;
}

// Predicates: one bit a lane.
template <class F>
inline LaneMask lanes_where(F&& f) {
    LaneMask found = 0;
    for (int lane = 0; lane < warp_size; ++lane) found |= f(lane) ? lane_bit(lane) : 0;
    return found;
}
inline void write_predicate(const Warp& warp, std::int32_t slot, LaneMask mask,
                            LaneMask value) {
    if (slot < 0) return;
    LaneMask& p = predicate(warp, slot);
    p = (p & ~mask) | (value & mask);
}

}  // namespace emu
