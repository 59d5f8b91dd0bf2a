#include "emulator/observe/banks.h"

#include <algorithm>
#include <bit>

#include "emulator/observe/distinct.h"

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
    const int shift = std::countr_zero(static_cast<unsigned>(std::max(bytes, 4)));
    const unsigned groups = 128u >> shift;  // of the banks that one lane takes
    alignas(64) std::uint32_t unit[warp_size];
    for (int lane = 0; lane < warp_size; ++lane)
        unit[lane] = static_cast<std::uint32_t>(address[lane] >> shift);
    std::uint8_t load[warp_size] = {};
    int ways = 0;
    for_each_lane(first_of_each(unit, mask), [&](int lane) {
        ways = std::max<int>(ways, ++load[unit[lane] % groups]);
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
