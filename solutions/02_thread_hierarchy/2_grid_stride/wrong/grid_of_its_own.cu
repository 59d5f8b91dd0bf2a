// rejected: wrong-answer "there is one launch, of exactly the grid that was asked for", line 17: the grid follows n instead of the caller
#include "grid_stride.h"

#include "kit/check.h"

namespace exercise {

__device__ unsigned next(unsigned state) { return 1664525u * state + 1013904223u; }

__global__ void advance_all(int n, unsigned* state) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += stride) state[i] = next(state[i]);
}

void advance(int n, unsigned* state, [[maybe_unused]] int blocks, int threads) {
    advance_all<<<n / threads + 1, threads>>>(n, state);  // mended: advance_all<<<blocks, threads>>>(n, state);
    kit::check_launch("advance_all");
}

}  // namespace exercise
