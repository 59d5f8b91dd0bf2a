#pragma once
// What a warp's read of constant memory costs: the constant cache serves one word at a
// time, to all lanes that want it.
#include "emulator/observe/coalescing.h"

namespace emu {

inline int constant_words(const std::uint64_t* address, LaneMask mask, int bytes) {
    if (bytes <= 4) return distinct_units(address, mask, 2);
    const int shift = bytes == 8 ? 3 : 4;
    return distinct_units(address, mask, shift) * (bytes / 4);
}

}  // namespace emu
