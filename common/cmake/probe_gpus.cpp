// Prints the compute capability of each GPU that answers, as a CMake list: 86;90.
// Fails where there is none, or one that this toolkit no longer compiles for.
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
    constexpr int oldest = 75;  // CUDA 13 compiles for Turing and later
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return 1;
    for (int device = 0; device < count; ++device) {
        int major = 0, minor = 0;
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ||
            cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device))
            return 1;
        if (major * 10 + minor < oldest || cudaSetDevice(device) || cudaFree(nullptr)) return 1;
        std::printf("%s%d", device ? ";" : "", major * 10 + minor);
    }
}
