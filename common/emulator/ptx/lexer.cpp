#include "emulator/ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace emu::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool continues_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source) {
        tokens_.reserve(source.size() / 5 + 1);
    }

    std::vector<Token> run() {
        for (skip_blanks(); at_ < source_.size(); skip_blanks()) read_token();
        begin(Token::Kind::end);
        return std::move(tokens_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }

    // Zero bytes count as blanks: PTX taken out of an executable is padded with them.
    void skip_blanks() {
        while (at_ < source_.size()) {
            const char c = source_[at_];
            if (c == '\n') {
                ++line_;
                line_start_ = ++at_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' ||
                       c == 0) {
                ++at_;
            } else if (c == '/' && peek(1) == '/') {
                to_line_end();
            } else if (c == '/' && peek(1) == '*') {
                skip_block_comment();
            } else if (c == '#' && at_ == line_start_) {
                to_line_end();
            } else {
                return;
            }
        }
    }

    void to_line_end() { at_ = std::min(source_.find('\n', at_), source_.size()); }

    void skip_block_comment() {
        const std::size_t close = source_.find("*/", at_ + 2);
        const std::size_t stop = close == source_.npos ? source_.size() : close + 2;
        for (; at_ < stop; ++at_) {
            if (source_[at_] != '\n') continue;
            ++line_;
            line_start_ = at_ + 1;
        }
    }

    Token& begin(Token::Kind kind) {
        Token& token = tokens_.emplace_back();
        token.kind = kind;
        token.line = line_;
        token.begin = token.end = static_cast<std::uint32_t>(at_);
        return token;
    }

    void finish(Token& token, std::size_t text_from) {
        token.text = source_.substr(text_from, at_ - text_from);
        token.end = static_cast<std::uint32_t>(at_);
    }

    void read_token() {
        const char c = source_[at_];
        if (is_digit(c)) return read_number();
        if (c == '"') return read_string();
        if (c == '.' && continues_word(peek(1))) return read_dot();
        if (starts_word(c) && (c != '%' || continues_word(peek(1)))) return read_word();
        Token& token = begin(Token::Kind::mark);
        token.mark = c;
        ++at_;
        finish(token, token.begin);
    }

    void read_word() {
        Token& token = begin(Token::Kind::word);
        do ++at_;
        while (continues_word(peek()));
        finish(token, token.begin);
    }

    // Modifiers may hold `::`, as in .mbarrier::complete_tx::bytes.
    void read_dot() {
        Token& token = begin(Token::Kind::dot);
        ++at_;
        while (continues_word(peek()) ||
               (peek() == ':' && peek(1) == ':' && continues_word(peek(2))))
            at_ += peek() == ':' ? 2 : 1;
        finish(token, token.begin + 1);
    }

    void read_string() {
        Token& token = begin(Token::Kind::string);
        const std::size_t from = ++at_;
        while (at_ < source_.size() && source_[at_] != '"' && source_[at_] != '\n')
            at_ += source_[at_] == '\\' && at_ + 1 < source_.size() ? 2 : 1;
        at_ = std::min(at_, source_.size());
        finish(token, from);
        if (peek() == '"') token.end = static_cast<std::uint32_t>(++at_);
    }

    void read_number() {
        Token& token = begin(Token::Kind::unknown);
        const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        bool fraction = false;
        for (;; ++at_) {
            const char c = peek();
            const char before = at_ > token.begin ? source_[at_ - 1] : '\0';
            const bool sign = (c == '-' || c == '+') && !hex && fraction &&
                              (before == 'e' || before == 'E');
            if (c == '.' && !fraction)
                fraction = true;
            else if (!is_letter(c) && !is_digit(c) && !sign)
                break;
            if ((c == 'e' || c == 'E') && !hex && exponent_follows()) fraction = true;
        }
        finish(token, token.begin);
        interpret(token);
    }

    // 1e5 and 1e-5 are reals, 0x1e5 and 0f3E... are not; the prefixes are asked first.
    bool exponent_follows() const {
        const char next = peek(1);
        const char prefix = source_[tokens_.back().begin + 1];
        const bool prefixed = source_[tokens_.back().begin] == '0' && is_letter(prefix);
        return !prefixed && (is_digit(next) || next == '-' || next == '+');
    }

    static bool digits(std::string_view text, int base, std::uint64_t& value) {
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, base);
        return error == std::errc{} && end == text.data() + text.size();
    }

    // Removes 0x, 0b or the 0 of an octal number, and answers the base.
    static int take_prefix(std::string_view& text) {
        if (text.size() < 2 || text[0] != '0') return 10;
        const char kind = text[1];
        const int base = kind == 'x' || kind == 'X'               ? 16
                         : kind == 'b' || kind == 'B'             ? 2
                         : text.find_first_of(".eE") == text.npos ? 8
                                                                  : 10;
        if (base != 10) text.remove_prefix(base == 8 ? 1 : 2);
        return base;
    }

    static void interpret(Token& token) {
        std::string_view text = token.text;
        if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F')) {
            token.single = true;
            if (text.size() == 10 && digits(text.substr(2), 16, token.bits))
                token.kind = Token::Kind::real;
            return;
        }
        if (text.size() > 2 && text[0] == '0' && (text[1] == 'd' || text[1] == 'D')) {
            if (text.size() == 18 && digits(text.substr(2), 16, token.bits))
                token.kind = Token::Kind::real;
            return;
        }
        if (text.back() == 'U' || text.back() == 'u') text.remove_suffix(1);
        const int base = take_prefix(text);
        if (digits(text, base, token.bits)) {
            token.kind = Token::Kind::integer;
            return;
        }
        if (base != 10 || text.find_first_of(".eE") == text.npos) return;
        double value = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) return;
        token.kind = Token::Kind::real;
        token.bits = std::bit_cast<std::uint64_t>(value);
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).run(); }

}  // namespace emu::ptx
