// rejected: finding device-pointer-on-host, line 17: a loop on the host cannot read device memory
#include "saxpy.h"

#include "kit/check.h"

namespace exercise {

__global__ void add_scaled(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(int n, float a, const float* x, float* y) {
    if (n == 0) return;
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];  // mended: add_scaled<<<blocks, threads>>>(n, a, x, y);
    kit::check_launch("add_scaled");
}

}  // namespace exercise
