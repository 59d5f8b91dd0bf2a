// How fast the emulator runs, against a plain loop in the same run.
//
// Prints one JSON line for each kernel: thread-instructions, the best kernel time and the
// best loop time of several warm runs, in seconds of wall clock.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "kit/check.h"
#include "kit/emulator_table.h"
#include "loops.h"

namespace {

constexpr int repeats = 5;
constexpr int tile = 16;

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

__global__ void multiply_tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[tile][tile], tile_b[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n / tile; ++t) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + t * tile + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t * tile + threadIdx.y) * n + col];
        __syncthreads();  // both tiles are complete before anyone reads them
        for (int k = 0; k < tile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();  // everyone has read before the tiles are overwritten
    }
    c[row * n + col] = sum;
}

// The best of several runs; the first warms up and does not count.
template <class F>
double best_seconds(F&& work) {
    double best = 1e9;
    for (int run = 0; run <= repeats; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (run > 0) best = std::min(best, took.count());
    }
    return best;
}

std::uint64_t thread_instructions_of_last_launch() {
    const void* table = nullptr;
    if (cudaGetExportTable(&table, &kit::emulator_table_id) != cudaSuccess) return 0;
    const auto* emulator = static_cast<const kit::EmulatorTable*>(table);
    std::uint64_t value = 0;
    emulator->launch_counter(emulator->launches() - 1, "smsp__thread_inst_executed.sum", &value);
    return value;
}

void report(const char* name, double kernel, double loop) {
    std::printf("{\"name\": \"%s\", \"thread_instructions\": %llu, \"kernel_seconds\": %.6f, "
                "\"loop_seconds\": %.6f}\n", name,
                static_cast<unsigned long long>(thread_instructions_of_last_launch()), kernel,
                loop);
}

struct Arrays {                        // three of n floats, on both sides
    std::vector<float> a, b, c;
    float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;

    explicit Arrays(long n) : a(n), b(n), c(n) {
        for (long i = 0; i < n; ++i) {
            a[i] = static_cast<float>(i % 1013) * 0.5f;
            b[i] = static_cast<float>(i % 509) * 0.25f;
        }
        CUDA_CHECK(cudaMalloc(&device_a, n * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&device_b, n * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&device_c, n * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(device_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(device_b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~Arrays() {
        cudaFree(device_a);
        cudaFree(device_b);
        cudaFree(device_c);
    }
    Arrays(const Arrays&) = delete;
};

void bench_add(int n) {
    Arrays arrays(n);
    const double kernel = best_seconds([&] {
        add<<<(n + 255) / 256, 256>>>(arrays.device_a, arrays.device_b, arrays.device_c, n);
        CUDA_CHECK(cudaDeviceSynchronize());
    });
    const double loop = best_seconds(
        [&] { bench::add(arrays.a.data(), arrays.b.data(), arrays.c.data(), n); });
    report("vector add, 2^24", kernel, loop);
}

void bench_multiply(int n) {
    Arrays arrays(long(n) * n);
    const double kernel = best_seconds([&] {
        multiply_tiled<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(
            arrays.device_a, arrays.device_b, arrays.device_c, n);
        CUDA_CHECK(cudaDeviceSynchronize());
    });
    const double loop = best_seconds(
        [&] { bench::multiply(arrays.a.data(), arrays.b.data(), arrays.c.data(), n); });
    report("tiled matrix product, 256^3", kernel, loop);
}

}  // namespace

int main() {
    bench_multiply(256);
    bench_add(1 << 24);
}
