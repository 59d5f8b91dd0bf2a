#include "emulator/observe/banks.h"

#include <algorithm>

namespace emu {
namespace {

// Lanes are served in parts that carry at most 128 bytes: the warp, halves, quarters.
int parts_of(int bytes) { return bytes <= 4 ? 1 : bytes / 4; }

LaneMask part(int k, int parts) {
    const int lanes = warp_size / parts;
    const LaneMask first = lanes == warp_size ? all_lanes : lane_bit(lanes) - 1;
    return first << (k * lanes);
}

}  // namespace

int bank_ways(const std::uint64_t* address, LaneMask mask, int bytes) {
    const int size = std::max(bytes, 4), groups = 128 / size;
    std::uint64_t unit[warp_size];
    int n = 0, ways = 0;
    std::uint8_t load[warp_size] = {};
    for_each_lane(mask, [&](int lane) {
        const std::uint64_t mine = address[lane] / size;
        int seen = 0;
        for (int k = 0; k < n; ++k) seen |= unit[k] == mine;
        unit[n++] = mine;
        if (!seen) ways = std::max<int>(ways, ++load[mine % groups]);
    });
    return ways;
}

BankCost shared_store_cost(const std::uint64_t* address, LaneMask mask, int bytes) {
    const int parts = parts_of(bytes);
    BankCost cost;
    int busy = 0;
    for (int k = 0; k < parts; ++k) {
        const LaneMask lanes = mask & part(k, parts);
        cost.wavefronts += bank_ways(address, lanes, bytes);
        busy += lanes != 0;
    }
    cost.conflicts = cost.wavefronts - busy;
    return cost;
}

BankCost shared_load_cost(const std::uint64_t* address, LaneMask mask, int bytes) {
    const int parts = parts_of(bytes);
    BankCost cost;
    if (parts == 1) cost.wavefronts = bank_ways(address, mask, bytes);
    for (int k = 0; k + 1 < parts; k += 2) {
        const LaneMask left = mask & part(k, parts), right = mask & part(k + 1, parts);
        const int joined = bank_ways(address, left | right, bytes);
        cost.wavefronts += joined <= 1 ? joined
                                       : bank_ways(address, left, bytes) +
                                             bank_ways(address, right, bytes);
    }
    const int least = (count(mask) * bytes + 127) / 128;
    cost.conflicts = std::max(0, cost.wavefronts - least);
    return cost;
}

}  // namespace emu
