#include "kit/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

TEST_CASE("a seed gives the same values again, another seed others") {
    CHECK(kit::random_floats(100, 7) == kit::random_floats(100, 7));
    CHECK(kit::random_floats(100, 7) != kit::random_floats(100, 8));
}

TEST_CASE("a longer array begins with the shorter one") {
    const auto shorter = kit::random_floats(33, 5), longer = kit::random_floats(1000, 5);
    CHECK(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST_CASE(
    "floats stay in their range, are not zero, hardly repeat and are no palindrome") {
    const auto values = kit::random_floats(10000, 1, -2, 3);
    CHECK(*std::min_element(values.begin(), values.end()) > -2);
    CHECK(*std::max_element(values.begin(), values.end()) < 3);
    CHECK(std::find(values.begin(), values.end(), 0.0f) == values.end());
    CHECK(std::set<float>(values.begin(), values.end()).size() > 9950);
    CHECK(!std::equal(values.begin(), values.end(), values.rbegin()));
    double sum = 0;
    for (float value : values) sum += value;
    CHECK(sum / 10000 == doctest::Approx(0.5).epsilon(0.1));  // deviation 1.44 / 100
}

TEST_CASE("integers reach both ends of their range") {
    const auto values = kit::random_ints(1000, 3, -2, 2);
    CHECK(std::set<int>(values.begin(), values.end()) == std::set<int>{-2, -1, 0, 1, 2});
}
