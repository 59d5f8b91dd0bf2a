#pragma once
// Variables: `.global .align 8 .u64 table[2] = {f, 0};` and parameters, which look alike.
//
// Source: PTX ISA, 5.4 (variables), 11.2 (parameters' .ptr), 11.6 (linking).
#include <vector>

#include "emulator/ptx/cursor.h"
#include "emulator/ptx/program.h"

namespace emu::ptx {

// .visible, .extern, .weak and .common, in any order and number.
struct Linkage {
    bool is_extern = false, is_visible = false, is_weak = false;
};
Linkage read_linkage(Cursor& cursor);

// A space that variables are declared in ("global"); Space::generic if it is none.
Space declared_space(std::string_view name);

// A variable as far as its name, which is kept for Scopes too.
struct Declared {
    Variable variable;
    std::string_view name;    // into the source
    int vector = 1;           // of .v2, .v4
    std::uint64_t range = 0;  // name<range>, of .reg
    bool has_range = false;
};

// What follows the space's directive, up to and with the ';'.
std::vector<Declared> read_variables(Cursor& cursor, Space space, Linkage linkage);

// `( .param .b32 a, ... )`; nothing where no parenthesis opens.
std::vector<Declared> read_parameters(Cursor& cursor);

}  // namespace emu::ptx
