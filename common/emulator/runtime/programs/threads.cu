// Host threads that launch at the same time, each in a stream of its own.
// findings:
#include <thread>
#include <vector>

__global__ void add(int* p, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += value;
}

int main() {
    const int n = 1000, threads = 4;
    std::vector<int> wrong(threads, 1);
    auto work = [&](int t) {
        cudaStream_t s;
        int* d;
        std::vector<int> h(n, t);
        cudaStreamCreate(&s);
        cudaMalloc(&d, n * sizeof(int));
        cudaMemcpyAsync(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
        for (int k = 1; k <= 10; ++k) add<<<4, 256, 0, s>>>(d, n, k);
        cudaMemcpyAsync(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
        cudaStreamSynchronize(s);
        int bad = 0;
        for (int v : h) bad += v != t + 55;
        wrong[t] = bad + (cudaGetLastError() != cudaSuccess);
        cudaFree(d);
        cudaStreamDestroy(s);
    };
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) pool.emplace_back(work, t);
    for (auto& thread : pool) thread.join();
    int sum = 0;
    for (int w : wrong) sum += w;
    return sum ? 1 : 0;
}
