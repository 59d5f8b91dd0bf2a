#include "emulator/runtime/occupancy.h"

#include <cuda_occupancy.h>

#include <algorithm>
#include <climits>

#include "emulator/runtime/image.h"
#include "emulator/runtime/properties.h"

namespace emu {
namespace {

cudaOccFuncAttributes attributes_of(const DeviceSpec& spec, const HostKernel& kernel) {
    cudaOccFuncAttributes a;
    // An H200 answers for blocks larger than the launch bounds as if there were none.
    a.maxThreadsPerBlock = INT_MAX;
    a.numRegs = std::max(kernel.registers, 1);
    a.sharedSizeBytes = kernel.info.static_shared;
    a.partitionedGCConfig = PARTITIONED_GC_OFF;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    a.maxDynamicSharedSizeBytes = kernel.dynamic_limit >= 0
                                      ? std::size_t(kernel.dynamic_limit)
                                      : spec.shared_per_block - kernel.info.static_shared;
    a.numBlockBarriers = 1;
    return a;
}

cudaOccDeviceState state_of(const HostKernel& kernel) {
    cudaOccDeviceState s;
    s.carveoutConfig = kernel.carveout;
    return s;
}

bool occupancy(const DeviceSpec& spec, const HostKernel& kernel, int threads,
               std::size_t dynamic, cudaOccResult& result) {
    cudaOccDeviceProp device = properties_of(spec);
    cudaOccFuncAttributes attributes = attributes_of(spec, kernel);
    cudaOccDeviceState state = state_of(kernel);
    return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &attributes, &state,
                                                   threads, dynamic) == CUDA_OCC_SUCCESS;
}

}  // namespace

int blocks_a_multiprocessor(const DeviceSpec& spec, const HostKernel& kernel, int threads,
                            std::size_t dynamic_shared) {
    cudaOccResult result;
    if (threads > 1024) return 0;
    if (!occupancy(spec, kernel, threads, dynamic_shared, result)) return -1;
    return result.activeBlocksPerMultiprocessor;
}

bool registers_fit(const DeviceSpec& spec, int registers, int threads) {
    HostKernel bare;
    bare.registers = registers;
    cudaOccResult result;
    return !occupancy(spec, bare, threads, 0, result) || result.blockLimitRegs > 0;
}

int largest_block(const DeviceSpec& spec, const HostKernel& kernel) {
    int threads = 1024;
    if (kernel.info.max_threads > 0) threads = std::min(threads, kernel.info.max_threads);
    if (kernel.registers > 0)
        while (threads > 32 && !registers_fit(spec, kernel.registers, threads))
            threads = (threads - 1) / 32 * 32;
    return threads;
}

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_size, std::size_t dynamic_shared, unsigned) {
    return with_kernel("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function,
                       [&](Call& call, HostKernel& kernel) {
                           if (!blocks) return cudaErrorInvalidValue;
                           int count = blocks_a_multiprocessor(call.device().spec(), kernel,
                                                               block_size, dynamic_shared);
                           *blocks = std::max(count, 0);
                           return count < 0 ? cudaErrorInvalidValue : cudaSuccess;
                       });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int block_size,
                                                          std::size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                  dynamic_shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function,
                                                      int blocks, int block_size) {
    return with_kernel(
        "cudaOccupancyAvailableDynamicSMemPerBlock", function,
        [&](Call& call, HostKernel& kernel) {
            const DeviceSpec& spec = call.device().spec();
            cudaOccDeviceProp device = properties_of(spec);
            cudaOccFuncAttributes attributes = attributes_of(spec, kernel);
            cudaOccDeviceState state = state_of(kernel);
            return bytes && cudaOccAvailableDynamicSMemPerBlock(bytes, &device, &attributes,
                                                                &state, blocks, block_size) ==
                                CUDA_OCC_SUCCESS
                       ? cudaSuccess
                       : cudaErrorInvalidValue;
        });
}

}  // extern "C"
