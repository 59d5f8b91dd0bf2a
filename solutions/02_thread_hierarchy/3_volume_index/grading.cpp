// Further cases: the task states them, the learner's check does not show them.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"
#include "volume_index.h"

TEST_CASE("each slope alone, in every order of the sides") {
    const int sides[][3] = {{3, 10, 37}, {3, 37, 10}, {10, 3, 37},
                            {10, 37, 3}, {37, 3, 10}, {37, 10, 3}};
    for (const auto& [nx, ny, nz] : sides)
        for (int3 slope :
             {int3{1, 0, 0}, int3{0, 1, 0}, int3{0, 0, 1}, int3{-1000, 999, 17}}) {
            const std::vector<int> in = kit::random_ints(nx * ny * nz, 52, -9999, 9999);
            std::vector<int> expected = in;
            std::size_t i = 0;
            for (int z = 0; z < nz; ++z)
                for (int y = 0; y < ny; ++y)
                    for (int x = 0; x < nx; ++x)
                        expected[i++] -= slope.x * x + slope.y * y + slope.z * z;
            kit::DeviceBuffer<int> d_in(in), d_out(in.size(), kit::Fill::poison);
            exercise::remove_tilt({nx, ny, nz}, slope, d_in.data(), d_out.data());
            CHECK(kit::first_difference(d_out.copy_out(), expected) == "");
        }
}
