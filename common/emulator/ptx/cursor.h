#pragma once
// Walks over tokens, and says what was expected where it cannot go on.
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/lexer.h"

namespace emu::ptx {

// Thrown within the parser and caught at the statement: what was expected there.
struct Unreadable {
    std::string expected;
};

class Cursor {
public:
    Cursor(const std::vector<Token>& tokens, std::string_view source)
        : tokens_(tokens), source_(source) {}

    // Past the end there is the `end` token, again and again.
    const Token& peek(std::size_t ahead = 0) const {
        return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : tokens_.back();
    }
    const Token& take() {
        const Token& token = peek();
        if (at_ < tokens_.size()) ++at_;
        return token;
    }
    bool done() const { return peek().kind == Token::Kind::end; }
    std::size_t position() const { return at_; }
    void go_to(std::size_t position) { at_ = position; }

    bool take_mark(char mark) {
        if (!peek().is(mark)) return false;
        ++at_;
        return true;
    }
    bool take_dot(std::string_view name) {
        if (!peek().is_dot(name)) return false;
        ++at_;
        return true;
    }
    void need_mark(char mark) {
        if (!take_mark(mark)) throw Unreadable{std::string("'") + mark + "'"};
    }
    std::string_view need_word(const char* what) {
        if (!peek().is_word()) throw Unreadable{what};
        return take().text;
    }
    std::uint64_t need_integer() {
        if (peek().kind != Token::Kind::integer) throw Unreadable{"a number"};
        return take().bits;
    }

    // The source between two positions, blanks folded, shortened to fit a message.
    std::string text(std::size_t from, std::size_t to) const {
        std::string text;
        for (std::size_t i = from; i < to && i + 1 < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (i > from && tokens_[i - 1].end != token.begin) text += ' ';
            text += source_.substr(token.begin, token.end - token.begin);
            if (text.size() > 100) return text.substr(0, 97) + "...";
        }
        return text;
    }

private:
    const std::vector<Token>& tokens_;
    std::string_view source_;
    std::size_t at_ = 0;
};

}  // namespace emu::ptx
