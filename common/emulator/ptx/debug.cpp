#include "emulator/ptx/debug.h"

#include "emulator/ptx/constants.h"

namespace emu::ptx {

void DebugReader::begin_function() {
    location_ = {};
    inlined_ = -1;
    inlined_of_place_.clear();
}

Location DebugReader::read_place(Cursor& cursor) {
    Location place;
    place.file = static_cast<int>(cursor.need_integer());
    place.line = static_cast<int>(cursor.need_integer());
    place.column = static_cast<int>(cursor.need_integer());
    return place;
}

// .loc file line column {, function_name label {+ offset}, inlined_at file line column}
// The place of inlined_at was itself the place of an earlier .loc; if that one was
// inlined too, it is the next link of the chain.
void DebugReader::read_loc(Cursor& cursor) {
    location_ = read_place(cursor);
    inlined_ = -1;
    Label label;
    while (cursor.peek().is(',') && cursor.peek(1).is_word()) {
        cursor.take();
        const std::string_view attribute = cursor.take().text;
        if (attribute == "function_name") {
            label.name = cursor.need_word("a label");
            if (cursor.take_mark('+')) label.offset = read_integer(cursor);
        } else if (attribute == "inlined_at") {
            const Location at = read_place(cursor);
            const Place place{at.file, at.line, at.column};
            const auto earlier = inlined_of_place_.find(place);
            const int outer = earlier == inlined_of_place_.end() ? -1 : earlier->second;
            const auto next = static_cast<int>(module_.inlines.size());
            const auto [row, is_new] =
                known_.try_emplace({label.name, label.offset, place, outer}, next);
            if (is_new) {
                module_.inlines.push_back({std::string(label.name), at, outer});
                labels_.push_back(label);
            }
            inlined_ = row->second;
        } else {
            throw Unreadable{"function_name or inlined_at"};
        }
    }
    inlined_of_place_[{location_.file, location_.line, location_.column}] = inlined_;
}

// .file 1 "name" {, timestamp, size}
void DebugReader::read_file(Cursor& cursor) {
    const auto number = static_cast<int>(cursor.need_integer());
    if (cursor.peek().kind != Token::Kind::string) throw Unreadable{"a file name"};
    module_.files[number] = cursor.take().text;
    while (cursor.take_mark(',')) cursor.need_integer();
}

// Sections hold what a debugger wants (DWARF); the names of inlined functions alone
// matter.
void DebugReader::read_section(Cursor& cursor) {
    if (cursor.peek().kind != Token::Kind::dot) throw Unreadable{"a section's name"};
    const bool strings = cursor.take().text == "debug_str";
    cursor.need_mark('{');
    if (strings) read_strings(cursor);
    while (!cursor.done() && !cursor.take_mark('}')) cursor.take();
}

void DebugReader::read_strings(Cursor& cursor) {
    for (;;) {
        if (cursor.peek().is_word() && cursor.peek(1).is(':')) {
            string_at_[cursor.take().text] = strings_.size();
            cursor.take();
        } else if (cursor.take_dot("b8")) {
            do strings_ += static_cast<char>(cursor.need_integer());
            while (cursor.take_mark(','));
        } else {
            return;
        }
    }
}

void DebugReader::name_inlined_functions() {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const auto found = string_at_.find(labels_[i].name);
        if (found == string_at_.end()) continue;
        const std::size_t at =
            found->second + static_cast<std::size_t>(labels_[i].offset);
        if (at < strings_.size()) module_.inlines[i].function = strings_.c_str() + at;
    }
}

}  // namespace emu::ptx
