#include "warplings/wrap.h"

#include <doctest/doctest.h>

using namespace warplings;

TEST_CASE("a long line is broken between words, and keeps its indentation") {
    CHECK(wrapped("  one two three four five six\n", 20) == "  one two three four\n  five six\n");
    CHECK(wrapped("short\nlines stay\n", 20) == "short\nlines stay\n");
    CHECK(wrapped("0123456789012345678901234 x", 20) == "0123456789012345678901234\nx");
}

TEST_CASE("no terminal, or one too narrow, leaves a text alone") {
    const std::string text = "a line that is longer than nineteen columns\n";
    CHECK(wrapped(text, 0) == text);
    CHECK(wrapped(text, 19) == text);
    CHECK(wrapped_page(text, 0) == text);
}

TEST_CASE("columns count characters, not bytes") {
    CHECK(wrapped("\u00b7\u00b7\u00b7\u00b7\u00b7 \u00b7\u00b7\u00b7\u00b7\u00b7 12345678", 20) ==
          "\u00b7\u00b7\u00b7\u00b7\u00b7 \u00b7\u00b7\u00b7\u00b7\u00b7 12345678");
}

TEST_CASE("a page's paragraphs are joined before they are broken; a list hangs") {
    CHECK(wrapped_page("one two three four\nfive six seven\n\nnext\n", 20) ==
          "one two three four\nfive six seven\n\nnext\n");
    CHECK(wrapped_page("one two three\nfour five six seven\n", 20) ==
          "one two three four\nfive six seven\n");
    CHECK(wrapped_page("1. aaaa bbbb cccc dddd\n   eeee\n2. ffff\n", 20) ==
          "1. aaaa bbbb cccc\n   dddd eeee\n2. ffff\n");
}

TEST_CASE("code, tables and headings keep their lines") {
    const std::string page =
        "# a heading that is wider than the page\n"
        "```text\none   two   three   four   five\nsix\n```\n"
        "| a table | that is wider | than the page |\n";
    CHECK(wrapped_page(page, 20) == page);
}
