// rejected: finding double-free, line 34: one array is freed twice, the other never
#include "round_trip.h"

#include <cstddef>

#include "kit/check.h"

namespace exercise {

__global__ void convert(int n, const float* celsius, float* fahrenheit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) fahrenheit[i] = 1.8f * celsius[i] + 32;
}

std::vector<float> to_fahrenheit(const std::vector<float>& celsius) {
    const int n = int(celsius.size());
    std::vector<float> fahrenheit(n);
    if (n == 0) return fahrenheit;

    const std::size_t bytes = n * sizeof(float);
    float* d_celsius = nullptr;
    float* d_fahrenheit = nullptr;
    CUDA_CHECK(cudaMalloc(&d_celsius, bytes));
    CUDA_CHECK(cudaMalloc(&d_fahrenheit, bytes));

    CUDA_CHECK(cudaMemcpy(d_celsius, celsius.data(), bytes, cudaMemcpyHostToDevice));
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    convert<<<blocks, threads>>>(n, d_celsius, d_fahrenheit);
    kit::check_launch("convert");
    CUDA_CHECK(cudaMemcpy(fahrenheit.data(), d_fahrenheit, bytes, cudaMemcpyDeviceToHost));

    CUDA_CHECK(cudaFree(d_fahrenheit));
    CUDA_CHECK(cudaFree(d_fahrenheit));  // mended: CUDA_CHECK(cudaFree(d_celsius));
    return fahrenheit;
}

}  // namespace exercise
