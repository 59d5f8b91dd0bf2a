#pragma once
// The counting rules in one call: what an access costs in its space.
#include "emulator/observe/event.h"

namespace emu {

AccessCost access_cost(ptx::Space space, Does does, const std::uint64_t* address,
                       LaneMask mask, int bytes);

}  // namespace emu
