// Asynchronous copies, fences and mbarriers. A copy is done at once, which is one of the
// orders that the machine may choose; waiting for it then has nothing to do.
//
// Source: PTX ISA 9.7.9.25 (cp.async), 9.7.13 (fence, membar), 9.7.13.15 (mbarrier).
#include <algorithm>
#include <bit>

#include "emulator/ops/lane_copy.h"
#include "emulator/ops/space.h"

namespace emu {
namespace {

using ptx::Space;

void nothing(Warp&, const Inst&, LaneMask) {}

// ---- cp.async ---------------------------------------------------------------------

template <bool WideBase>
void address_half(const Warp& warp, const Inst& inst, int k, std::uint64_t* address) {
    Inst one = inst;  // two addresses share imm, 32 bits each
    one.imm = static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>(inst.imm >> (32 * k))));
    addresses<WideBase>(warp, one, k, address);
}

// Bytes that each lane reads, by the operand in that slot if there is one; the rest of
// its chunk is filled with zero.
void bytes_to_read(const Warp& warp, std::int32_t slot, std::uint32_t chunk,
                   std::uint32_t* bytes) {
    const bool given = slot >= 0;
    const std::uint32_t* asked = given ? lanes<std::uint32_t>(warp, slot) : nullptr;
    for (int lane = 0; lane < warp_size; ++lane)
        bytes[lane] = given ? std::min(asked[lane], chunk) : chunk;
}

// Reads the lanes of `mask`, `bytes` each, into their chunk.
void read_chunks(Warp& warp, const Inst& inst, LaneMask mask, std::uint32_t bytes,
                 const std::uint64_t* from, std::byte (*chunk)[16]) {
    Places places;
    std::copy(from, from + warp_size, places.address);
    // Checked as one access, which needs a power of two: a ragged end by its largest.
    const auto checked = static_cast<std::uint8_t>(std::bit_floor(bytes));
    reach({warp, inst, Space::global, Does::load, checked}, mask, places);
    for (int p = 0; p < places.count; ++p)
        for_each_lane(places.place[p].mask, [&](int lane) {
            std::memcpy(chunk[lane], places.place[p].of(lane), bytes);
        });
}

// `Sized`: slot 3 is the number of bytes to read, or -1; else it is a cache policy.
template <bool WideBase, bool Sized>
void copy(Warp& warp, const Inst& inst, LaneMask mask) {
    const std::uint32_t size = lanes<std::uint32_t>(warp, inst.slot[2])[first_lane(mask)];
    alignas(64) std::uint64_t from[warp_size];
    std::uint32_t bytes[warp_size];
    alignas(64) std::byte chunk[warp_size][16] = {};
    address_half<true>(warp, inst, 1, from);
    bytes_to_read(warp, Sized ? inst.slot[3] : -1, size, bytes);
    for (LaneMask left = mask; left != 0;) {
        const std::uint32_t same = bytes[first_lane(left)];
        LaneMask group = 0;
        for_each_lane(left, [&](int l) { group |= LaneMask(bytes[l] == same) << l; });
        if (same > 0) read_chunks(warp, inst, group, same, from, chunk);
        left &= ~group;
    }
    Places places;
    address_half<WideBase>(warp, inst, 0, places.address);
    reach({warp, inst, Space::shared, Does::store, static_cast<std::uint8_t>(size), false,
           false, true},
          mask, places);
    for (int p = 0; p < places.count; ++p)
        for_each_lane(places.place[p].mask, [&](int lane) {
            std::memcpy(places.place[p].of(lane), chunk[lane], size);
        });
}

