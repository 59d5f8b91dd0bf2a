#pragma once
// What one warp-wide access costs, by the rules of docs/reference (counters). Computed
// once per address pattern and remembered in the worker's SiteTable, because classifying
// addresses is dearer than dispatch.
#include <cstdint>

namespace emu {

struct AccessCost {
    std::uint16_t sectors = 0;     // global, local
    std::uint16_t wavefronts = 0;  // shared
    std::uint16_t conflicts = 0;   // shared
    std::uint16_t words = 0;       // constant: distinct words
    std::uint16_t lines = 0;       // global: distinct 128-byte lines
};

}  // namespace emu
