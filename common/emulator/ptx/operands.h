#pragma once
// What an instruction works on: registers, numbers, addresses, vectors, lists.
//
// Source: PTX ISA, chapter 6 (instruction operands).
#include "emulator/ptx/cursor.h"
#include "emulator/ptx/program.h"
#include "emulator/ptx/scopes.h"

namespace emu::ptx {

// Throws Unreadable.
Operand read_operand(Cursor& cursor, Scopes& scopes);

// `@%p` or `@!%p` before an instruction; kind none where there is none.
Operand read_guard(Cursor& cursor, Scopes& scopes);

}  // namespace emu::ptx
