#include "emulator/ptx/lexer.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>

using namespace emu::ptx;
using Kind = Token::Kind;

namespace {

Token only(std::string_view source) {
    const std::vector<Token> tokens = tokens_of(source);
    REQUIRE(tokens.size() == 2);
    CHECK(tokens[1].kind == Kind::end);
    return tokens[0];
}

}  // namespace

TEST_CASE("numbers are read in every form that the manual names") {
    struct Row {
        const char* text;
        std::uint64_t bits;
    };
    for (auto [text, bits] :
         {Row{"42", 42}, Row{"0", 0}, Row{"0x1E", 30}, Row{"0XfF", 255}, Row{"017", 15},
          Row{"0b101", 5}, Row{"7U", 7}, Row{"0x10U", 16},
          Row{"18446744073709551615", ~0ull}}) {
        CAPTURE(text);
        const Token token = only(text);
        CHECK(token.kind == Kind::integer);
        CHECK(token.bits == bits);
    }
    const Token single = only("0f3F800000");  // 1.0f
    CHECK(single.kind == Kind::real);
    CHECK(single.single);
    CHECK(single.bits == std::bit_cast<std::uint32_t>(1.0f));
    const Token wide = only("0dC004000000000000");  // -2.5
    CHECK(wide.kind == Kind::real);
    CHECK_FALSE(wide.single);
    CHECK(wide.bits == std::bit_cast<std::uint64_t>(-2.5));
    CHECK(only("1.5").bits == std::bit_cast<std::uint64_t>(1.5));
    CHECK(only("25e-1").bits == std::bit_cast<std::uint64_t>(2.5));
    CHECK(only("1.5E+3").bits == std::bit_cast<std::uint64_t>(1500.0));
}

TEST_CASE("numbers that mean nothing are unknown, not something else") {
    for (const char* text :
         {"0f3F80", "0d12", "0x", "0xZZ", "12abc", "089", "99999999999999999999"}) {
        CAPTURE(text);
        CHECK(tokens_of(text)[0].kind == Kind::unknown);
    }
}

TEST_CASE("a sign ends an integer and belongs to an exponent only") {
    const auto tokens = tokens_of("12-3");
    REQUIRE(tokens.size() == 4);
    CHECK(tokens[1].is('-'));
    CHECK(tokens[2].bits == 3);
    CHECK(tokens_of("0x1e-5").size() == 4);
    CHECK(tokens_of("0f4000000E-1").size() == 4);
}

TEST_CASE("words, modifiers and marks are told apart") {
    const auto tokens = tokens_of("@!%p1 cp.async.L2::128B.16x64b $L__x: [_+4];");
    const Kind kinds[] = {Kind::mark,    Kind::mark, Kind::word, Kind::word,
                          Kind::dot,     Kind::dot,  Kind::dot,  Kind::word,
                          Kind::mark,    Kind::mark, Kind::word, Kind::mark,
                          Kind::integer, Kind::mark, Kind::mark, Kind::end};
    REQUIRE(tokens.size() == std::size(kinds));
    for (std::size_t i = 0; i < tokens.size(); ++i) CHECK(tokens[i].kind == kinds[i]);
    CHECK(tokens[2].text == "%p1");
    CHECK(tokens[5].text == "L2::128B");
    CHECK(tokens[6].text == "16x64b");
    CHECK(tokens[7].text == "$L__x");
    CHECK(tokens[5].begin == 14);
    CHECK(tokens[5].end == 23);
}

TEST_CASE("comments and blanks vanish, lines are counted through them") {
    const auto tokens =
        tokens_of("a // one\n/* two\nthree */ b\n# 7 \"x.cu\"\n\"c // d\" e");
    REQUIRE(tokens.size() == 5);
    CHECK(tokens[0].line == 1);
    CHECK(tokens[1].line == 3);
    CHECK(tokens[2].kind == Kind::string);
    CHECK(tokens[2].text == "c // d");
    CHECK(tokens[2].line == 5);
    CHECK(tokens[3].text == "e");
}

TEST_CASE("zero bytes after the text are blanks") {
    CHECK(tokens_of(std::string_view("ret;\0\0\0", 7)).size() == 3);
}

TEST_CASE("text that breaks off inside a token ends there") {
    for (const char* text : {"/* never", "\"never", "\"never\\", "0", ".", "%", "// x"}) {
        CAPTURE(text);
        CHECK(tokens_of(text).back().kind == Kind::end);
    }
}
