#include "emulator/observe/local.h"

#include <algorithm>

#include "emulator/observe/coalescing.h"

namespace emu {

int local_sectors(const std::uint64_t* offset, LaneMask mask, int bytes) {
    // Lanes that share a sector hold the same words of it: the words of a wide access all
    // add as many sectors as its first.
    const int words = std::max(bytes / 4, 1);
    std::uint64_t lies[warp_size] = {};
    for_each_lane(mask, [&](int lane) {
        lies[lane] =
            offset[lane] / (4 * words) * 128 + 4 * static_cast<std::uint64_t>(lane);
    });
    return sectors_of(lies, mask) * words;
}

}  // namespace emu
