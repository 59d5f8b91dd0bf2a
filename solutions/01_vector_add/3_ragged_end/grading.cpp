// Further cases: the task states them, the learner's check does not show them.
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "ragged_end.h"

TEST_CASE("every length from 1 to 300") {
    for (int n = 1; n <= 300; ++n) {
        CAPTURE(n);
        const auto a = kit::random_floats(n, n), b = kit::random_floats(n, 1000 + n);
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = a[i] + b[i];
        kit::DeviceBuffer<float> d_a(a), d_b(b), d_sum(a.size(), kit::Fill::poison);
        exercise::add(n, d_a.data(), d_b.data(), d_sum.data());
        REQUIRE(kit::first_difference(d_sum.copy_out(), expected) == "");
    }
}

TEST_CASE("the inputs are left as they were") {
    const auto a = kit::random_floats(333, 41), b = kit::random_floats(333, 42);
    kit::DeviceBuffer<float> d_a(a), d_b(b), d_sum(333, kit::Fill::poison);
    exercise::add(333, d_a.data(), d_b.data(), d_sum.data());
    CHECK(kit::first_difference(d_a.copy_out(), a) == "");
    CHECK(kit::first_difference(d_b.copy_out(), b) == "");
}
