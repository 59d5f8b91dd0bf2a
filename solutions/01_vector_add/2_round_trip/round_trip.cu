#include "round_trip.h"

#include <cstddef>

#include "kit/check.h"

namespace solution {

// One thread, one value. Nothing to change here.
__global__ void convert(int n, const float* celsius, float* fahrenheit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) fahrenheit[i] = 1.8f * celsius[i] + 32;
}

std::vector<float> to_fahrenheit(const std::vector<float>& celsius) {
    const int n = int(celsius.size());
    std::vector<float> fahrenheit(n);
    if (n == 0) return fahrenheit;  // no block to launch, no byte to copy

    // #solution
    const std::size_t bytes = n * sizeof(float);  // cudaMalloc and cudaMemcpy count bytes
    float* d_celsius = nullptr;
    float* d_fahrenheit = nullptr;
    CUDA_CHECK(cudaMalloc(&d_celsius, bytes));
    CUDA_CHECK(cudaMalloc(&d_fahrenheit, bytes));

    // Destination first, as in an assignment.
    CUDA_CHECK(cudaMemcpy(d_celsius, celsius.data(), bytes, cudaMemcpyHostToDevice));
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    convert<<<blocks, threads>>>(n, d_celsius, d_fahrenheit);
    kit::check_launch("convert");
    CUDA_CHECK(
        cudaMemcpy(fahrenheit.data(), d_fahrenheit, bytes, cudaMemcpyDeviceToHost));

    // Nobody does this for a raw pointer, and where a call above throws, nobody does it
    // at all: larger programs give each buffer an owner, such as the kit's DeviceBuffer.
    CUDA_CHECK(cudaFree(d_fahrenheit));
    CUDA_CHECK(cudaFree(d_celsius));
    // #skeleton
    //| // TODO: allocate two arrays on the device, copy the input there, launch convert
    //| // with enough blocks, copy the result into fahrenheit, free what you allocated.
    // #end
    return fahrenheit;
}

}  // namespace solution
