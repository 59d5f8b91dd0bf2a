// A fault of a kernel: seen by the next call that waits, then by every call, until a reset.
// findings: null-pointer sticky-error
#include <cstdio>

__global__ void store(int* p) { *p = 42; }

int main() {
    int *d, *e, h = 0, failed = 0;
    cudaMalloc(&d, 4);
    store<<<1, 1>>>(nullptr);
    failed += cudaGetLastError() != cudaSuccess;       // the launch was accepted
    failed += cudaMalloc(&e, 4) != cudaSuccess;        // does not wait
    store<<<1, 1>>>(d);                                // does not run any more
    failed += cudaDeviceSynchronize() != cudaErrorIllegalAddress;
    failed += cudaGetLastError() != cudaErrorIllegalAddress;
    failed += cudaGetLastError() != cudaSuccess;
    failed += cudaMalloc(&e, 4) != cudaErrorIllegalAddress;
    failed += cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost) != cudaErrorIllegalAddress;
    failed += cudaFree(d) != cudaErrorIllegalAddress;
    int device = -1;
    failed += cudaGetDevice(&device) != cudaSuccess;   // asks nothing of the device

    failed += cudaDeviceReset() != cudaSuccess;
    failed += cudaMalloc(&d, 4) != cudaSuccess;
    store<<<1, 1>>>(d);
    failed += cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost) != cudaSuccess;
    failed += h != 42;
    cudaFree(d);
    return failed;
}
