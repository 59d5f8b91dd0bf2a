#include "warplings/files.h"

#include <doctest/doctest.h>

using namespace warplings;

TEST_CASE("what is no UTF-8 is replaced, byte by byte, and nothing else") {
    const std::string good = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n";  // 1 to 4 bytes
    CHECK(valid_utf8(good) == good);
    const std::string mark = "\xef\xbf\xbd";
    CHECK(valid_utf8("x\xff\xfey") == "x" + mark + mark + "y");
    CHECK(valid_utf8("cut \xe2\x82") == "cut " + mark + mark);
    CHECK(valid_utf8("\xc0\xaf") == mark + mark);              // an overlong form
    CHECK(valid_utf8("\xed\xa0\x80") == mark + mark + mark);  // a surrogate
    CHECK(valid_utf8("\xf4\x90\x80\x80").starts_with(mark));  // above U+10FFFF
}

TEST_CASE("a folder is no file to read") {
    const ScratchFolder scratch;
    CHECK_THROWS_AS(read_file(scratch.path()), Failure);
}
