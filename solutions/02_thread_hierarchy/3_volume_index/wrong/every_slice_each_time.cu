// rejected: wrong-answer "the kernel computes the result, and each voxel once", line 13: the grid has a thread for every slice, and each does all of them
#include "volume_index.h"

#include "kit/check.h"

namespace exercise {

__global__ void subtract_tilt(int3 size, int3 slope, const int* in, int* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int mine = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= size.x || y >= size.y || mine >= size.z) return;
    for (int z = 0; z < size.z; ++z) {  // mended: for (int z = mine; z == mine; ++z) {
        const int i = (z * size.y + y) * size.x + x;
        out[i] = in[i] - (slope.x * x + slope.y * y + slope.z * z);
    }
}

void remove_tilt(int3 size, int3 slope, const int* in, int* out) {
    if (size.x == 0 || size.y == 0 || size.z == 0) return;
    const dim3 threads(32, 4, 2);
    const dim3 blocks((size.x + 31) / 32, (size.y + 3) / 4, (size.z + 1) / 2);
    subtract_tilt<<<blocks, threads>>>(size, slope, in, out);
    kit::check_launch("subtract_tilt");
}

}  // namespace exercise
