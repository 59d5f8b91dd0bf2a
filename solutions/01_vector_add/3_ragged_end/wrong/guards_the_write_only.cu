// rejected: finding out-of-bounds, line 10: the reads before the guard go past the end; the optimiser hides them, the check build shows them
#include "ragged_end.h"

#include "kit/check.h"

namespace exercise {

__global__ void add_elements(int n, const float* a, const float* b, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = a[i] + b[i]; if (i < n) sum[i] = value;  // mended: if (i < n) sum[i] = a[i] + b[i];
}

void add(int n, const float* a, const float* b, float* sum) {
    const int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    if (blocks == 0) return;
    add_elements<<<blocks, threads>>>(n, a, b, sum);
    kit::check_launch("add_elements");
}

}  // namespace exercise
