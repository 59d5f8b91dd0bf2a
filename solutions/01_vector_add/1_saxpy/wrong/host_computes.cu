// rejected: wrong-answer "the kernel computes the result, not the host", line 26: the values are right, and no kernel ran
#include <vector>

#include "kit/check.h"
#include "saxpy.h"

namespace exercise {

__global__ void add_scaled(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void on_the_host(int n, float a, const float* x, float* y) {
    const std::size_t bytes = n * sizeof(float);
    std::vector<float> h_x(n), h_y(n);
    CUDA_CHECK(cudaMemcpy(h_x.data(), x, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h_y.data(), y, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) h_y[i] = a * h_x[i] + h_y[i];
    CUDA_CHECK(cudaMemcpy(y, h_y.data(), bytes, cudaMemcpyHostToDevice));
}

void saxpy(int n, float a, const float* x, float* y) {
    if (n == 0) return;
    [[maybe_unused]] const int threads = 256, blocks = (n + threads - 1) / threads;
    on_the_host(n, a, x, y);  // mended: add_scaled<<<blocks, threads>>>(n, a, x, y);
    kit::check_launch("add_scaled");
}

}  // namespace exercise
