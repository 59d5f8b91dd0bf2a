#include "saxpy.h"

#include "kit/check.h"

namespace solution {

// One thread, one element.
__global__ void add_scaled(int n, float a, const float* x, float* y) {
    // #solution
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // The grid consists of whole blocks, so its last threads may have no element.
    if (i < n) y[i] = a * x[i] + y[i];
    // #skeleton
    //| // TODO: find out which element is this thread's, and update it if there is one.
    // #end
}

void saxpy(int n, float a, const float* x, float* y) {
    // #solution
    if (n == 0) return;  // a launch of no blocks is an error
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;  // rounded up
    // #skeleton
    //| const int threads = 256;
    //| const int blocks = 1;  // TODO: enough blocks to give each element a thread.
    // #end
    add_scaled<<<blocks, threads>>>(n, a, x, y);
    kit::check_launch("add_scaled");
}

}  // namespace solution
