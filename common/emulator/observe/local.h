#pragma once
// What a warp's access to local memory costs. Local memory is interleaved by lane: word w
// of the 32 lanes lies side by side in 128 bytes, so lanes that index alike coalesce.
#include <cstdint>

#include "emulator/state/lane_mask.h"

namespace emu {

// `offset` is each lane's byte offset in its own local memory.
int local_sectors(const std::uint64_t* offset, LaneMask mask, int bytes);

}  // namespace emu
