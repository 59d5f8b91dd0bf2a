// The answer against sums on the CPU. IEEE 754 addition has one right result, and the sum
// in double, rounded to float, gives it as well (double has twice the digits and more):
// no tolerance.
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "ragged_end.h"

TEST_CASE("the answer equals the sum in double, rounded once") {
    for (int n : {1, 31, 32, 33, 127, 128, 129, 90'001}) {
        CAPTURE(n);
        const auto a = kit::random_floats(n, 1), b = kit::random_floats(n, 2);
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = float(double(a[i]) + double(b[i]));
        kit::DeviceBuffer<float> d_a(a), d_b(b), d_sum(a.size(), kit::Fill::poison);
        solution::add(n, d_a.data(), d_b.data(), d_sum.data());
        CHECK(kit::first_difference(d_sum.copy_out(), expected) == "");
    }
}
