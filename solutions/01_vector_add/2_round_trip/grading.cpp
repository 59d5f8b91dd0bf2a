// Further cases: the task states them, the learner's check does not show them.
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/random.h"
#include "round_trip.h"

TEST_CASE("known temperatures") {
    const std::vector<float> celsius = {-40, 0, 37, 100, -273.15f};
    const std::vector<float> expected = {-40, 32, 98.6f, 212, -459.67f};
    CHECK(kit::first_difference(exercise::to_fahrenheit(celsius), expected,
                                {1e-6, 1e-4}) == "");
}

TEST_CASE("arrays of growing and shrinking size, one after the other") {
    for (int n : {257, 3, 4096, 1, 255}) {
        CAPTURE(n);
        const auto celsius = kit::random_floats(n, 200 + n, -10, 40);
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = float(1.8 * celsius[i] + 32);
        CHECK(kit::first_difference(exercise::to_fahrenheit(celsius), expected,
                                    {0, 2e-5}) == "");
    }
}

TEST_CASE("the input is left as it was") {
    const auto before = kit::random_floats(300, 31);
    auto celsius = before;
    exercise::to_fahrenheit(celsius);
    CHECK(kit::first_difference(celsius, before) == "");
}

TEST_CASE("all device memory is given back") {
    exercise::to_fahrenheit(kit::random_floats(10, 32));  // what the runtime itself keeps
    std::size_t before = 0, after = 0, all = 0;
    REQUIRE(cudaMemGetInfo(&before, &all) == cudaSuccess);
    for (int trip = 0; trip < 3; ++trip)
        exercise::to_fahrenheit(kit::random_floats(5000, 33));
    REQUIRE(cudaMemGetInfo(&after, &all) == cudaSuccess);
    if (kit::on_emulator()) CHECK(before == after);  // a GPU may be shared
}
