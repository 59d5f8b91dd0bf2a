#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "grid_stride.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

namespace {

using Advance = void(int, unsigned*, int, int);

std::vector<unsigned> run(Advance advance, const std::vector<unsigned>& before,
                          int blocks, int threads) {
    kit::DeviceBuffer<unsigned> state(before);
    advance(int(before.size()), state.data(), blocks, threads);
    kit::check_launch("advance");
    return state.copy_out();
}

std::vector<unsigned> states(int n) {
    std::vector<unsigned> values(n);
    for (int i = 0; i < n; ++i) values[i] = unsigned(kit::random_bits(81, i));
    return values;
}

// A second step changes a state again: an element done twice is as wrong as one left out.
std::string difference(int n, int blocks, int threads) {
    const std::vector<unsigned> before = states(n);
    const std::vector<unsigned> once = run(solution::advance, before, blocks, threads);
    const std::vector<unsigned> got = run(exercise::advance, before, blocks, threads);
    for (int i = 0; i < n; ++i) {
        if (got[i] == once[i]) continue;
        return "of " + std::to_string(n) + " states, [" + std::to_string(i) +
               "] is the first " +
               (got[i] == before[i] ? "that no thread advanced"
                                    : "that was advanced more than once, or wrongly") +
               "; the grid is " + std::to_string(blocks) + " blocks of " +
               std::to_string(threads) + " threads";
    }
    return "";
}

}  // namespace

TEST_CASE("fewer elements than threads: each is advanced once") {
    for (int n : {1, 31, 32, 33, 127}) {
        CAPTURE(n);
        CHECK(difference(n, 4, 32) == "");
    }
}

TEST_CASE("as many elements as threads: each is advanced once") {
    CHECK(difference(128, 4, 32) == "");
    CHECK(difference(192, 3, 64) == "");
}

TEST_CASE("more elements than threads: each is advanced once") {
    for (int n : {129, 256, 1000, 1025}) {
        CAPTURE(n);
        CHECK(difference(n, 4, 32) == "");
        CHECK(difference(n, 3, 96) == "");
    }
}

TEST_CASE("odd grids: one thread alone, and blocks that are no multiple of a warp") {
    CHECK(difference(100, 1, 1) == "");
    CHECK(difference(1000, 5, 33) == "");
    CHECK(difference(1000, 7, 1) == "");
}

TEST_CASE("a large array in a small grid") { CHECK(difference(200'003, 7, 96) == ""); }

TEST_CASE("no elements: the grid is launched, and does nothing") {
    CHECK_NOTHROW(exercise::advance(0, nullptr, 2, 64));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("there is one launch, of exactly the grid that was asked for") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    kit::DeviceBuffer<unsigned> state(states(1000));
    const auto counted =
        kit::count([&] { exercise::advance(1000, state.data(), 5, 64); });
    REQUIRE(counted.launches().size() == 1);
    CHECK(counted.launches()[0].grid[0] == 5);
    CHECK(counted.launches()[0].grid[1] == 1);
    CHECK(counted.launches()[0].block[0] == 64);
}

TEST_CASE("the threads of a warp work side by side") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    kit::DeviceBuffer<unsigned> state(states(1000));
    const auto counted =
        kit::count([&] { exercise::advance(1000, state.data(), 5, 64); });
    const auto stores = counted[kit::metric::store_requests].value_or(0);
    // 32 lanes store together: 31 full warps and a ragged one. A thread alone stores 1000
    // times, the host never.
    CHECK(stores >= 32);
    CHECK(stores <= 64);
}
