// The answer against the same sum in double.
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "saxpy.h"

TEST_CASE("the answer equals the sum in double, rounded twice at most") {
    for (int n : {1, 31, 32, 33, 255, 256, 257, 100'003}) {
        CAPTURE(n);
        const auto x = kit::random_floats(n, 1), y = kit::random_floats(n, 2);
        const float a = 1.7f;
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = float(double(a) * x[i] + y[i]);
        kit::DeviceBuffer<float> d_x(x), d_y(y);
        solution::saxpy(n, a, d_x.data(), d_y.data());
        // |a*x| < 1.7 and the sum < 2.7: half a unit in the last place is 6e-8 of the one
        // and 1.2e-7 of the other.
        CHECK(kit::first_difference(d_y.copy_out(), expected, {0, 1.9e-7}) == "");
    }
}

TEST_CASE("the answer accepts no elements") {
    CHECK_NOTHROW(solution::saxpy(0, 1, nullptr, nullptr));
}
