#include "emulator/ops/reach.h"

#include <algorithm>

#include "emulator/mem/memory.h"
#include "emulator/observe/access_cost.h"
#include "emulator/observe/bounds.h"

namespace emu {
namespace {

using ptx::Space;

// Widths are powers of two (PTX ISA 5.4.2), so that no division is needed.
bool is_multiple(std::uint64_t value, int bytes) {
    return (value & static_cast<std::uint64_t>(bytes - 1)) == 0;
}

bool same_pattern(const Site& site, const std::uint64_t* address, LaneMask mask) {
    const std::uint64_t first = address[first_lane(mask)];
    std::uint64_t differ = 0;
    if (mask == all_lanes) {
        for (int lane = 0; lane < warp_size; ++lane)
            differ |= (address[lane] - first) ^ site.relative[lane];
    } else {
        for (int lane = 0; lane < warp_size; ++lane)
            differ |= ((address[lane] - first) ^ site.relative[lane]) &
                      -static_cast<std::uint64_t>(mask >> lane & 1u);
    }
    return differ == 0;
}

Shape shape_of(const Site& site, int bytes) {
    if (site.mask != all_lanes) return Shape::other;
    std::uint64_t all_equal = 0, all_next = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        all_equal |= site.relative[lane];
        all_next |= site.relative[lane] ^ static_cast<std::uint64_t>(lane * bytes);
    }
    if (all_equal == 0) return Shape::broadcast;
    return all_next == 0 ? Shape::contiguous : Shape::other;
}

void learn_pattern(Site& site, const std::uint64_t* address, LaneMask mask, int bytes) {
    const std::uint64_t first = address[first_lane(mask)];
    site.mask = mask;
    site.bytes = static_cast<std::uint8_t>(bytes);
    site.priced = false;
    std::int64_t low = 0, high = 0;
    std::uint64_t bits = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t active = -static_cast<std::uint64_t>(mask >> lane & 1u);
        const std::uint64_t relative = (address[lane] - first) & active;
        site.relative[lane] = relative;
        bits |= relative;
        low = std::min(low, static_cast<std::int64_t>(relative));
        high = std::max(high, static_cast<std::int64_t>(relative));
    }
    site.low = low;
    site.high = high;
    site.aligned = is_multiple(bits, bytes);
    site.shape = shape_of(site, bytes);
}

// What a memory space allows: addresses [bottom, top), whose bytes lie `distance`
// further.
struct Bounds {
    std::uint64_t bottom = 0, top = 0, distance = 0;
    bool read_only = false;

    bool hold(std::uint64_t address, int bytes) const {
        return address >= bottom && address < top &&
               static_cast<std::uint64_t>(bytes) <= top - address;
    }
};

Bounds bounds_of(const Allocation& a) {
    return {a.address, a.address + a.bytes,
            reinterpret_cast<std::uint64_t>(a.storage) - a.address,
            a.kind == Kind::constant};
}

// Bounds of the space at `address`; empty where nothing is.
Bounds bounds_at(const Reach& r, Space space, std::uint64_t address) {
    const Warp& warp = r.warp;
    if (space == Space::shared)
        return {0, warp.block->shared_bytes,
                reinterpret_cast<std::uint64_t>(warp.block->shared), false};
    if (space == Space::local)
        return {0, warp.local_stride, reinterpret_cast<std::uint64_t>(warp.local), false};
    const Allocation* found = warp.worker->launch->memory->find(address);
    return found ? bounds_of(*found) : Bounds{};
}

void remember_bounds(const Reach& r, Site& site, Space space, std::uint64_t address) {
    const Bounds b = bounds_at(r, space, address);
    site.bottom = b.bottom;
    site.top = b.top;
    site.distance = b.distance;
    site.read_only = b.read_only;
    site.generation = r.warp.worker->launch->memory->generation();
}

bool remembered_bounds_hold(const Reach& r, const Site& site, Space space,
                            std::uint64_t first) {
    if (site.read_only && r.does != Does::load) return false;
    if (space == Space::shared || space == Space::local) {
        const std::uint64_t top =
            space == Space::shared ? r.warp.block->shared_bytes : r.warp.local_stride;
        return first + site.low < top && first + site.high < top &&
               first + site.high + site.bytes <= top;
    }
    return site.generation == r.warp.worker->launch->memory->generation() &&
           first + site.low >= site.bottom && first + site.low < site.top &&
           first + site.high >= site.bottom && first + site.high < site.top &&
           site.bytes <= site.top - (first + site.high);
}

void publish(const Reach& r, Space space, const std::uint64_t* address, LaneMask mask,
             const AccessCost& cost) {
    r.warp.worker->observer->accessed(
        r.warp,
        {space, r.does, r.bytes, mask, address, &r.inst, r.is_volatile, r.is_strong},
        cost);
}

