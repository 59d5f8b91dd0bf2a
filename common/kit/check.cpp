#include "kit/check.h"

#include <cstring>
#include <string>

namespace kit {
namespace {

struct Remedy {
    cudaError_t code;
    const char* text;
};

// To add one: a row. The sentence tells the reader what to look at first.
constexpr Remedy remedies[] = {
    {cudaErrorInvalidValue,
     "An argument is out of range: of a copy, look at size, pointers and direction; of a "
     "launch, at the block (1 to 1024 threads, z at most 64) and the grid."},
    {cudaErrorMemoryAllocation,
     "The device has not that much memory free: use a smaller --size, or free a buffer."},
    {cudaErrorInvalidConfiguration,
     "A block holds 1 to 1024 threads (z at most 64), a grid at least 1 block in each "
     "direction (y and z at most 65,535): print both."},
    {cudaErrorInvalidMemcpyDirection,
     "The direction does not match the pointers: the destination comes first."},
    {cudaErrorInsufficientDriver,
     "The driver is older than the CUDA runtime: update it, or run on the emulator."},
    {cudaErrorNoDevice, "There is no CUDA device here: run on the emulator."},
    {cudaErrorInvalidDevice, "There is no device with this number: they count from 0."},
    {cudaErrorNoKernelImageForDevice,
     "The program has no code for this device: build it for its compute capability."},
    {cudaErrorIllegalAddress,
     "A kernel used memory that is not its own: look at the bounds check, and for a host "
     "pointer among its arguments."},
    {cudaErrorMisalignedAddress,
     "A kernel read or wrote at an address that is no multiple of the type's size."},
    {cudaErrorLaunchOutOfResources,
     "The kernel needs more registers or shared memory than a block of this size has: "
     "try a smaller block."},
    {cudaErrorLaunchTimeout, "The kernel ran too long: look for a loop that never ends."},
    {cudaErrorLaunchFailure,
     "The kernel stopped on a fault: run it under `warplings emulate` to see where."},
    {cudaErrorAssert, "A device assert failed: its file and line stand above."},
    {cudaErrorInvalidResourceHandle,
     "A stream, event or texture does not exist any more, or belongs to another device."},
    {cudaErrorNotSupported, "This device or the emulator does not offer this call."},
};

std::string describe(cudaError_t code, const char* call, const std::source_location& at) {
    const char* file = at.file_name();
    if (const char* slash = std::strrchr(file, '/')) file = slash + 1;
    std::string text = std::string(file) + ":" + std::to_string(at.line()) + ": " + call +
                       "\n  failed with " + cudaGetErrorName(code) + " (" +
                       std::to_string(int(code)) + "): " + cudaGetErrorString(code);
    if (*remedy(code)) text += std::string("\n  ") + remedy(code);
    return text;
}

}  // namespace

const char* remedy(cudaError_t code) {
    for (const Remedy& row : remedies)
        if (row.code == code) return row.text;
    return "";
}

CudaError::CudaError(cudaError_t code, const char* call, const std::source_location& at)
    : std::runtime_error(describe(code, call, at)), code_(code) {}

void check(cudaError_t code, const char* call, std::source_location at) {
    if (code != cudaSuccess) throw CudaError(code, call, at);
}

void check_launch(const char* kernel, std::source_location at) {
    const std::string name(kernel);
    check(cudaGetLastError(), (name + " (the launch itself)").c_str(), at);
    check(cudaDeviceSynchronize(), (name + " (while it ran)").c_str(), at);
}

}  // namespace kit
