#include "kit/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "kit/device_buffer.h"
#include "kit/random.h"

using kit::first_difference;
using Floats = std::vector<float>;

static std::string pattern(const Floats& got, const Floats& expected,
                           kit::Shape shape = {}) {
    return kit::compare<float>(got, expected, {}, shape).pattern;
}

TEST_CASE("equal arrays have no difference, also empty ones") {
    const Floats values = kit::random_floats(100, 1);
    CHECK(first_difference(values, values) == "");
    CHECK(first_difference(Floats{}, Floats{}) == "");
}

TEST_CASE("the first wrong element is named, and how many there are") {
    const Floats expected{1, 2, 3, 4, 5};
    const auto d = kit::compare<float>(Floats{1, 2.5f, 3, 9, 5}, expected);
    CHECK(d.wrong == 2);
    CHECK(d.first == 1);
    CHECK(d.text.find("2 of 5 values are wrong; the first is [1]: expected 2, got 2.5") ==
          0);
}

TEST_CASE("a matrix names row and column") {
    const std::vector<int> expected{1, 2, 3, 4, 5, 6};
    CHECK(first_difference(std::vector<int>{1, 2, 3, 4, 7, 6}, expected, {}, {2, 3})
              .find("[4] (row 1, column 1)") != std::string::npos);
}

TEST_CASE("the tolerance is relative plus absolute, and is stated") {
    const Floats expected{100, -100};
    CHECK(first_difference(Floats{100.05f, -99.95f}, expected, {1e-3}) == "");
    CHECK(first_difference(Floats{100.2f, -100}, expected, {1e-3})
              .find("tolerance 0.001 relative") != std::string::npos);
    CHECK(first_difference(Floats{100.05f, -100}, expected) != "");
    CHECK(first_difference(Floats{100.2f, -100}, expected, {0, 0.25}) == "");
}

TEST_CASE(
    "NaN equals NaN alone; infinities equal by sign; no tolerance lets either pass") {
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    CHECK(first_difference(Floats{nan, inf}, Floats{nan, inf}, {1, 1}) == "");
    CHECK(first_difference(Floats{nan}, Floats{1}, {1, 1}) != "");
    CHECK(first_difference(Floats{1}, Floats{nan}, {1, 1}) != "");
    CHECK(first_difference(Floats{inf}, Floats{-inf}, {1, 1}) != "");
    CHECK(first_difference(Floats{1}, Floats{inf}, {1, 1}) != "");
}

TEST_CASE("another number of values is a difference by itself") {
    CHECK(first_difference(Floats{1}, Floats{1, 2}) ==
          "1 values came back, 2 were expected");
}

TEST_CASE("the pattern of a mistake is guessed") {
    const Floats expected = kit::random_floats(256, 9, 1, 2);
    Floats got = expected;
    SUBCASE("all zero") {
        got.assign(256, 0);
        CHECK(pattern(got, expected) == "every wrong value is 0");
    }
    SUBCASE("never written") {
        got = Floats(256);
        std::fill_n(reinterpret_cast<unsigned char*>(got.data()), 1024, kit::poison_byte);
        CHECK(pattern(got, expected) == "every wrong value was never written");
    }
    SUBCASE("shifted by one") {
        for (std::size_t i = 0; i + 1 < 256; ++i) got[i] = expected[i + 1];
        CHECK(pattern(got, expected).find("belongs 1 further on") != std::string::npos);
    }
    SUBCASE("transposed") {
        for (std::size_t row = 0; row < 8; ++row)
            for (std::size_t col = 0; col < 32; ++col)
                got[col * 8 + row] = expected[row * 32 + col];
        CHECK(pattern(got, expected, {8, 32}).find("transposed") != std::string::npos);
    }
    SUBCASE("last block missing") {
        for (std::size_t i = 192; i < 256; ++i) got[i] = 7;
        CHECK(pattern(got, expected, {0, 0, 64}).find("only the last block of 64") == 0);
    }
    SUBCASE("a tail that no block explains") {
        for (std::size_t i = 100; i < 256; ++i) got[i] = 0;
        CHECK(pattern(got, expected, {0, 0, 64}) ==
              "each of them is 0; everything from 100 on is wrong: is the grid rounded "
              "up, and "
              "large enough?");
    }
    SUBCASE("constant factor") {
        for (float& value : got) value *= 2;
        CHECK(pattern(got, expected) == "each wrong value is 2 times what it should be");
    }
    SUBCASE("noise is left without a guess") {
        got = kit::random_floats(256, 10, 1, 2);
        CHECK(pattern(got, expected) == "");
    }
}
