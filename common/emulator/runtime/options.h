#pragma once
// What whoever starts the program asks of the emulator, by environment variables.
#include <cstdint>
#include <set>
#include <string>

#include "emulator/device/device.h"

namespace emu {

struct Options {
    std::string device = "H200";      // WARPLINGS_DEVICE: a row of the device table
    std::uint64_t schedule = 0;       // WARPLINGS_SCHEDULE: seed of the order of blocks, warps
    std::string json;                 // WARPLINGS_JSON: file that gets a line a launch, a finding
    std::set<std::string> checks;     // WARPLINGS_CHECK: groups of findings; empty: all
    bool counters = false;            // WARPLINGS_COUNTERS=1: a table a kernel at exit
    int threads = 0;                  // WARPLINGS_THREADS: host threads; 0: all
    std::uint64_t limit = 0;          // WARPLINGS_LIMIT: warp instructions a launch
    bool quiet = false;               // WARPLINGS_REPORT=quiet: findings only in the file
    bool launch_blocking = false;     // CUDA_LAUNCH_BLOCKING=1, as on a GPU
    std::string problem;              // a value that cannot be read, as a sentence

    bool checks_group(const std::string& group) const {
        return checks.empty() || checks.count("all") || checks.count(group);
    }
};

Options options_from_environment();
const Options& options();             // read once

}  // namespace emu
