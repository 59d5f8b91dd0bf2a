#pragma once
// Where instructions come from: .loc, .file, and the strings of .debug_str.
//
// Source: PTX ISA, 11.5 (debugging directives).
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "emulator/ptx/cursor.h"
#include "emulator/ptx/program.h"

namespace emu::ptx {

class DebugReader {
public:
    explicit DebugReader(Module& module) : module_(module) {}

    void begin_function();
    void read_loc(Cursor& cursor);      // after `.loc`
    void read_file(Cursor& cursor);     // after `.file`
    void read_section(Cursor& cursor);  // after `.section`

    const Location& location() const { return location_; }
    int inlined() const { return inlined_; }

    // .debug_str comes last in the text, so names of inlined functions wait for it.
    void name_inlined_functions();

private:
    void read_strings(Cursor& cursor);
    Location read_place(Cursor& cursor);

    struct Label {
        std::string_view name;
        std::int64_t offset = 0;
    };
    using Place = std::array<int, 3>;  // file, line, column

    Module& module_;
    Location location_;
    int inlined_ = -1;
    std::map<Place, int> inlined_of_place_;  // in this function so far
    std::map<std::tuple<std::string_view, std::int64_t, Place, int>, int> known_;
    std::vector<Label> labels_;  // by index in Module::inlines
    std::string strings_;
    std::unordered_map<std::string_view, std::size_t> string_at_;
};

}  // namespace emu::ptx
