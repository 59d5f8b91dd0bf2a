#pragma once
// Which lanes of a warp are the first with their value. Loops of fixed length over small
// integers, so that the compiler makes vector compares of them.
#include <cstdint>

#include "emulator/state/lane_mask.h"

namespace emu {

// The lanes of mask whose value no lower lane of mask has.
inline LaneMask first_of_each(const std::uint32_t* value, LaneMask mask) {
    alignas(64) std::uint32_t index[warp_size], repeats[warp_size] = {};
    for (int lane = 0; lane < warp_size; ++lane)
        index[lane] = static_cast<unsigned>(lane);
    for_each_lane(mask, [&](int one) {
        const std::uint32_t its = value[one], position = static_cast<unsigned>(one);
        for (int lane = 0; lane < warp_size; ++lane)
            repeats[lane] |=
                std::uint32_t(value[lane] == its) & std::uint32_t(index[lane] > position);
    });
    LaneMask first = 0;
    for (int lane = 0; lane < warp_size; ++lane) first |= (repeats[lane] ^ 1u) << lane;
    return first & mask;
}

}  // namespace emu
