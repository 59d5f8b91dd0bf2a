// Atomics and reductions. The lanes of a warp act in ascending order, so that results
// repeat; on global memory each step is atomic among the host's threads as well.
//
// Source: PTX ISA 9.7.13 (atom, red): operations, types, and that add.f32 flushes
// subnormals in global memory but not in shared.
#include "emulator/ops/atomic_operations.h"
#include "emulator/ops/lane_copy.h"
#include "emulator/ops/space.h"

namespace emu {
namespace {

using ptx::Space;
using ptx::Type;

// ---- one warp's worth -------------------------------------------------------------

template <class F, class U = typename F::Bits>
U step(std::byte* at, U b, U c, bool shared) {
    if (shared) {  // of one block, so of one host thread
        const U old = read<U>(at);
        write(at, F::result(old, b, c, false));
        return old;
    }
    U* word = reinterpret_cast<U*>(at);
    if constexpr (std::is_same_v<F, Add<U>>)
        return __atomic_fetch_add(word, b, __ATOMIC_SEQ_CST);
    U old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(word, &old, F::result(old, b, c, true), true,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return old;
}

// A warp that adds to one counter is one addition of the sum.
template <class U>
void add_sum(const Lane<U>* b, const Place& place) {
    U sum = 0;
    for (int lane = 0; lane < warp_size; ++lane) sum += static_cast<U>(b[lane]);
    __atomic_fetch_add(reinterpret_cast<U*>(place.of(0)), sum, __ATOMIC_SEQ_CST);
}

// Where element k of the operands lies: old value, b, c; -1 where there is none.
struct Slots {
    std::int32_t old = -1, b = -1, c = -1;
};

template <int Count>
Slots slots_of(const Inst& inst, bool returns, int k) {
    const int first = returns ? 2 : 1;
    if constexpr (Count == 1) {
        return {returns ? inst.slot[0] : -1, inst.slot[first], inst.slot[first + 1]};
    } else {
        const auto& v = *static_cast<const VectorSlots*>(inst.extra);
        return {returns ? v.slot[k] : -1, v.slot[returns ? Count + k : k], -1};
    }
}

template <class F>
[[gnu::noinline]] void step_lanes(Warp& warp, const Slots& slots, const Places& places,
                                  int k) {
    using U = typename F::Bits;
    using Reg = Lane<U>;
    const Reg* b = lanes<Reg>(warp, slots.b);
    const Reg* c = slots.c < 0 ? b : lanes<Reg>(warp, slots.c);
    Reg* old = slots.old < 0 ? nullptr : lanes<Reg>(warp, slots.old);
    const auto shared = reinterpret_cast<std::uint64_t>(warp.block->shared);
    for (int p = 0; p < places.count; ++p) {
        const Place& place = places.place[p];
        const bool broadcast = place.mask == all_lanes && place.shape == Shape::broadcast;
        if constexpr (std::is_same_v<F, Add<U>>) {
            if (!old && broadcast) {
                add_sum<U>(b, place);
                continue;
            }
        }
        for_each_lane(place.mask, [&](int lane) {
            const U value =
                step<F>(place.of(lane) + k * sizeof(U), static_cast<U>(b[lane]),
                        static_cast<U>(c[lane]), place.base == shared);
            if (old) old[lane] = value;
        });
    }
    if (old) for_each_lane(places.bad, [&](int lane) { old[lane] = 0; });
}

// `Returns`: the instruction is `atom`, with a destination operand before the address.
template <class F, int Count, bool WideBase, Space S, bool Returns, Does D>
void run(Warp& warp, const Inst& inst, LaneMask mask) {
    Places places;
    addresses<WideBase>(warp, inst, Returns ? 1 : 0, places.address);
    reach({warp, inst, S, D, sizeof(typename F::Bits) * Count, false, true}, mask,
          places);
    for (int k = 0; k < Count; ++k) {
        Slots slots = slots_of<Count>(inst, Returns, k);
        if (D == Does::reduce) slots.old = -1;
        step_lanes<F>(warp, slots, places, k);
    }
}

// ---- from the instruction's text to the specialisation ----------------------------

struct Choice {
    bool returns;  // atom, not red
    bool used;     // and somebody reads what it returns
    bool wide_base;
    Space space;
    int count;
};

template <class F, int Count, bool WideBase, Space S>
Run choose_result(const Choice& c) {
    if (!c.returns) return run<F, Count, WideBase, S, false, Does::reduce>;
    return c.used ? run<F, Count, WideBase, S, true, Does::atomic>
                  : run<F, Count, WideBase, S, true, Does::reduce>;
}

template <class F, int Count>
Run choose_space(const Choice& c) {
    if (c.space == Space::global) return choose_result<F, Count, true, Space::global>(c);
    if (c.space == Space::generic)
        return choose_result<F, Count, true, Space::generic>(c);
    if (c.space != Space::shared) return nullptr;
    return c.wide_base ? choose_result<F, Count, true, Space::shared>(c)
                       : choose_result<F, Count, false, Space::shared>(c);
}

template <class F>
Run choose(const Choice& c) {
    switch (c.count) {
        case 1:
            return choose_space<F, 1>(c);
        case 2:
            return choose_result<F, 2, true, Space::global>(c);
        case 4:
            return choose_result<F, 4, true, Space::global>(c);
        default:
            return nullptr;
    }
}

template <template <class> class F>
Run by_width(Type type, const Choice& c) {
    switch (ptx::size_of(type)) {
        case 4:
            return choose<F<std::uint32_t>>(c);
        case 8:
            return choose<F<std::uint64_t>>(c);
        default:
            return nullptr;
    }
}

template <template <class, class> class F>
Run by_order(Type type, const Choice& c) {
    switch (type) {
        case Type::u32:
            return choose<F<std::uint32_t, std::uint32_t>>(c);
        case Type::s32:
            return choose<F<std::uint32_t, std::int32_t>>(c);
        case Type::u64:
            return choose<F<std::uint64_t, std::uint64_t>>(c);
        case Type::s64:
            return choose<F<std::uint64_t, std::int64_t>>(c);
        default:
            return nullptr;
    }
}

Run choose_add(Type type, const Choice& c) {
    switch (type) {
        case Type::f32:
            return choose<AddF32>(c);
        case Type::f64:
            return choose<AddF64>(c);
        case Type::f16:
            return choose<AddHalf<F16>>(c);
        case Type::bf16:
            return choose<AddHalf<BF16>>(c);
        case Type::f16x2:
            return choose<AddPair<F16>>(c);
        case Type::bf16x2:
            return choose<AddPair<BF16>>(c);
        default:
            return by_width<Add>(type, c);
    }
}

Run choose_operation(const Form& form, const Choice& c) {
    const Type type = form.type();
    if (form.has("add")) return choose_add(type, c);
    if (form.has("min")) return by_order<Min>(type, c);
    if (form.has("max")) return by_order<Max>(type, c);
    if (form.has("and")) return by_width<And>(type, c);
    if (form.has("or")) return by_width<Or>(type, c);
    if (form.has("xor")) return by_width<Xor>(type, c);
    if (form.has("exch")) return by_width<Exchange>(type, c);
    if (form.has("inc")) return type == Type::u32 ? choose<Increment>(c) : nullptr;
    if (form.has("dec")) return type == Type::u32 ? choose<Decrement>(c) : nullptr;
    if (form.has("cas"))
        return type == Type::b16 ? choose<CompareSwap<std::uint16_t>>(c)
                                 : by_width<CompareSwap>(type, c);
    return nullptr;
}

Bound bind(const Form& form, bool returns, bool vector) {
    const Choice c{returns, !form.result_unused, form.wide(returns ? 1 : 0),
                   space_in(form), count_in(form)};
    const bool bulk = form.has("async");  // red.async completes on a barrier
    if (vector != (c.count > 1) || bulk) return {};
    return {choose_operation(form, c)};
}

Bound bind_atom(const Form& form) { return bind(form, true, false); }
Bound bind_red(const Form& form) { return bind(form, false, false); }
Bound bind_vector_atom(const Form& form) { return bind(form, true, true); }
Bound bind_vector_red(const Form& form) { return bind(form, false, true); }

constexpr std::string_view atom = "Parallel Synchronization and Communication: atom";
constexpr std::string_view red = "Parallel Synchronization and Communication: red";

constexpr Op ops[] = {
    {"atom", "d:T, a:M, b:T, [c:T]", atom, bind_atom},
    {"atom", "d:V, a:M, b:V", atom, bind_vector_atom},
    {"red", "a:M, b:T", red, bind_red},
    {"red", "a:M, b:V", red, bind_vector_red},
};

}  // namespace

const std::span<const Op> atomic_ops = ops;

}  // namespace emu
