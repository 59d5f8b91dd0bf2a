#include "emulator/observe/coalescing.h"

#include <algorithm>
#include <bit>

#include "emulator/observe/distinct.h"

namespace emu {

int distinct_units(const std::uint64_t* address, LaneMask mask, int shift) {
    if (mask == 0) return 0;
    std::uint64_t least = ~0ull;
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t inactive = static_cast<std::uint64_t>(mask >> lane & 1u) - 1;
        least = std::min(least, address[lane] >> shift | inactive);
    }
    // Counted from the least; lanes that are not active repeat it.
    alignas(64) std::uint64_t unit[warp_size];
    std::uint64_t bits = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t active = -static_cast<std::uint64_t>(mask >> lane & 1u);
        unit[lane] = ((address[lane] >> shift) - least) & active;
        bits |= unit[lane];
    }
    // Most warps stay within 64 units: then one word marks them all.
    if (bits < 64) {
        std::uint64_t marks = 0;
        for (int lane = 0; lane < warp_size; ++lane) marks |= 1ull << unit[lane];
        return std::popcount(marks);
    }
    if (bits >> 32 == 0) {
        alignas(64) std::uint32_t narrow[warp_size];
        for (int lane = 0; lane < warp_size; ++lane)
            narrow[lane] = static_cast<std::uint32_t>(unit[lane]);
        return count(first_of_each(narrow, mask));
    }
    std::sort(unit, unit + warp_size);
    return static_cast<int>(std::unique(unit, unit + warp_size) - unit);
}

int atomic_sectors_of(const std::uint64_t* address, LaneMask mask) {
    std::uint64_t sorted[warp_size];
    int n = 0;
    for_each_lane(mask, [&](int lane) { sorted[n++] = address[lane]; });
    std::sort(sorted, sorted + n);
    int sectors = 0, busiest = 0, lanes = 0;
    for (int k = 0; k < n; ++k) {
        lanes = k > 0 && sorted[k] == sorted[k - 1] ? lanes + 1 : 1;
        busiest = std::max(busiest, lanes);
        if (k + 1 < n && sorted[k + 1] >> 5 == sorted[k] >> 5) continue;
        sectors += busiest;
        busiest = 0;
    }
    return sectors;
}

}  // namespace emu
