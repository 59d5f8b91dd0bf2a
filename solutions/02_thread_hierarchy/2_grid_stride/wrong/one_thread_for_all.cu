// rejected: wrong-answer "the threads of a warp work side by side", line 13: a single thread does everything, and the others rest
#include "grid_stride.h"

#include "kit/check.h"

namespace exercise {

__device__ unsigned next(unsigned state) { return 1664525u * state + 1013904223u; }

__global__ void advance_all(int n, unsigned* state) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    [[maybe_unused]] const int stride = gridDim.x * blockDim.x;
    for (int i = 0; i < n && first == 0; ++i)  // mended: for (int i = first; i < n; i += stride)
        state[i] = next(state[i]);
}

void advance(int n, unsigned* state, int blocks, int threads) {
    advance_all<<<blocks, threads>>>(n, state);
    kit::check_launch("advance_all");
}

}  // namespace exercise
