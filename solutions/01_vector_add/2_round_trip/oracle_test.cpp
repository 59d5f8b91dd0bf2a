// The answer against the same formula in double.
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/random.h"
#include "round_trip.h"

TEST_CASE("the answer equals the formula in double, up to rounding") {
    for (int n : {0, 1, 31, 32, 33, 1000, 70'001}) {
        CAPTURE(n);
        const auto celsius = kit::random_floats(n, 1, -40, 110);
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = float(1.8 * celsius[i] + 32);
        // 1.8f is 2.7e-8 of itself off (5.3e-6 at 110); product and sum round by 7.7e-6
        // at most each.
        CHECK(kit::first_difference(solution::to_fahrenheit(celsius), expected,
                                    {0, 2.1e-5}) == "");
    }
}
