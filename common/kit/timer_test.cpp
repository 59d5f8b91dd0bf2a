#include "kit/timer.h"

#include <doctest/doctest.h>

TEST_CASE("best and median do not depend on the order of the samples") {
    const kit::Timing odd = kit::summary({5, 1, 3});
    CHECK(*odd.best == 1);
    CHECK(*odd.median == 3);
    const kit::Timing even = kit::summary({8, 1, 2, 4});
    CHECK(*even.best == 1);
    CHECK(*even.median == 3);
    CHECK(!kit::summary({}).best);
}

TEST_CASE("a rate is bytes over time, and nothing where there is no time") {
    CHECK(*kit::gigabytes_per_second(2e9, 1000.0) == doctest::Approx(2));
    CHECK(!kit::gigabytes_per_second(2e9, std::nullopt));
    CHECK(!kit::gigabytes_per_second(2e9, 0.0));
    CHECK(!kit::gigabytes_per_second(0, 1.0));
}

TEST_CASE("a percentage needs both its sides") {
    CHECK(*kit::percent(3.0, 4.0) == doctest::Approx(75));
    CHECK(!kit::percent(std::nullopt, 4.0));
    CHECK(!kit::percent(3.0, std::nullopt));
    CHECK(!kit::percent(3.0, 0.0));
}
