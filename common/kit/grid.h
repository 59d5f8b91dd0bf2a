#pragma once
// How many blocks a grid needs.
#include <cstddef>
#include <string>

#include "kit/arguments.h"

namespace kit {

inline constexpr std::size_t most_blocks = 2147483647;  // in x; y and z: 65,535

// Rounded up, so that the last block may have threads without work. Throws Usage where a
// grid cannot have that many: a conversion to unsigned would quietly launch fewer.
inline unsigned blocks_for(std::size_t elements, std::size_t per_block) {
    const std::size_t blocks = elements / per_block + (elements % per_block != 0);
    if (blocks > most_blocks)
        throw Usage("This takes " + std::to_string(blocks) +
                        " blocks, and a grid has at most " + std::to_string(most_blocks) +
                        " in x: give a larger --block.",
                    2);
    return unsigned(blocks);
}

}  // namespace kit
