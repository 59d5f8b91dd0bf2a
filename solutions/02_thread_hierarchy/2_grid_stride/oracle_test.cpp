// The answer against the same step on the CPU, in 64 bits and reduced afterwards: exact.
#include <doctest/doctest.h>

#include "grid_stride.h"
#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

TEST_CASE("the answer advances every generator once, whatever the grid") {
    for (int n : {0, 1, 31, 32, 33, 64, 65, 1000, 60'001}) {
        CAPTURE(n);
        std::vector<unsigned> before(n), expected(n);
        for (int i = 0; i < n; ++i) {
            before[i] = unsigned(kit::random_bits(7, i));
            expected[i] =
                unsigned((1664525ull * before[i] + 1013904223ull) % (1ull << 32));
        }
        kit::DeviceBuffer<unsigned> state(before);
        solution::advance(n, state.data(), 2, 32);
        CHECK(kit::first_difference(state.copy_out(), expected) == "");
    }
}
