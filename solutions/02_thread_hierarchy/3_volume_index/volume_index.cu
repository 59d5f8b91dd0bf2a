#include "volume_index.h"

#include "kit/check.h"

namespace solution {

// One thread, one voxel.
__global__ void subtract_tilt(int3 size, int3 slope, const int* in, int* out) {
    // #solution
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    // Whole slices before this one, whole rows before this one, voxels before this one.
    const int i = (z * size.y + y) * size.x + x;
    const int tilt = slope.x * x + slope.y * y + slope.z * z;
    if (x < size.x && y < size.y && z < size.z) out[i] = in[i] - tilt;
    // #skeleton
    //| // TODO: find this thread's voxel and its place in the array; take the tilt out.
    // #end
}

void remove_tilt(int3 size, int3 slope, const int* in, int* out) {
    if (size.x == 0 || size.y == 0 || size.z == 0) return;
    const dim3 threads(32, 4, 2);  // 256; long in x, so that a warp is one piece of a row
    // #solution
    const dim3 blocks((size.x + threads.x - 1) / threads.x,
                      (size.y + threads.y - 1) / threads.y,
                      (size.z + threads.z - 1) / threads.z);
    // #skeleton
    //| const dim3 blocks(1, 1, 1);  // TODO: enough blocks in all three directions.
    // #end
    subtract_tilt<<<blocks, threads>>>(size, slope, in, out);
    kit::check_launch("subtract_tilt");
}

}  // namespace solution
