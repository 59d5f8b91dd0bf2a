// What a program may ask about a kernel, and set for it.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "emulator/runtime/image.h"
#include "emulator/runtime/occupancy.h"
#include "emulator/runtime/report.h"

using namespace emu;

namespace {

int dynamic_shared_limit(const DeviceSpec& spec, const HostKernel& kernel) {
    if (kernel.dynamic_limit >= 0) return kernel.dynamic_limit;
    return int(spec.shared_per_block) - int(kernel.info.static_shared);
}

cudaError_t set_dynamic_shared(const DeviceSpec& spec, HostKernel& kernel, int bytes) {
    if (bytes < 0) return cudaErrorInvalidValue;
    if (std::uint32_t(bytes) + kernel.info.static_shared > spec.shared_per_block_optin)
        return cudaErrorInvalidValue;
    kernel.dynamic_limit = bytes;
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return with_kernel("cudaFuncGetAttributes", function, [&](Call& call, HostKernel& kernel) {
        if (!attributes) return cudaErrorInvalidValue;
        const DeviceSpec& spec = call.device().spec();
        cudaFuncAttributes a{};
        a.sharedSizeBytes = kernel.info.static_shared;
        a.constSizeBytes = kernel.info.constant_bytes;
        a.localSizeBytes = std::size_t(kernel.local_bytes);
        a.maxThreadsPerBlock = largest_block(spec, kernel);
        a.numRegs = kernel.registers;
        a.ptxVersion = kernel.binary->ptx_architecture;
        a.binaryVersion = architecture_of(spec);
        a.maxDynamicSharedSizeBytes = dynamic_shared_limit(spec, kernel);
        a.preferredShmemCarveout = kernel.carveout;
        *attributes = a;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return with_kernel("cudaFuncSetAttribute", function, [&](Call& call, HostKernel& kernel) {
        switch (attribute) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                return set_dynamic_shared(call.device().spec(), kernel, value);
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < -1 || value > 100) return cudaErrorInvalidValue;
                kernel.carveout = value;
                return cudaSuccess;
            case cudaFuncAttributeClusterDimMustBeSet:
            case cudaFuncAttributeRequiredClusterWidth:
            case cudaFuncAttributeRequiredClusterHeight:
            case cudaFuncAttributeRequiredClusterDepth:
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
            case cudaFuncAttributeClusterSchedulingPolicyPreference:
                say_once("warplings: the emulator does not launch clusters of blocks");
                return cudaErrorNotSupported;
            default: return cudaErrorInvalidValue;
        }
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
    return with_kernel("cudaFuncSetCacheConfig", function, [&](Call&, HostKernel&) {
        bool known = config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return with_kernel("cudaFuncGetName", function, [&](Call&, HostKernel& kernel) {
        if (!name) return cudaErrorInvalidValue;
        *name = kernel.name.c_str();
        return cudaSuccess;
    });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                 std::size_t* size) {
    return with_kernel("cudaFuncGetParamInfo", function, [&](Call&, HostKernel& kernel) {
        if (!offset || index >= kernel.info.parameters.size()) return cudaErrorInvalidValue;
        *offset = std::size_t(kernel.info.parameters[index].first);
        if (size) *size = std::size_t(kernel.info.parameters[index].second);
        return cudaSuccess;
    });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
    return with_kernel("cudaGetFuncBySymbol", function, [&](Call&, HostKernel& kernel) {
        if (!handle) return cudaErrorInvalidValue;
        *handle = reinterpret_cast<cudaFunction_t>(&kernel);
        return cudaSuccess;
    });
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
    return with_kernel("cudaGetKernel", function, [&](Call&, HostKernel& kernel) {
        if (!handle) return cudaErrorInvalidValue;
        *handle = reinterpret_cast<cudaKernel_t>(&kernel);
        return cudaSuccess;
    });
}

}  // extern "C"
