// rejected: finding launch-rejected, line 16: for n = 0 the grid has no block
#include "ragged_end.h"

#include "kit/check.h"

namespace exercise {

__global__ void add_elements(int n, const float* a, const float* b, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

void add(int n, const float* a, const float* b, float* sum) {
    const int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    add_elements<<<blocks, threads>>>(n, a, b, sum);  // mended: if (blocks > 0) add_elements<<<blocks, threads>>>(n, a, b, sum);
    kit::check_launch("add_elements");
}

}  // namespace exercise
