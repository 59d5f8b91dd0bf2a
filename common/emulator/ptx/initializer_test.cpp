#include <doctest/doctest.h>

#include <algorithm>

#include "emulator/ptx/program.h"

using namespace emu::ptx;
using Bytes = std::vector<std::uint8_t>;

namespace {

Variable only(const std::string& declaration) {
    Module module = parse(".version 9.0\n.target sm_90\n" + declaration);
    for (const Problem& problem : module.problems) MESSAGE(problem.message);
    REQUIRE(module.problems.empty());
    REQUIRE(module.variables.size() == 1);
    return module.variables[0];
}

}  // namespace

TEST_CASE("numbers become the bytes of the variable's type, low byte first") {
    const Variable v =
        only(".global .align 4 .b32 v[4] = {1, -2, 0x0A0B0C0D, 1 << 8 | 3};");
    REQUIRE(v.initial.size() == 1);
    CHECK(v.initial[0].at == 0);
    CHECK(v.initial[0].bytes ==
          Bytes{1, 0, 0, 0, 254, 255, 255, 255, 13, 12, 11, 10, 3, 1, 0, 0});
    CHECK(v.bytes == 16);
}

TEST_CASE("an open array is as long as its list") {
    const Variable v = only(".const .u16 v[] = {7, 8, 9};");
    CHECK(v.bytes == 6);
    CHECK(v.initial[0].bytes == Bytes{7, 0, 8, 0, 9, 0});
}

TEST_CASE("reals take the width of the variable") {
    CHECK(only(".global .f32 v = 0fBF800000;").initial[0].bytes ==
          Bytes{0, 0, 0x80, 0xBF});
    CHECK(only(".global .f32 v = -1.0;").initial[0].bytes == Bytes{0, 0, 0x80, 0xBF});
    CHECK(only(".global .f32 v = 2;").initial[0].bytes == Bytes{0, 0, 0, 0x40});
    CHECK(only(".global .f64 v = 0f3F800000;").initial[0].bytes ==
          Bytes{0, 0, 0, 0, 0, 0, 0xF0, 0x3F});
    CHECK(only(".global .f64 v = -0d3FF0000000000000;").initial[0].bytes ==
          Bytes{0, 0, 0, 0, 0, 0, 0xF0, 0xBF});
}

TEST_CASE("addresses of symbols stand where they are stored") {
    const Variable v =
        only(".global .align 8 .u64 v[4] = {f, generic(text)+12, 5, generic(x - 4)+1};");
    REQUIRE(v.initial.size() == 4);
    CHECK(v.initial[0].symbol == "f");
    CHECK(v.initial[0].width == 8);
    CHECK(v.initial[1].at == 8);
    CHECK(v.initial[1].symbol == "text");
    CHECK(v.initial[1].offset == 12);
    CHECK(v.initial[2].at == 16);
    CHECK(v.initial[2].bytes.size() == 8);
    CHECK(v.initial[3].offset == -3);
}

TEST_CASE("a masked address stores the byte that the mask selects") {
    const Variable v = only(".global .u8 v[3] = {97, 0xFF(f), 0xFF0000(generic(f)+1)};");
    REQUIRE(v.initial.size() == 3);
    CHECK(v.initial[1].at == 1);
    CHECK(v.initial[1].width == 1);
    CHECK(v.initial[1].shift == 0);
    CHECK(v.initial[2].at == 2);
    CHECK(v.initial[2].shift == 16);
    CHECK(v.initial[2].offset == 1);
}

TEST_CASE("inner lists that are short leave the rest of their row zero") {
    const Variable v = only(".global .u8 v[3][2] = {{1, 2}, {3}, {5, 6}};");
    REQUIRE(v.initial.size() == 2);
    CHECK(v.initial[0].bytes == Bytes{1, 2, 3});
    CHECK(v.initial[1].at == 4);
    CHECK(v.initial[1].bytes == Bytes{5, 6});
    CHECK(v.bytes == 6);
}

TEST_CASE("constant expressions follow C's precedence") {
    const Variable v =
        only(".global .s64 v[6] = {2+3*4, (2+3)*4, 7/2-1, ~0, 1<<4>>1, 6&3^1|8};");
    const auto at = [&](int i) {
        return int{static_cast<std::int8_t>(v.initial[0].bytes[8 * i])};
    };
    CHECK(at(0) == 14);
    CHECK(at(1) == 20);
    CHECK(at(2) == 2);
    CHECK(at(3) == -1);
    CHECK(at(4) == 8);
    CHECK(at(5) == 11);
}

TEST_CASE("division by zero and by minus one in a constant harms nobody") {
    const std::string least = "(-9223372036854775807-1)";
    const Variable v =
        only(".global .s64 v[4] = {1/0, 9 % 0, " + least + "/-1, " + least + " % -1};");
    const Bytes& bytes = v.initial[0].bytes;
    REQUIRE(bytes.size() == 32);
    CHECK(std::ranges::count(bytes, 0) == 31);
    CHECK(bytes[23] == 0x80);
}
