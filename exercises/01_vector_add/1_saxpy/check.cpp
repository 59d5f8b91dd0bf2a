#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "saxpy.h"

namespace {

using Saxpy = void(int, float, const float*, float*);

std::vector<float> run(Saxpy saxpy, float a, const std::vector<float>& x,
                       const std::vector<float>& y) {
    kit::DeviceBuffer<float> d_x(x), d_y(y);  // of exactly n elements
    saxpy(int(x.size()), a, d_x.data(), d_y.data());
    kit::check_launch("saxpy");
    return d_y.copy_out();
}

// Terms stay below 4, so one rounding more or less (a fused multiply-add has one)
// is 2.4e-7 at most; a sum near 0 may lose all its digits to it, hence an absolute bound.
std::string difference(int n, float a = -2.5f) {
    const std::vector<float> x = kit::random_floats(n, 11), y = kit::random_floats(n, 12);
    return kit::first_difference(run(exercise::saxpy, a, x, y),
                                 run(solution::saxpy, a, x, y),
                                 {.relative = 0, .absolute = 1e-6});
}

}  // namespace

TEST_CASE("a single element becomes a*x + y") {
    CHECK(difference(1) == "");
    CHECK(difference(1, 3.25f) == "");
}

TEST_CASE("a warp's worth of elements, one fewer, and one more") {
    for (int n : {31, 32, 33}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("more elements than one block has threads, in whole blocks and others") {
    for (int n : {1000, 1024, 1025, 2500}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("a large array") { CHECK(difference(300'001) == ""); }

TEST_CASE("x is left as it was") {
    const std::vector<float> x = kit::random_floats(100, 13);
    kit::DeviceBuffer<float> d_x(x), d_y(kit::random_floats(100, 14));
    exercise::saxpy(100, 2, d_x.data(), d_y.data());
    CHECK(kit::first_difference(d_x.copy_out(), x) == "");
}

TEST_CASE("no elements: nothing is launched, and nothing goes wrong") {
    CHECK_NOTHROW(exercise::saxpy(0, 2, nullptr, nullptr));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the kernel computes the result, not the host") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const int n = 1000;
    kit::DeviceBuffer<float> d_x(kit::random_floats(n, 15)), d_y(kit::random_floats(n, 16));
    const kit::Counted counted =
        kit::count([&] { exercise::saxpy(n, 2, d_x.data(), d_y.data()); });
    // 32 lanes store together, so 1000 elements are at least 32 stores of a warp.
    CHECK(counted[kit::metric::store_requests].value_or(0) >= 32);
}
