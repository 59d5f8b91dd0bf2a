#pragma once
// Makes the Fault that ends a launch.
#include <string>

#include "emulator/exec/program.h"
#include "emulator/observe/finding.h"

namespace emu {

constexpr int error_launch_failure = 719, error_assert = 710, error_timeout = 702;

// `inst` may be null. The first lane of `mask` is the thread that is named; the kernel's
// name is filled in at the end of the launch.
Fault fault(const Warp& warp, const Inst* inst, LaneMask mask, std::string kind,
            std::string message, std::string remedy, int error = error_launch_failure);

// Sorts findings by block, then by step.
std::uint64_t order_of(const Warp& warp);

// "3 threads of warp 0 (lanes 0-2)".
std::string lanes_text(LaneMask mask);

}  // namespace emu
