// rejected: wrong-answer "the ragged end behind the last whole block is added, too", line 10: the guard drops the whole of the last, partial block
#include "ragged_end.h"

#include "kit/check.h"

namespace exercise {

__global__ void add_elements(int n, const float* a, const float* b, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < n / blockDim.x) sum[i] = a[i] + b[i];  // mended: if (i < n) sum[i] = a[i] + b[i];
}

void add(int n, const float* a, const float* b, float* sum) {
    const int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    if (blocks == 0) return;
    add_elements<<<blocks, threads>>>(n, a, b, sum);
    kit::check_launch("add_elements");
}

}  // namespace exercise