void price(const Reach& r, Site& site, Space space, const std::uint64_t* address,
           LaneMask mask) {
    const std::uint8_t phase = address[first_lane(mask)] & 127;
    if (site.priced && site.phase == phase) return;
    site.cost = access_cost(space, r.does, address, mask, r.bytes);
    site.phase = phase;
    site.priced = true;
}

void add_place(Places& places, Space space, std::uint64_t base,
               const std::uint64_t* address, LaneMask mask, Shape shape,
               const Warp& warp) {
    const std::uint64_t* at = address;
    if (space == Space::local) {  // each lane has its own
        for (int lane = 0; lane < warp_size; ++lane)
            places.local[lane] =
                address[lane] + static_cast<std::uint64_t>(lane) * warp.local_stride;
        at = places.local;
        shape = Shape::other;
    }
    places.place[places.count++] = {base, at, mask, shape};
}

// Lane by lane: reports the bad ones, groups the good ones by their distance to storage.
void sort_out(const Reach& r, Space space, const std::uint64_t* address, LaneMask mask,
              Places& places) {
    LaneMask misaligned = 0, outside = 0, left = 0;
    std::uint64_t distance[warp_size];
    for_each_lane(mask, [&](int lane) {
        const Bounds b = bounds_at(r, space, address[lane]);
        distance[lane] = b.distance;
        const bool allowed =
            b.hold(address[lane], r.bytes) && !(b.read_only && r.does != Does::load);
        (!is_multiple(address[lane], r.bytes) ? misaligned
         : allowed                    ? left
                                      : outside) |= lane_bit(lane);
    });
    if (misaligned)
        report_bad_access(r.warp, r.inst, space, r.does, r.bytes, address, misaligned,
                          BadAccess::misaligned);
    if (outside)
        report_bad_access(r.warp, r.inst, space, r.does, r.bytes, address, outside,
                          BadAccess::outside);
    places.bad |= misaligned | outside;
    if (left && r.warp.worker->observer)
        publish(r, space, address, left,
                access_cost(space, r.does, address, left, r.bytes));
    while (left) {
        const std::uint64_t base = distance[first_lane(left)];
        LaneMask group = 0;
        for_each_lane(left, [&](int lane) {
            if (distance[lane] == base) group |= lane_bit(lane);
        });
        add_place(places, space, base, address, group, Shape::other, r.warp);
        left &= ~group;
    }
}

void reach_in(const Reach& r, Space space, const std::uint64_t* address, LaneMask mask,
              Places& places) {
    SiteTable& sites = *r.warp.worker->sites;
    Site& site = r.second ? sites.second(r.inst.site) : sites[r.inst.site];
    if (site.mask != mask || site.bytes != r.bytes || !same_pattern(site, address, mask))
        learn_pattern(site, address, mask, r.bytes);
    if (site.space != static_cast<std::uint8_t>(space)) {
        site.space = static_cast<std::uint8_t>(space);
        site.priced = false;
        site.generation = 0;
        site.read_only = false;
    }
    const std::uint64_t first = address[first_lane(mask)];
    if (!site.aligned || !is_multiple(first, r.bytes))
        return sort_out(r, space, address, mask, places);
    if (!remembered_bounds_hold(r, site, space, first)) {
        remember_bounds(r, site, space, first);
        if (!remembered_bounds_hold(r, site, space, first))
            return sort_out(r, space, address, mask, places);
    }
    if (r.warp.worker->observer) {
        price(r, site, space, address, mask);
        publish(r, space, address, mask, site.cost);
    }
    const std::uint64_t base =
        space == Space::shared  ? reinterpret_cast<std::uint64_t>(r.warp.block->shared)
        : space == Space::local ? reinterpret_cast<std::uint64_t>(r.warp.local)
                                : site.distance;
    add_place(places, space, base, address, mask, site.shape, r.warp);
}

// A generic access goes where each lane's address points: a warp may mix spaces.
void reach_generic(const Reach& r, std::uint64_t* address, LaneMask mask,
                   Places& places) {
    LaneMask in_shared = 0, in_local = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        in_shared |= LaneMask(address[lane] - shared_window < shared_window_bytes)
                     << lane;
        in_local |= LaneMask(address[lane] - local_window < local_window_bytes) << lane;
    }
    in_shared &= mask;
    in_local &= mask;
    for_each_lane(in_shared, [&](int lane) { address[lane] -= shared_window; });
    for_each_lane(in_local, [&](int lane) { address[lane] -= local_window; });
    const LaneMask in_global = mask & ~in_shared & ~in_local;
    if (in_global) reach_in(r, Space::global, address, in_global, places);
    if (in_shared) reach_in(r, Space::shared, address, in_shared, places);
    if (in_local) reach_in(r, Space::local, address, in_local, places);
}

}  // namespace

void reach(const Reach& r, LaneMask mask, Places& places) {
    places.count = 0;
    places.bad = 0;
    if (r.space == Space::generic)
        reach_generic(r, places.address, mask, places);
    else
        reach_in(r, r.space, places.address, mask, places);
}

}  // namespace emu