// cp.async.{ca,cg}.shared.global; with a cache hint a policy follows as the last operand.
Bound bind_copy(const Form& form, std::size_t operands, bool hint) {
    const bool plain = form.has("async") && (form.has("ca") || form.has("cg"));
    if (!plain || form.has("bulk") || form.has("L2::cache_hint") != hint ||
        form.text.operands.size() > operands ||
        (hint && form.text.operands.size() < operands))
        return {};
    const bool sized = !hint || operands == 5;
    return {form.wide(0) ? (sized ? copy<true, true> : copy<true, false>)
                         : (sized ? copy<false, true> : copy<false, false>)};
}
Bound bind_copy_plain(const Form& form) { return bind_copy(form, 4, false); }
Bound bind_copy_hint(const Form& form) { return bind_copy(form, 4, true); }
Bound bind_copy_size_hint(const Form& form) { return bind_copy(form, 5, true); }

// ---- waiting and ordering: nothing is ever outstanding ----------------------------

Bound bind_commit(const Form& form) {
    return {form.has("commit_group") || form.has("wait_all") ? nothing : nullptr};
}
Bound bind_wait_group(const Form& form) {
    return {form.has("wait_group") ? nothing : nullptr};
}
Bound bind_nothing(const Form&) { return {nothing}; }

void no_policy(Warp& warp, const Inst& inst, LaneMask mask) {
    clear_lanes(lanes<std::uint64_t>(warp, inst.slot[0]), mask);
}
Bound bind_policy(const Form& form) {
    return {form.has("fractional") ? no_policy : nullptr};
}

// ---- mbarrier: 64 bits in shared memory -------------------------------------------

// The manual leaves the format open. Here: arrivals still missing in this phase, arrivals
// a phase needs, number of the phase.
struct Barrier {
    std::uint64_t bits;
    static constexpr int width = 20;
    static constexpr std::uint64_t field = (1u << width) - 1;

    std::uint64_t missing() const { return bits & field; }
    std::uint64_t needed() const { return bits >> width & field; }
    std::uint64_t phase() const { return bits >> 2 * width; }
    static Barrier of(std::uint64_t missing, std::uint64_t needed, std::uint64_t phase) {
        return {(missing & field) | (needed & field) << width | phase << 2 * width};
    }
};

// Calls act(lane, barrier) for each lane in ascending order and stores what it changes.
template <bool WideBase, Space S, class F>
void each_barrier(Warp& warp, const Inst& inst, int k, LaneMask mask, F&& act) {
    Places places;
    addresses<WideBase>(warp, inst, k, places.address);
    reach({warp, inst, S, Does::atomic, 8, false, true}, mask, places);
    for (int p = 0; p < places.count; ++p)
        for_each_lane(places.place[p].mask, [&](int lane) {
            std::byte* at = places.place[p].of(lane);
            Barrier barrier{read<std::uint64_t>(at)};
            act(lane, barrier);
            write(at, barrier.bits);
        });
}

struct Init {
    template <bool W, Space S>
    static void run(Warp& warp, const Inst& inst, LaneMask mask) {
        const auto* needed = lanes<std::uint32_t>(warp, inst.slot[1]);
        each_barrier<W, S>(warp, inst, 0, mask, [&](int lane, Barrier& b) {
            b = Barrier::of(needed[lane], needed[lane], 0);
        });
    }
};

// `Drop`: the arriving thread takes part no longer.
template <bool Drop>
struct Arrive {
    template <bool W, Space S>
    static void run(Warp& warp, const Inst& inst, LaneMask mask) {
        const std::uint32_t* arrivals =
            inst.slot[2] < 0 ? nullptr : lanes<std::uint32_t>(warp, inst.slot[2]);
        std::uint64_t* state =
            inst.slot[0] < 0 ? nullptr : lanes<std::uint64_t>(warp, inst.slot[0]);
        each_barrier<W, S>(warp, inst, 1, mask, [&](int lane, Barrier& b) {
            if (state) state[lane] = b.bits;
            const std::uint64_t n = arrivals ? arrivals[lane] : 1;
            const std::uint64_t needed = b.needed() - (Drop ? n : 0);
            const std::uint64_t missing = b.missing() - std::min(n, b.missing());
            b = missing > 0 ? Barrier::of(missing, needed, b.phase())
                            : Barrier::of(needed, needed, b.phase() + 1);
        });
    }
};

