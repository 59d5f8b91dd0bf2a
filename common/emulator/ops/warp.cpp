// Operations among the lanes of a warp. PTX ISA, "Parallel Synchronization and
// Communication Instructions". exec/ calls them once all lanes of the mask operand that
// have not exited are there; `mask` is those lanes.
#include "emulator/ops/warp_sync.h"

#include <algorithm>

#include "emulator/ops/bind.h"

namespace emu {
namespace {

using ptx::Type;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 held(std::initializer_list<int> kinds) {
    u32 bits = 0, k = 0;
    for (int kind : kinds) bits |= u32(kind) << (2 * k++);
    return bits;
}
constexpr int predicate_slot = 1, narrow = 2, wide = 3;

// ---- shfl
// ------------------------------------------------------------------------------

enum Mode : int { up, down, bfly, idx };

// Which lane is read, and whether it lies within the segment (PTX ISA, "shfl.sync").
template <Mode mode>
int source_of(int lane, u32 b, u32 c, bool& within) {
    const int segments = int(c >> 8 & 31), clamp = int(c & 31), by = int(b & 31);
    const int first = lane & segments;
    const int bound = first | (clamp & ~segments);
    int source = 0;
    if constexpr (mode == up) source = lane - by;
    if constexpr (mode == down) source = lane + by;
    if constexpr (mode == bfly) source = lane ^ by;
    if constexpr (mode == idx) source = first | (by & ~segments);
    within = mode == up ? source >= bound : source <= bound;
    return within ? source : lane;
}

template <Mode mode>
void shuffle(Warp& warp, const Inst& in, LaneMask mask) {
    const u32 *a = lanes<u32>(warp, in.slot[2]), *b = lanes<u32>(warp, in.slot[3]),
              *c = lanes<u32>(warp, in.slot[4]);
    u32 result[warp_size];
    LaneMask inside = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        bool within = false;
        const int source = source_of<mode>(lane, b[lane], c[lane], within);
        // A lane that does not take part has no defined value; 0 repeats from run to run.
        result[lane] = has_lane(mask, source & 31) ? a[source & 31] : 0;
        inside |= within ? lane_bit(lane) : 0;
    }
    if (in.slot[0] >= 0)
        write_lanes<u32>(warp, in.slot[0], mask, [&](int lane) { return result[lane]; });
    write_predicate(warp, in.slot[1], mask, inside);
}

Bound bind_shuffle(const Form& form) {
    if (!form.has("sync") || form.type() != Type::b32) return {};
    const WarpSync sync{Meeting::shuffle, 5,
                        held({narrow, predicate_slot, narrow, narrow, narrow, narrow})};
    Run run = form.has("up")     ? shuffle<up>
              : form.has("down") ? shuffle<down>
              : form.has("bfly") ? shuffle<bfly>
              : form.has("idx")  ? shuffle<idx>
                                 : nullptr;
    return {run, sync.packed()};
}

// ---- vote
// ------------------------------------------------------------------------------

enum Vote : int { all, any, uniform, ballot };

template <Vote vote>
void count_votes(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask votes = predicate(warp, in.slot[1]) & mask;
    if constexpr (vote == ballot) {
        write_lanes<u32>(warp, in.slot[0], mask, [&](int) { return votes; });
    } else {
        const bool yes = vote == all   ? votes == mask
                         : vote == any ? votes != 0
                                       : votes == 0 || votes == mask;
        write_predicate(warp, in.slot[0], mask, yes ? all_lanes : 0);
    }
}

Bound bind_vote(const Form& form) {
    if (!form.has("sync")) return {};
    const bool word = form.has("ballot");
    const WarpSync sync{Meeting::vote, 2,
                        held({word ? narrow : predicate_slot, predicate_slot, narrow})};
    Run run = word              ? count_votes<ballot>
              : form.has("all") ? count_votes<all>
              : form.has("any") ? count_votes<any>
              : form.has("uni") ? count_votes<uniform>
                                : nullptr;
    return {run, sync.packed()};
}

// ---- match
// -----------------------------------------------------------------------------

template <class T>
void match_any(Warp& warp, const Inst& in, LaneMask mask) {
    const T* a = lanes<T>(warp, in.slot[2]);
    u32 same[warp_size] = {};
    for_each_lane(mask, [&](int lane) {
        for_each_lane(mask, [&](int other) {
            same[lane] |= a[other] == a[lane] ? lane_bit(other) : 0;
        });
    });
    write_lanes<u32>(warp, in.slot[0], mask, [&](int lane) { return same[lane]; });
}

template <class T>
void match_all(Warp& warp, const Inst& in, LaneMask mask) {
    const T* a = lanes<T>(warp, in.slot[2]);
    bool equal = true;
    for_each_lane(mask, [&](int lane) { equal &= a[lane] == a[first_lane(mask)]; });
    if (in.slot[0] >= 0)
        write_lanes<u32>(warp, in.slot[0], mask, [&](int) { return equal ? mask : 0; });
    write_predicate(warp, in.slot[1], mask, equal ? all_lanes : 0);
}

Bound bind_match(const Form& form) {
    if (!form.has("sync")) return {};
    const bool eight = ptx::size_of(form.type()) == 8;
    const WarpSync sync{Meeting::match, 3,
                        held({narrow, predicate_slot, eight ? wide : narrow, narrow})};
    if (form.has("any")) return {eight ? match_any<u64> : match_any<u32>, sync.packed()};
    if (form.has("all")) return {eight ? match_all<u64> : match_all<u32>, sync.packed()};
    return {};
}

// ---- redux
// -----------------------------------------------------------------------------

template <class T, class F>
void reduce(Warp& warp, const Inst& in, LaneMask mask) {
    const u32* a = lanes<u32>(warp, in.slot[1]);
    T total = from_lane<T>(a[first_lane(mask)]);
    for_each_lane(mask & (mask - 1),
                  [&](int lane) { total = F{}(total, from_lane<T>(a[lane])); });
    write_lanes<T>(warp, in.slot[0], mask, [&](int) { return total; });
}

struct Add {
    template <class T>
    T operator()(T a, T b) const {
        return a + b;
    }
};
struct Min {
    template <class T>
    T operator()(T a, T b) const {
        return std::min(a, b);
    }
};
struct Max {
    template <class T>
    T operator()(T a, T b) const {
        return std::max(a, b);
    }
};
struct And {
    template <class T>
    T operator()(T a, T b) const {
        return a & b;
    }
};
struct Or {
    template <class T>
    T operator()(T a, T b) const {
        return a | b;
    }
};
struct Xor {
    template <class T>
    T operator()(T a, T b) const {
        return a ^ b;
    }
};

Bound bind_reduce(const Form& form) {
    const bool is_signed = form.type() == Type::s32;
    if (!is_signed && form.type() != Type::u32 && form.type() != Type::b32) return {};
    const WarpSync sync{Meeting::reduce, 2, held({narrow, narrow, narrow})};
    Run run = nullptr;
    if (form.has("add")) run = reduce<u32, Add>;
    if (form.has("min")) run = is_signed ? reduce<std::int32_t, Min> : reduce<u32, Min>;
    if (form.has("max")) run = is_signed ? reduce<std::int32_t, Max> : reduce<u32, Max>;
    if (form.has("and")) run = reduce<u32, And>;
    if (form.has("or")) run = reduce<u32, Or>;
    if (form.has("xor")) run = reduce<u32, Xor>;
    return {run, sync.packed()};
}

// ---- bar.warp.sync, elect, activemask
// --------------------------------------------------

void nothing(Warp&, const Inst&, LaneMask) {}

Bound bind_barrier(const Form& form) {
    if (!form.has("warp")) return {};
    return {nothing, WarpSync{Meeting::barrier, 0, held({narrow})}.packed()};
}

// The leader is the lowest lane; any choice is allowed, this one repeats.
void elect(Warp& warp, const Inst& in, LaneMask mask) {
    const int leader = first_lane(mask);
    if (in.slot[0] >= 0)
        write_lanes<u32>(warp, in.slot[0], mask, [&](int) { return u32(leader); });
    write_predicate(warp, in.slot[1], mask, lane_bit(leader));
}

Bound bind_elect(const Form&) {
    return {elect,
            WarpSync{Meeting::elect, 2, held({narrow, predicate_slot, narrow})}.packed()};
}

void active_mask(Warp& warp, const Inst& in, LaneMask mask) {
    write_lanes<u32>(warp, in.slot[0], mask, [&](int) { return mask; });
}

Bound bind_active_mask(const Form&) { return {active_mask}; }

constexpr Op ops[] = {
    {"shfl", "d|p:b32, a:b32, b:b32, c:b32, m:b32", "shfl.sync", bind_shuffle,
     Leaves::warp_sync},
    {"vote", "d:R, a:pred, m:b32", "vote.sync", bind_vote, Leaves::warp_sync},
    {"match", "d|p:b32, a:T, m:b32", "match.sync", bind_match, Leaves::warp_sync},
    {"redux", "d:T, a:T, m:b32", "redux.sync", bind_reduce, Leaves::warp_sync},
    {"bar", "m:b32", "bar.warp.sync", bind_barrier, Leaves::warp_sync},
    {"elect", "d|p:b32, m:b32", "elect.sync", bind_elect, Leaves::warp_sync},
    {"activemask", "d:b32", "activemask", bind_active_mask},
};

}  // namespace

const std::span<const Op> warp_ops = ops;

}  // namespace emu
