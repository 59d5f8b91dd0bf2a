#pragma once
// A launch: its blocks on the host's threads, or one after the other where their order
// can be seen in the result.
#include <optional>
#include <vector>

#include "emulator/exec/machine.h"
#include "emulator/observe/finding.h"
#include "emulator/observe/finding_sink.h"

namespace emu {

struct GridOptions {
    Limits limits;
    std::uint64_t seed = 0;             // shuffles blocks and warps
    std::uint64_t budget = 0;           // warp instructions
    std::uint64_t resident_blocks = 0;  // 0: no bound
    bool cooperative = false;
    std::uint64_t arguments_address = 0;  // on the device, where the kernel takes one
};

struct GridResult {
    std::optional<Finding> fault;    // the first in the launch's order
    std::vector<Printed> printed;    // in the launch's order
    std::uint64_t printed_lost = 0;  // lines that are not in it
};

// Must blocks of this launch run in order, on one host thread?
bool is_ordered(const Launch& launch, const GridOptions& options);

// `observers` and `sinks` have one entry for each host thread.
GridResult run_grid(Launch& launch, const GridOptions& options,
                    std::span<Observer* const> observers, std::span<FindingSink> sinks);

}  // namespace emu
