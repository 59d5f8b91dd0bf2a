// Launches that a device cannot do: codes as an H200 with CUDA 13.0 gives them.
// findings: launch-rejected launch-rejected launch-rejected launch-rejected launch-rejected
// findings: launch-rejected launch-rejected launch-rejected launch-rejected launch-rejected
__global__ void plain(int* p) {
    if (p) *p = 1;
}
__global__ void __launch_bounds__(128) bounded(int* p) { *p = 1; }
__global__ void dynamic(int* p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    *p = s[0];
}

int failed = 0;
void expect(cudaError_t wanted) { failed += cudaGetLastError() != wanted; }

int main() {
    int* d;
    cudaMalloc(&d, 4);
    plain<<<1, 1025>>>(d), expect(cudaErrorInvalidValue);
    plain<<<0, 1>>>(d), expect(cudaErrorInvalidValue);
    plain<<<1, 0>>>(d), expect(cudaErrorInvalidValue);
    plain<<<1, dim3(1, 1, 65)>>>(d), expect(cudaErrorInvalidValue);
    plain<<<dim3(1, 65536), 1>>>(d), expect(cudaErrorInvalidValue);
    plain<<<dim3(1, 1, 65536), 1>>>(d), expect(cudaErrorInvalidValue);
    plain<<<0x80000000u, 1>>>(d), expect(cudaErrorInvalidValue);
    bounded<<<1, 256>>>(d), expect(cudaErrorInvalidValue);
    dynamic<<<1, 32, 49153>>>(d), expect(cudaErrorInvalidValue);
    dynamic<<<1, 32, 1 << 20>>>(d), expect(cudaErrorInvalidValue);

    auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
    failed += cudaFuncSetAttribute(dynamic, limit, 232449) != cudaErrorInvalidValue;
    failed += cudaFuncSetAttribute(dynamic, limit, -1) != cudaErrorInvalidValue;
    failed += cudaFuncSetAttribute(dynamic, limit, 232448) != cudaSuccess;
    cudaGetLastError();
    dynamic<<<1, 32, 100000>>>(d), expect(cudaSuccess);
    failed += cudaDeviceSynchronize() != cudaSuccess;
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, bounded);
    failed += a.maxThreadsPerBlock != 128;
    cudaFree(d);
    return failed;
}
