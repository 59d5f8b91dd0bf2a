#pragma once
// Constant expressions: what may stand where a number may stand.
//
// Source: PTX ISA, 4.5.5 (constant expressions).
#include <cstdint>

#include "emulator/ptx/cursor.h"

namespace emu::ptx {

struct Constant {
    bool real = false;
    bool single = false;  // real: bits hold the f32 pattern
    std::uint64_t bits = 0;
};

// A token that can begin a constant: a number, a sign, ~, or a parenthesis.
bool begins_constant(const Token& token);

// 64-bit arithmetic that wraps. Throws Unreadable.
std::int64_t read_integer(Cursor& cursor);

// A signed real, or an integer expression.
Constant read_constant(Cursor& cursor);

}  // namespace emu::ptx
