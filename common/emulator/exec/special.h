#pragma once
// Special registers: what a `mov` from one does. PTX ISA, chapter "Special Registers".
#include <string_view>

#include "emulator/ops/op.h"

namespace emu {

struct Special {
    std::string_view name;  // "%tid.x"
    int bits = 32;
    Run narrow = nullptr, wide = nullptr;  // into slot[0]
};

const Special* special_named(std::string_view name);  // null if unknown

}  // namespace emu
