#pragma once
// A volume of voxels with three unequal sides, and a grid of three dimensions.
#include <vector_types.h>

namespace exercise {

// Removes a linear tilt from every voxel:
//   out(x, y, z) = in(x, y, z) - (slope.x * x + slope.y * y + slope.z * z)
//   size      voxels along x, y and z; any of them may be 0
//   slope     -1000..1000 each
//   in, out   size.x * size.y * size.z ints each in device memory, that do not overlap;
//             x runs fastest, then y, then z
void remove_tilt(int3 size, int3 slope, const int* in, int* out);

}  // namespace exercise

namespace solution {
void remove_tilt(int3 size, int3 slope, const int* in, int* out);
}
