#pragma once
// Bad accesses as findings: which thread did what to which allocation, and the likely
// remedy. Called once an access has already failed its check.
#include <cstdint>

#include "emulator/observe/event.h"

namespace emu {

enum class BadAccess : std::uint8_t { outside, misaligned };

// Sorts findings: by block, then by the step of the warp.
std::uint64_t finding_order(const Warp& warp);

// `lanes` failed for the same reason; the first of them is the example.
void report_bad_access(const Warp& warp, const Inst& inst, ptx::Space space, Does does,
                       int bytes, const std::uint64_t* address, LaneMask lanes,
                       BadAccess why);

}  // namespace emu
