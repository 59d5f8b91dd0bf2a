#include "ragged_end.h"

#include "kit/check.h"

namespace exercise {

// TODO: find two mistakes in this file. It was tried with 1024 and 4096 elements, and
// the sums were right. While the first mistake stands, the second cannot show itself.
__global__ void add_elements(int n, const float* a, const float* b, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = a[i] + b[i];
}

void add(int n, const float* a, const float* b, float* sum) {
    const int threads = 128;
    const int blocks = n / threads;
    if (blocks == 0) return;  // or the launch fails
    add_elements<<<blocks, threads>>>(n, a, b, sum);
    kit::check_launch("add_elements");
}

}  // namespace exercise
