#pragma once
// What a warp's access to global memory costs: 32-byte sectors and 128-byte lines.
#include <cstdint>

#include "emulator/state/lane_mask.h"

namespace emu {

// Distinct values of address >> shift among the lanes of mask. An access is aligned to
// its width, so each lane touches one sector and one line.
int distinct_units(const std::uint64_t* address, LaneMask mask, int shift);

inline int sectors_of(const std::uint64_t* address, LaneMask mask) {
    return distinct_units(address, mask, 5);
}
inline int lines_of(const std::uint64_t* address, LaneMask mask) {
    return distinct_units(address, mask, 7);
}

// Of an atomic or reduction: each distinct sector counts as often as its busiest address
// has lanes.
int atomic_sectors_of(const std::uint64_t* address, LaneMask mask);

}  // namespace emu
