// Further cases: the task states them, the learner's check does not show them.
#include <doctest/doctest.h>

#include "grid_stride.h"
#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

TEST_CASE("the result does not depend on the grid") {
    const int n = 2311;
    std::vector<unsigned> before(n), expected(n);
    for (int i = 0; i < n; ++i) {
        before[i] = unsigned(kit::random_bits(91, i));
        expected[i] = 1664525u * before[i] + 1013904223u;
    }
    for (int blocks : {1, 2, 9, 80})
        for (int threads : {1, 32, 50, 1024}) {
            CAPTURE(blocks);
            CAPTURE(threads);
            kit::DeviceBuffer<unsigned> state(before);
            exercise::advance(n, state.data(), blocks, threads);
            CHECK(kit::first_difference(state.copy_out(), expected) == "");
        }
}

TEST_CASE("what lies behind the last element is left alone") {
    std::vector<unsigned> before(500);
    for (int i = 0; i < 500; ++i) before[i] = unsigned(kit::random_bits(92, i));
    kit::DeviceBuffer<unsigned> state(before);
    exercise::advance(300, state.data(), 2, 64);
    const auto after = state.copy_out();
    CHECK(std::vector(after.begin() + 300, after.end()) ==
          std::vector(before.begin() + 300, before.end()));
}