// Has the phase of that state, or of that parity, completed?
template <bool Parity>
struct Test {
    template <bool W, Space S>
    static void run(Warp& warp, const Inst& inst, LaneMask mask) {
        using Operand = std::conditional_t<Parity, std::uint32_t, std::uint64_t>;
        const auto* asked = lanes<Operand>(warp, inst.slot[2]);
        LaneMask done = 0;
        each_barrier<W, S>(warp, inst, 1, mask, [&](int lane, Barrier& b) {
            const bool over = Parity ? (b.phase() & 1) != (asked[lane] & 1)
                                     : b.phase() != Barrier{asked[lane]}.phase();
            done |= LaneMask(over) << lane;
        });
        if (inst.slot[0] < 0) return;
        LaneMask& p = predicate(warp, inst.slot[0]);
        p = (p & ~mask) | (done & mask);
    }
};

template <class Does>
Run choose_place(const Form& form, int address) {
    switch (space_in(form)) {
        case Space::shared:
            return form.wide(address) ? Does::template run<true, Space::shared>
                                      : Does::template run<false, Space::shared>;
        case Space::generic:
            return Does::template run<true, Space::generic>;
        default:
            return nullptr;
    }
}

// Bytes that bulk copies promise (tx-count) are not kept: there are no bulk copies.
bool counts_bytes(const Form& form) {
    return form.has("expect_tx") || form.has("complete_tx") ||
           form.has("shared::cluster");
}

Bound bind_init(const Form& form) {
    return {form.has("init") ? choose_place<Init>(form, 0) : nullptr};
}
Bound bind_invalidate(const Form& form) {
    return {form.has("inval") ? nothing : nullptr};
}
Bound bind_arrive(const Form& form) {
    if (counts_bytes(form)) return {};
    if (form.has("arrive")) return {choose_place<Arrive<false>>(form, 1)};
    return {form.has("arrive_drop") ? choose_place<Arrive<true>>(form, 1) : nullptr};
}
bool tests(const Form& form) { return form.has("test_wait") || form.has("try_wait"); }
Bound bind_test(const Form& form) {
    return {tests(form) && !form.has("parity") ? choose_place<Test<false>>(form, 1)
                                               : nullptr};
}
Bound bind_test_parity(const Form& form) {
    return {tests(form) && form.has("parity") ? choose_place<Test<true>>(form, 1)
                                              : nullptr};
}

constexpr std::string_view copying =
    "Data Movement and Conversion Instructions: Asynchronous copy";
constexpr std::string_view fencing =
    "Parallel Synchronization and Communication: membar, fence";
constexpr std::string_view meeting =
    "Parallel Synchronization and Communication: mbarrier";

constexpr Op ops[] = {
    {"cp", "a:M, b:M, c:u32, [d:u32]", copying, bind_copy_plain},
    {"cp", "a:M, b:M, c:u32, e:b64", copying, bind_copy_hint},
    {"cp", "a:M, b:M, c:u32, d:u32, e:b64", copying, bind_copy_size_hint},
    {"cp", "", copying, bind_commit},
    {"cp", "a:u32", copying, bind_wait_group},
    {"createpolicy", "d:b64, [a:f32]", "Cache Eviction Priority Hints: createpolicy",
     bind_policy},
    {"membar", "", fencing, bind_nothing},
    {"fence", "", fencing, bind_nothing},
    {"griddepcontrol", "", "Parallel Synchronization and Communication: griddepcontrol",
     bind_nothing},
    {"mbarrier", "a:M, b:u32", meeting, bind_init},
    {"mbarrier", "a:M", meeting, bind_invalidate},
    {"mbarrier", "d:b64, a:M, [b:u32]", meeting, bind_arrive},
    {"mbarrier", "d:pred, a:M, b:b64, [c:u32]", meeting, bind_test},
    {"mbarrier", "d:pred, a:M, b:u32, [c:u32]", meeting, bind_test_parity},
};

}  // namespace

const std::span<const Op> async_ops = ops;

}  // namespace emu
