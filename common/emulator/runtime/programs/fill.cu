// Every way into a kernel and its variables: constant, global and managed ones, a pointer, a
// value; default stream and own stream; <<<>>> and cudaLaunchKernel.
// findings:
#include <cstdio>

__constant__ float scale[4];
__device__ int counter = 5;
__managed__ int shift = 7;

__global__ void fill(int* out, int n, double factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = int(i * factor * scale[1]) + shift;
    if (i == 0) atomicAdd(&counter, 1);
}

int main() {
    const int n = 100;
    float values[4] = {1, 2, 3, 4};
    int *d, h[n], wrong = 0;
    if (cudaMemcpyToSymbol(scale, values, sizeof values)) return 2;
    if (cudaMalloc(&d, sizeof h)) return 3;
    shift += 3;
    fill<<<4, 32>>>(d, n, 1.5);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) return 4;
    for (int i = 0; i < n; ++i) wrong += h[i] != int(i * 1.5 * 2) + 10;

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int count = n;
    double factor = 2;
    void* arguments[] = {&d, &count, &factor};
    if (cudaLaunchKernel((const void*)fill, dim3(4), dim3(32), arguments, 0, stream)) return 5;
    if (cudaStreamSynchronize(stream)) return 6;
    cudaStreamDestroy(stream);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)) return 7;
    for (int i = 0; i < n; ++i) wrong += h[i] != i * 4 + 10;
    int counted = 0;
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    wrong += counted != 7;

    cudaFuncAttributes a;
    if (cudaFuncGetAttributes(&a, fill) || a.numRegs < 8 || a.constSizeBytes != 16) return 8;
    cudaFree(d);
    return wrong ? 1 : 0;
}
