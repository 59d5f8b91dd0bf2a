#pragma once
// The statements of a function's body.
//
// Source: PTX ISA, 4.3 (statements), 7.1 (functions), 11.3 (control flow directives).
#include "emulator/ptx/cursor.h"
#include "emulator/ptx/debug.h"
#include "emulator/ptx/declarations.h"
#include "emulator/ptx/program.h"
#include "emulator/ptx/scopes.h"

namespace emu::ptx {

// Adds to Module::problems; the flood that damaged text would make is cut off.
void add_problem(Module& module, int ptx_line, std::string message);

class BodyReader {
public:
    BodyReader(Cursor& cursor, Module& module, DebugReader& debug, Function& function);

    // From after the opening brace to after the closing one.
    void read(const std::vector<Declared>& returns, const std::vector<Declared>& params);

private:
    void statement();
    void directive();
    void labelled();
    void declare(Space space);
    void declare_register(const Declared& declared);
    void targets(std::string_view name);
    void prototype(std::string_view name);
    void instruction();
    void recover(std::size_t from, const Unreadable& why);
    void skip_statement(bool to_line_end);
    void check_targets();

    Cursor& cursor_;
    Module& module_;
    DebugReader& debug_;
    Function& function_;
    Scopes scopes_;
    Operand guard_;  // of the statement being read
};

}  // namespace emu::ptx
