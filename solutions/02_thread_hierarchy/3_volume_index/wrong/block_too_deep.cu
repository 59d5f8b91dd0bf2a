// rejected: finding launch-rejected, line 21: a block is at most 64 threads deep
#include "volume_index.h"

#include "kit/check.h"

namespace exercise {

__global__ void subtract_tilt(int3 size, int3 slope, const int* in, int* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    const int i = (z * size.y + y) * size.x + x;
    const int tilt = slope.x * x + slope.y * y + slope.z * z;
    if (x < size.x && y < size.y && z < size.z) out[i] = in[i] - tilt;
}

void remove_tilt(int3 size, int3 slope, const int* in, int* out) {
    if (size.x == 0 || size.y == 0 || size.z == 0) return;
    const dim3 threads(32, 4, 2);
    const dim3 blocks((size.x + threads.x - 1) / threads.x, (size.y + threads.y - 1) / threads.y, (size.z + threads.z - 1) / threads.z);
    subtract_tilt<<<blocks, dim3(1, 1, 128)>>>(size, slope, in, out);  // mended: subtract_tilt<<<blocks, threads>>>(size, slope, in, out);
    kit::check_launch("subtract_tilt");
}

}  // namespace exercise
