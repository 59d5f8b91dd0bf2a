// Built without PTX that the device can run: told with the flag that helps.
// findings: no-kernel-image
__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    return cudaGetLastError() != cudaErrorNoKernelImageForDevice;
}
