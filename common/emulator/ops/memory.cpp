// Loads and stores of every space. Cache operators, eviction hints and prefetches change
// speed, not results, and do nothing here.
//
// Source: PTX ISA 9.7.9 (data movement), 9.4.1 (operands wider than the type), 8 (memory
// consistency: an access by one thread at a time satisfies every ordering and scope).
#include "emulator/ops/lane_copy.h"
#include "emulator/ops/space.h"

namespace emu {
namespace {

using ptx::Space;
using ptx::Type;

// ---- one instruction, specialised -------------------------------------------------

struct B128 {};  // a register of two wide slots

template <class T>
constexpr int element_bytes = std::is_same_v<T, B128> ? 16 : sizeof(T);

const VectorSlots& vector_of(const Inst& inst) {
    return *static_cast<const VectorSlots*>(inst.extra);
}

// Slot of element k; a 128-bit register is its halves.
template <class T, int Count>
std::int32_t slot_of(const Inst& inst, int operand, int k) {
    if constexpr (std::is_same_v<T, B128>)
        return inst.slot[operand] + k * 8 * warp_size;
    else
        return Count == 1 ? inst.slot[operand] : vector_of(inst).slot[k];
}

// Not inlined: one copy serves every space and order.
template <class T, class Reg, int Count>
[[gnu::noinline]] void load_all(Warp& warp, const Inst& inst, const Place* places,
                                int count, LaneMask bad) {
    using Part = std::conditional_t<std::is_same_v<T, B128>, std::uint64_t, T>;
    constexpr int parts = std::is_same_v<T, B128> ? 2 : Count;
    for (int k = 0; k < parts; ++k) {
        const std::int32_t slot = slot_of<T, Count>(inst, 0, k);
        if (slot < 0) continue;  // the sink `_`
        Reg* d = lanes<Reg>(warp, slot);
        for (int p = 0; p < count; ++p) load_element<Part, Reg, parts>(d, places[p], k);
        if (bad) clear_lanes(d, bad);
    }
}

template <class T, class Reg, int Count>
[[gnu::noinline]] void store_all(Warp& warp, const Inst& inst, const Place* places,
                                 int count) {
    using Part = std::conditional_t<std::is_same_v<T, B128>, std::uint64_t, T>;
    constexpr int parts = std::is_same_v<T, B128> ? 2 : Count;
    for (int k = 0; k < parts; ++k) {
        const Reg* s = lanes<Reg>(warp, slot_of<T, Count>(inst, 1, k));
        for (int p = 0; p < count; ++p) store_element<Part, Reg, parts>(s, places[p], k);
    }
}

// Not inlined either: one copy serves every type.
template <bool WideBase, Space S, Order O, Does D>
[[gnu::noinline]] void reach_operand(Warp& warp, const Inst& inst, LaneMask mask,
                                     int bytes, Places& places) {
    addresses<WideBase>(warp, inst, D == Does::load ? 1 : 0, places.address);
    reach({warp, inst, S, D, static_cast<std::uint8_t>(bytes), O == is_volatile,
           O == strong},
          mask, places);
}

template <class T, class Reg, int Count, bool WideBase, Space S, Order O>
void load(Warp& warp, const Inst& inst, LaneMask mask) {
    Places places;
    reach_operand<WideBase, S, O, Does::load>(warp, inst, mask, element_bytes<T> * Count,
                                              places);
    load_all<T, Reg, Count>(warp, inst, places.place, places.count, places.bad);
}

template <class T, class Reg, int Count, bool WideBase, Space S, Order O>
void store(Warp& warp, const Inst& inst, LaneMask mask) {
    Places places;
    reach_operand<WideBase, S, O, Does::store>(warp, inst, mask, element_bytes<T> * Count,
                                               places);
    store_all<T, Reg, Count>(warp, inst, places.place, places.count);
}

// Parameters are neither checked nor counted: the machine has them in its constant bank
// or in registers.
Place parameter_place(Warp& warp, const Inst& inst, int base, LaneMask mask,
                      std::uint64_t* at) {
    const std::uint32_t stride = vector_of(inst).lane_stride;
    if (stride > 0) {
        for (int lane = 0; lane < warp_size; ++lane)
            at[lane] = inst.imm + static_cast<std::uint64_t>(lane) * stride;
        return {reinterpret_cast<std::uint64_t>(warp.frame + inst.slot[base]), at, mask,
                Shape::other};
    }
    for (int lane = 0; lane < warp_size; ++lane) at[lane] = inst.imm;
    if (inst.slot[base] >= 0) addresses<true>(warp, inst, base, at);
    const auto& arguments = warp.worker->launch->arguments;
    return {reinterpret_cast<std::uint64_t>(arguments.data()), at, mask,
            inst.slot[base] < 0 ? Shape::broadcast : Shape::other};
}

template <class T, class Reg, int Count, bool, Space, Order>
void load_parameter(Warp& warp, const Inst& inst, LaneMask mask) {
    alignas(64) std::uint64_t at[warp_size];
    Place place = parameter_place(warp, inst, 1, mask, at);
    // Beyond the arguments (an index into a parameter array gone wrong) lies nothing.
    LaneMask bad = 0;
    if (vector_of(inst).lane_stride == 0) {
        const std::uint64_t size = warp.worker->launch->arguments.size();
        constexpr std::uint64_t bytes = element_bytes<T> * Count;
        for_each_lane(mask, [&](int lane) {
            if (at[lane] > size || bytes > size - at[lane]) bad |= lane_bit(lane);
        });
    }
    place.mask &= ~bad;
    load_all<T, Reg, Count>(warp, inst, &place, place.mask != 0, bad);
}

template <class T, class Reg, int Count, bool, Space, Order>
void store_parameter(Warp& warp, const Inst& inst, LaneMask mask) {
    alignas(64) std::uint64_t at[warp_size];
    const Place place = parameter_place(warp, inst, 0, mask, at);
    store_all<T, Reg, Count>(warp, inst, &place, 1);
}

// ---- from the instruction's text to the specialisation ----------------------------

// What the choice depends on, besides the type.
struct Choice {
    bool is_store, wide_value, wide_base;
    Space space;
    Order order;
    int count;
};

template <class T, class Reg, int Count, bool WideBase, Space S>
Run choose_order(const Choice& c) {
    if constexpr (S == Space::param)
        return c.is_store ? store_parameter<T, Reg, Count, WideBase, S, weak>
                          : load_parameter<T, Reg, Count, WideBase, S, weak>;
    else if (c.order == weak)
        return c.is_store ? store<T, Reg, Count, WideBase, S, weak>
                          : load<T, Reg, Count, WideBase, S, weak>;
    else if (c.order == is_volatile)
        return c.is_store ? store<T, Reg, Count, WideBase, S, is_volatile>
                          : load<T, Reg, Count, WideBase, S, is_volatile>;
    else
        return c.is_store ? store<T, Reg, Count, WideBase, S, strong>
                          : load<T, Reg, Count, WideBase, S, strong>;
}

template <class T, class Reg, int Count>
Run choose_space(const Choice& c) {
    switch (c.space) {
        case Space::global:
            return choose_order<T, Reg, Count, true, Space::global>(c);
        case Space::generic:
            return choose_order<T, Reg, Count, true, Space::generic>(c);
        case Space::param:
            return choose_order<T, Reg, Count, true, Space::param>(c);
        case Space::shared:
            return c.wide_base ? choose_order<T, Reg, Count, true, Space::shared>(c)
                               : choose_order<T, Reg, Count, false, Space::shared>(c);
        case Space::local:
            return c.wide_base ? choose_order<T, Reg, Count, true, Space::local>(c)
                               : choose_order<T, Reg, Count, false, Space::local>(c);
        case Space::constant:
            return c.wide_base ? choose_order<T, Reg, Count, true, Space::constant>(c)
                               : choose_order<T, Reg, Count, false, Space::constant>(c);
        default:
            return nullptr;
    }
}

template <class T, class Reg>
Run choose_count(const Choice& c) {
    switch (c.count) {
        case 1:
            return choose_space<T, Reg, 1>(c);
        case 2:
            return choose_space<T, Reg, 2>(c);
        case 4:
            return choose_space<T, Reg, 4>(c);
        case 8:
            if constexpr (sizeof(T) == 4) return choose_space<T, Reg, 8>(c);
            return nullptr;
        default:
            return nullptr;
    }
}

// A type of up to 32 bits may sit in a wide register; a 64-bit one needs it.
template <class T>
Run choose_register(const Choice& c) {
    if (sizeof(T) == 8 || c.wide_value) return choose_count<T, std::uint64_t>(c);
    if constexpr (sizeof(T) < 8) return choose_count<T, std::uint32_t>(c);
    return nullptr;
}

Bound bind(const Form& form, bool is_store) {
    const int value = is_store ? 1 : 0, base = is_store ? 0 : 1;
    const Choice c{is_store,       form.wide(value), form.wide(base),
                   space_in(form), order_in(form),   count_in(form)};
    switch (form.type()) {
        case Type::b8:
        case Type::u8:
            return {choose_register<std::uint8_t>(c)};
        case Type::s8:
            return {choose_register<std::int8_t>(c)};
        case Type::b16:
        case Type::u16:
        case Type::f16:
        case Type::bf16:
            return {choose_register<std::uint16_t>(c)};
        case Type::s16:
            return {choose_register<std::int16_t>(c)};
        case Type::b32:
        case Type::u32:
        case Type::f32:
        case Type::f16x2:
        case Type::bf16x2:
            return {choose_register<std::uint32_t>(c)};
        case Type::s32:
            return {choose_register<std::int32_t>(c)};
        case Type::b64:
        case Type::u64:
        case Type::s64:
        case Type::f64:
            return {choose_register<std::uint64_t>(c)};
        case Type::b128:
            return {c.count == 1 ? choose_space<B128, std::uint64_t, 1>(c) : nullptr};
        default:
            return {};
    }
}

Bound bind_load(const Form& form) { return bind(form, false); }
Bound bind_store(const Form& form) { return bind(form, true); }

void nothing(Warp&, const Inst&, LaneMask) {}
Bound bind_nothing(const Form&) { return {nothing}; }

constexpr Op ops[] = {
    {"ld", "d:V, a:M, [c:b64]", "Data Movement and Conversion Instructions: ld",
     bind_load},
    {"ldu", "d:V, a:M", "Data Movement and Conversion Instructions: ldu", bind_load},
    {"st", "a:M, b:V, [c:b64]", "Data Movement and Conversion Instructions: st",
     bind_store},
    {"prefetch", "a:M", "Data Movement and Conversion Instructions: prefetch",
     bind_nothing},
    {"prefetchu", "a:M", "Data Movement and Conversion Instructions: prefetchu",
     bind_nothing},
    {"applypriority", "a:M, b:b32",
     "Data Movement and Conversion Instructions: applypriority", bind_nothing},
    {"discard", "a:M, b:b32", "Data Movement and Conversion Instructions: discard",
     bind_nothing},
};

}  // namespace

const std::span<const Op> memory_ops = ops;

}  // namespace emu
