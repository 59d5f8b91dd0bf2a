#include "emulator/observe/coalescing.h"

#include <algorithm>

namespace emu {

int distinct_units(const std::uint64_t* address, LaneMask mask, int shift) {
    std::uint64_t unit[warp_size];
    int n = 0;
    for_each_lane(mask, [&](int lane) { unit[n++] = address[lane] >> shift; });
    // Rows and columns of arrays give ascending addresses: then neighbours suffice.
    int steps = 1;
    bool ascending = true;
    for (int k = 1; k < n; ++k) {
        ascending &= unit[k - 1] <= unit[k];
        steps += unit[k - 1] != unit[k];
    }
    if (n == 0 || ascending) return n == 0 ? 0 : steps;
    int distinct = 0;
    for (int k = 0; k < n; ++k) {
        int seen = 0;
        for (int before = 0; before < k; ++before) seen |= unit[before] == unit[k];
        distinct += seen == 0;
    }
    return distinct;
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
