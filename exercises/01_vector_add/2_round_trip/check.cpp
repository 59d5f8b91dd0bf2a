#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/random.h"
#include "round_trip.h"

namespace {

std::vector<float> temperatures(int n) { return kit::random_floats(n, 101, -40, 110); }

// The product rounds once or, fused with the sum, not at all; near 0 °F it may cancel.
// Half a unit in the last place of 230 is 7.7e-6.
std::string difference(int n) {
    const std::vector<float> celsius = temperatures(n);
    return kit::first_difference(exercise::to_fahrenheit(celsius),
                                 solution::to_fahrenheit(celsius),
                                 {.relative = 0, .absolute = 2e-5});
}

}  // namespace

TEST_CASE("a single value makes the round trip") { CHECK(difference(1) == ""); }

TEST_CASE("every value comes back, not only the first bytes") {
    for (int n : {31, 32, 33}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("more values than one block has threads") {
    for (int n : {1000, 1025}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("a large array") { CHECK(difference(200'003) == ""); }

TEST_CASE("a second trip does not see what the first one left behind") {
    exercise::to_fahrenheit(kit::random_floats(500, 102, 50, 60));
    CHECK(difference(500) == "");
}

TEST_CASE("no values: an empty result, and no error") {
    CHECK(exercise::to_fahrenheit({}).empty());
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the kernel computes the result, not the host") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const int n = 1000;
    const std::vector<float> celsius = temperatures(n);
    const kit::Counted counted = kit::count([&] { exercise::to_fahrenheit(celsius); });
    CHECK(counted.launches().size() >= 1);
    // 32 lanes store together, so 1000 values are at least 32 stores of a warp.
    CHECK(counted[kit::metric::store_requests].value_or(0) >= 32);
}
