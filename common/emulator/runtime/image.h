#pragma once
// From a registered binary to a module that the device has loaded, on first use.
#include "emulator/runtime/call.h"

namespace emu {

// Success, or why nothing of this binary can be used; the reason is told once.
cudaError_t load(Call& call, Binary& binary);

// Fills in `info`, registers and local memory.
cudaError_t find_kernel(Call& call, HostKernel& kernel);

// The kernel that a program means by a host function or a handle; null if there is none.
HostKernel* kernel_of(State& s, const void* function);

// A call about one kernel: `use(call, kernel)` once the device knows it, or the error.
template <class Use>
cudaError_t with_kernel(const char* name, const void* function, Use&& use) {
    return api(name, Needs::device, [&](Call& call) {
        if (!function) return cudaErrorInvalidDeviceFunction;
        HostKernel* kernel = kernel_of(call.state(), function);
        if (!kernel) return cudaErrorInvalidResourceHandle;
        cudaError_t error = find_kernel(call, *kernel);
        return error != cudaSuccess ? error : use(call, *kernel);
    });
}

struct SymbolPlace {
    cudaError_t error = cudaErrorInvalidSymbol;
    SymbolInfo info;
    std::string name;
};
SymbolPlace find_symbol(Call& call, const void* host_variable);

// Compute capability as one number: 90.
int architecture_of(const DeviceSpec& spec);

}  // namespace emu
