// What nvcc's generated code calls before main, at a launch, and after main. NVIDIA does not
// document these functions; crt/host_runtime.h of the toolkit declares most of them. This is
// the only file that knows them.
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulator/runtime/image.h"
#include "emulator/runtime/launch.h"
#include "emulator/runtime/report.h"

namespace emu {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1;

// What __cudaRegisterFatBinary is given, from section .nvFatBinSegment.
struct Wrapper {
    std::uint32_t magic, version;
    const void* container;
    const void* const* parts;         // version 2: ends with null
};

Binary* binary_of(void** handle) { return reinterpret_cast<Binary*>(handle); }

// <<<...>>> pushes, the kernel's stub pops: at most a few deep, where arguments launch.
struct Configuration {
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
    Callers callers;
};
thread_local std::vector<Configuration> configurations;
thread_local Callers popped_callers;

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

void** __cudaRegisterFatBinary(void* image) {
    std::lock_guard lock(state().mutex);
    auto binary = std::make_unique<Binary>();
    Wrapper wrapper;
    std::memcpy(&wrapper, image, sizeof wrapper);
    if (wrapper.magic == wrapper_magic) {
        binary->containers.push_back(wrapper.container);
        binary->relocatable = wrapper.version == 2;
        for (auto* part = wrapper.parts; binary->relocatable && part && *part; ++part)
            binary->containers.push_back(*part);
    } else {
        binary->loaded = true;
        binary->error = cudaErrorInvalidKernelImage;
        say_once("warplings: a registered CUDA image has an unknown form; its kernels cannot "
                 "run. Build the program with nvcc 13.");
    }
    state().binaries.push_back(std::move(binary));
    return reinterpret_cast<void**>(state().binaries.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
    State& s = state();
    std::lock_guard lock(s.mutex);
    Binary* binary = binary_of(handle);
    // At exit this comes after main; a library that is closed earlier takes its kernels away.
    std::erase_if(s.handles, [&](auto& entry) { return entry.second->binary == binary; });
    std::erase_if(s.kernels, [&](auto& entry) { return entry.second->binary == binary; });
    std::erase_if(s.variables, [&](auto& entry) { return entry.second.binary == binary; });
    if (s.device && binary->module >= 0 && !s.lost_by_fork) s.device->unload(binary->module);
    std::erase_if(s.binaries, [&](auto& entry) { return entry.get() == binary; });
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*,
                            const char* device_name, int, uint3*, uint3*, dim3*, dim3*, int*) {
    State& s = state();
    std::lock_guard lock(s.mutex);
    auto kernel = std::make_unique<HostKernel>();
    kernel->binary = binary_of(handle);
    kernel->name = device_name;
    kernel->shown = without_parameters(demangled(device_name));
    s.handles[kernel.get()] = kernel.get();
    s.kernels[host_function] = std::move(kernel);
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int,
                       std::size_t, int, int) {
    std::lock_guard lock(state().mutex);
    state().variables[host_variable] = {binary_of(handle), device_name};
}

void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*,
                              const char* device_name, int, std::size_t, int, int) {
    std::lock_guard lock(state().mutex);
    binary_of(handle)->managed.push_back({host_pointer, device_name});
    state().variables[host_pointer] = {binary_of(handle), device_name};
}

// Called before the host touches a managed variable.
char __cudaInitModule(void** handle) {
    api("__cudaInitModule", Needs::device,
        [&](Call& call) { return load(call, *binary_of(handle)); });
    return 1;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     cudaStream_t stream) {
    configurations.push_back(
        {grid, block, shared, stream, caller_at(__builtin_return_address(0))});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                       void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    Configuration& last = configurations.back();
    *grid = last.grid;
    *block = last.block;
    *shared = last.shared;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    popped_callers = last.callers;
    configurations.pop_back();
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host_function) {
    std::lock_guard lock(state().mutex);
    HostKernel* kernel = kernel_of(state(), host_function);
    *handle = reinterpret_cast<cudaKernel_t>(kernel);
    return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
    return api("cudaLaunchKernel", Needs::device, [&](Call& call) {
        call.set_callers(popped_callers);   // the line of <<<...>>>, not of its stub
        return launch(call, {kernel, grid, block, arguments, shared, stream, popped_callers});
    });
}

}  // extern "C"
