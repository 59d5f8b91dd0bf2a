#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "ragged_end.h"

namespace {

using Add = void(int, const float*, const float*, float*);

std::vector<float> run(Add add, const std::vector<float>& a,
                       const std::vector<float>& b) {
    kit::DeviceBuffer<float> d_a(a), d_b(b), d_sum(a.size(), kit::Fill::poison);
    add(int(a.size()), d_a.data(), d_b.data(), d_sum.data());
    kit::check_launch("add");
    return d_sum.copy_out();
}

std::string difference(int n) {  // one addition rounds alike everywhere: no tolerance
    const std::vector<float> a = kit::random_floats(n, 31), b = kit::random_floats(n, 32);
    return kit::first_difference(run(exercise::add, a, b), run(solution::add, a, b), {},
                                 {.block = 128});
}

}  // namespace

TEST_CASE("whole blocks are added") {
    for (int n : {128, 256, 1024}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("the ragged end behind the last whole block is added, too") {
    for (int n : {129, 200, 1000, 1023}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("arrays shorter than one block are added") {
    for (int n : {1, 31, 32, 33, 127}) {
        CAPTURE(n);
        CHECK(difference(n) == "");
    }
}

TEST_CASE("a large array with a ragged end") { CHECK(difference(250'007) == ""); }

TEST_CASE("no elements: nothing is launched, and nothing goes wrong") {
    CHECK_NOTHROW(exercise::add(0, nullptr, nullptr, nullptr));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what lies behind the end is left alone") {
    // The three arrays are the first 100 places of longer ones.
    const std::vector<float> a = kit::random_floats(160, 33),
                             b = kit::random_floats(160, 34);
    kit::DeviceBuffer<float> d_a(a), d_b(b), d_sum(a);
    exercise::add(100, d_a.data(), d_b.data(), d_sum.data());
    const std::vector<float> sum = d_sum.copy_out();
    const std::vector<float> behind(sum.begin() + 100, sum.end());
    CHECK(kit::first_difference(behind, {a.begin() + 100, a.end()}) == "");
}

TEST_CASE("the kernel computes the result, and only threads with an element do") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const int n = 129;
    kit::DeviceBuffer<float> d_a(kit::random_floats(n, 35)), d_b(kit::random_floats(n, 36)),
        d_sum(std::size_t(n), kit::Fill::poison);
    const kit::Counted counted =
        kit::count([&] { exercise::add(n, d_a.data(), d_b.data(), d_sum.data()); });
    // Four full warps and one lane of a fifth; the other three of the second block rest.
    CHECK(counted[kit::metric::store_requests].value_or(0) == 5);
}
