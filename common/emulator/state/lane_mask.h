#pragma once
// 32 lanes as one word: lane l is bit l. The only bit tricks of the emulator.
#include <bit>
#include <cstdint>

namespace emu {

using LaneMask = std::uint32_t;

constexpr int warp_size = 32;
constexpr LaneMask all_lanes = 0xffffffffu;

constexpr int count(LaneMask mask) { return std::popcount(mask); }
constexpr int first_lane(LaneMask mask) { return std::countr_zero(mask); }  // 32 if empty
constexpr bool has_lane(LaneMask mask, int lane) { return mask >> lane & 1u; }
constexpr LaneMask lane_bit(int lane) { return 1u << lane; }
constexpr LaneMask lanes_below(int lane) { return lane_bit(lane) - 1u; }  // lane 0..31

// for_each_lane(mask, [&](int lane) { ... }), ascending.
template <class F>
inline void for_each_lane(LaneMask mask, F&& f) {
    for (; mask != 0; mask &= mask - 1) f(first_lane(mask));
}

}  // namespace emu
