#include <doctest/doctest.h>

#include <bit>
#include <deque>

#include "emulator/exec/format.h"

using namespace emu;

namespace {

Formatted with(std::string_view pattern, std::deque<std::uint64_t> values) {
    return format(pattern, {[&](int bytes) {
                                const std::uint64_t value = values.front();
                                values.pop_front();
                                return bytes == 8 ? value : value & 0xffffffffu;
                            },
                            [](std::uint64_t address) {
                                return std::string(static_cast<std::size_t>(address),
                                                   'z');
                            }});
}

std::uint64_t real(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

TEST_CASE("numbers as C writes them") {
    CHECK(with("%d|%5u|%-4x|%08.3f", {0xffffffffu, 42, 255, real(3.14159)}).text ==
          "-1|   42|ff  |0003.142");
    CHECK(with("%lld %llu %hd %c%%", {~0ull - 1, 1ull << 40, 3, 'q'}).text ==
          "-2 1099511627776 3 q%");
    CHECK(with("%e %g %a", {real(12345.678), real(0.5), real(1.0)}).text ==
          "1.234568e+04 0.5 0x1p+0");
    CHECK(with("%+d % d %#x %p", {5, 6, 255, 16}).text == "+5  6 0xff 0x10");
}

TEST_CASE("strings and widths from arguments") {
    CHECK(with("[%s]", {3}).text == "[zzz]");
    CHECK(with("[%*d][%-*d][%.*f]", {5, 42, 5, 42, 1, real(2.25)}).text ==
          "[   42][42   ][2.2]");
    CHECK(with("[%6.2s]", {4}).text == "[    zz]");
}

TEST_CASE("how many arguments were taken, and what the buffer needs") {
    const Formatted f = with("%d %d %s", {1, 2, 3});
    CHECK(f.arguments == 3);
    CHECK(f.bytes > 24);
}

TEST_CASE("a pattern that is cut off or unknown comes out as it is") {
    CHECK(with("100%", {}).text == "100%");
    CHECK(with("%y %d", {4}).text == "%y 4");
}
