#pragma once
// Characters to tokens. Everything else in ptx/ reads tokens through cursor.h.
//
// Source: PTX ISA, 4.1 to 4.5 (source format, comments, identifiers, constants).
#include <cstdint>
#include <string_view>
#include <vector>

namespace emu::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        word,     // mov  %rd1  $L__BB0_2  _
        dot,      // .global  .L2::128B; text has no dot
        integer,  // bits
        real,     // bits: the f64 pattern, or the f32 pattern if `single`
        string,   // text has no quotes
        mark,     // one character that stands for itself: `mark`
        unknown,  // a number that cannot be read
    };
    Kind kind = Kind::end;
    char mark = 0;
    bool single = false;
    int line = 0;             // 1-based
    std::uint32_t begin = 0;  // byte offset in the source
    std::uint32_t end = 0;    // one past the last byte
    std::string_view text;
    std::uint64_t bits = 0;

    bool is(char c) const { return kind == Kind::mark && mark == c; }
    bool is_word() const { return kind == Kind::word; }
    bool is_dot(std::string_view name) const { return kind == Kind::dot && text == name; }
};

// The last token is `end`. Views point into `source`.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace emu::ptx
