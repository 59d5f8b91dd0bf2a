// rejected: wrong-answer "the kernel computes the result, and only threads with an element do", line 10: the surplus threads all do the last element once more
#include "ragged_end.h"

#include "kit/check.h"

namespace exercise {

__global__ void add_elements(int n, const float* a, const float* b, float* sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) i = n - 1;  // mended: if (i >= n) return;
    sum[i] = a[i] + b[i];
}

void add(int n, const float* a, const float* b, float* sum) {
    const int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    if (blocks == 0) return;
    add_elements<<<blocks, threads>>>(n, a, b, sum);
    kit::check_launch("add_elements");
}

}  // namespace exercise
