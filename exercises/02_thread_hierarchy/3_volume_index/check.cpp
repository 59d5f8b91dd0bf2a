#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "volume_index.h"

namespace {

using RemoveTilt = void(int3, int3, const int*, int*);

std::vector<int> run(RemoveTilt remove_tilt, int3 size, int3 slope,
                     const std::vector<int>& in) {
    kit::DeviceBuffer<int> d_in(in), d_out(in.size(), kit::Fill::poison);
    remove_tilt(size, slope, d_in.data(), d_out.data());
    kit::check_launch("remove_tilt");
    return d_out.copy_out();
}

std::string difference(int nx, int ny, int nz) {
    const int3 size{nx, ny, nz}, slope{3, -70, 900};  // no two directions alike
    const std::vector<int> in = kit::random_ints(nx * ny * nz, 51, -100'000, 100'000);
    const std::string text =
        kit::first_difference(run(exercise::remove_tilt, size, slope, in),
                              run(solution::remove_tilt, size, slope, in), {},
                              {std::size_t(ny) * nz, std::size_t(nx)});
    if (text.empty()) return "";
    return text + "\n  (" + std::to_string(nx) + " x " + std::to_string(ny) + " x " +
           std::to_string(nz) + " voxels; a row is one y of one z)";
}

}  // namespace

TEST_CASE("a single row of voxels") {
    for (int nx : {1, 31, 32, 33, 100}) CHECK(difference(nx, 1, 1) == "");
}

TEST_CASE("a single slice with unequal sides") {
    CHECK(difference(33, 5, 1) == "");
    CHECK(difference(6, 50, 1) == "");
}

TEST_CASE("a volume inside one block") {
    CHECK(difference(7, 3, 2) == "");
    CHECK(difference(32, 4, 2) == "");
}

TEST_CASE("volumes with three different sides, none a multiple of the block") {
    CHECK(difference(5, 7, 3) == "");
    CHECK(difference(33, 9, 6) == "");
    CHECK(difference(4, 31, 17) == "");
}

TEST_CASE("volumes that are long in one direction") {
    CHECK(difference(500, 2, 3) == "");
    CHECK(difference(2, 500, 3) == "");
    CHECK(difference(2, 3, 500) == "");
}

TEST_CASE("a large volume") { CHECK(difference(65, 49, 41) == ""); }

TEST_CASE("a volume without voxels: nothing is launched, and nothing goes wrong") {
    for (int3 size : {int3{0, 3, 3}, int3{3, 0, 3}, int3{3, 3, 0}})
        CHECK_NOTHROW(exercise::remove_tilt(size, {1, 2, 3}, nullptr, nullptr));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the kernel computes the result, and each voxel once") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const int3 size{33, 9, 6};
    const std::vector<int> in = kit::random_ints(33 * 9 * 6, 53, -1000, 1000);
    const kit::Counted counted =
        kit::count([&] { run(exercise::remove_tilt, size, {3, -70, 900}, in); });
    const auto stores = counted[kit::metric::store_requests].value_or(0);
    // 32 lanes store together: 1782 voxels are at least 56 stores of a warp. By rows of
    // 33 they are 108, in blocks of another shape some more, and six times as many where
    // the threads of each slice do all six.
    CHECK(stores >= 56);
    CHECK(stores <= 324);
}
