// Further cases: the task states them, the learner's check does not show them.
#include <doctest/doctest.h>

#include <limits>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "saxpy.h"

namespace {

std::vector<float> updated(float a, const std::vector<float>& x,
                           const std::vector<float>& y) {
    kit::DeviceBuffer<float> d_x(x), d_y(y);
    exercise::saxpy(int(x.size()), a, d_x.data(), d_y.data());
    kit::check_launch("saxpy");
    return d_y.copy_out();
}

}  // namespace

TEST_CASE("sizes around every usual size of a block") {
    for (int block : {64, 128, 256, 512, 1024})
        for (int n : {block - 1, block, block + 1}) {
            CAPTURE(n);
            const auto x = kit::random_floats(n, n), y = kit::random_floats(n, n + 1);
            std::vector<float> expected(n);
            for (int i = 0; i < n; ++i) expected[i] = float(0.75 * x[i] + y[i]);
            CHECK(kit::first_difference(updated(0.75f, x, y), expected, {0, 1e-6}) == "");
        }
}

TEST_CASE("a factor of 0 leaves y, and a second call adds again") {
    const auto x = kit::random_floats(77, 21), y = kit::random_floats(77, 22);
    CHECK(kit::first_difference(updated(0, x, y), y) == "");
    std::vector<float> expected(77);
    for (int i = 0; i < 77; ++i) expected[i] = x[i] + y[i];
    const auto twice = updated(0.5f, x, updated(0.5f, x, y));
    CHECK(kit::first_difference(twice, expected, {0, 1e-6}) == "");
}

TEST_CASE("infinities and NaN stay in the elements that hold them") {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> x = {1, infinity, 2, nan, 3}, y = {1, 1, 2, 1, -1};
    const std::vector<float> expected = {3, infinity, 6, nan, 5};
    CHECK(kit::first_difference(updated(2, x, y), expected) == "");
}
