#pragma once
// The values that a variable starts with.
#include <cstdint>
#include <vector>

#include "emulator/ptx/constants.h"
#include "emulator/ptx/program.h"

namespace emu::ptx {

// Reads what follows '=' into variable.initial. Answers the number of bytes that the list
// spans, which is the size of an array whose length is left open.
std::uint64_t read_initializer(Cursor& cursor,
                               const std::vector<std::uint64_t>& dimensions,
                               Variable& variable);

}  // namespace emu::ptx
