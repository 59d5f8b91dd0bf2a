// The answer against three nested loops in 64 bits: whole numbers, so no tolerance.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "volume_index.h"

TEST_CASE("the answer removes the tilt from every voxel") {
    const int sides[][3] = {
        {1, 1, 1}, {33, 5, 3}, {2, 70, 9}, {31, 3, 130}, {64, 64, 20}};
    for (const auto& [nx, ny, nz] : sides) {
        CAPTURE(nx);
        CAPTURE(nz);
        const std::vector<int> in = kit::random_ints(nx * ny * nz, 3, -50'000, 50'000);
        std::vector<int> expected(in.size());
        std::size_t i = 0;
        for (long long z = 0; z < nz; ++z)
            for (long long y = 0; y < ny; ++y)
                for (long long x = 0; x < nx; ++x, ++i)
                    expected[i] = int(in[i] - (-11 * x + 23 * y + 501 * z));
        kit::DeviceBuffer<int> d_in(in), d_out(in.size(), kit::Fill::poison);
        solution::remove_tilt({nx, ny, nz}, {-11, 23, 501}, d_in.data(), d_out.data());
        CHECK(kit::first_difference(d_out.copy_out(), expected) == "");
    }
}
