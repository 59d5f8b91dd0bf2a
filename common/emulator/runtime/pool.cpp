// The default memory pool: allocations of a stream come from the device at once, so that a
// pool has no memory of its own; its attributes are kept for whoever reads them back.
#include <cuda_runtime_api.h>

#include <map>

#include "emulator/runtime/report.h"

using namespace emu;

namespace {

struct Pool {
    std::uint64_t threshold = 0;
    int reuse[3] = {1, 1, 1};
};
Pool default_pool;

cudaMemPool_t handle_of_default() { return reinterpret_cast<cudaMemPool_t>(&default_pool); }

template <class Body>
cudaError_t with_pool(const char* name, cudaMemPool_t pool, Body&& body) {
    return api(name, Needs::device, [&](Call& call) {
        return pool == handle_of_default() ? body(call) : cudaErrorInvalidValue;
    });
}

// Reuse policies are numbered 1 to 3.
int* reuse_of(cudaMemPoolAttr attribute) {
    int at = int(attribute) - int(cudaMemPoolReuseFollowEventDependencies);
    return at >= 0 && at < 3 ? &default_pool.reuse[at] : nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return api("cudaDeviceGetDefaultMemPool", Needs::device, [&](Call&) {
        if (device != 0) return cudaErrorInvalidDevice;
        if (!pool) return cudaErrorInvalidValue;
        *pool = handle_of_default();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return with_pool("cudaDeviceSetMemPool", pool,
                     [&](Call&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
    return with_pool("cudaMemPoolTrimTo", pool, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void* value) {
    return with_pool("cudaMemPoolSetAttribute", pool, [&](Call&) {
        if (!value) return cudaErrorInvalidValue;
        if (int* reuse = reuse_of(attribute)) *reuse = *static_cast<int*>(value);
        if (attribute == cudaMemPoolAttrReleaseThreshold)
            default_pool.threshold = *static_cast<std::uint64_t*>(value);
        return cudaSuccess;
    });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                    void* value) {
    return with_pool("cudaMemPoolGetAttribute", pool, [&](Call& call) {
        if (!value) return cudaErrorInvalidValue;
        if (int* reuse = reuse_of(attribute))
            *static_cast<int*>(value) = *reuse;
        else if (attribute == cudaMemPoolAttrReleaseThreshold)
            *static_cast<std::uint64_t*>(value) = default_pool.threshold;
        else
            *static_cast<std::uint64_t*>(value) = call.memory().used();
        return cudaSuccess;
    });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
    if (pool != handle_of_default()) return cudaErrorInvalidValue;
    return cudaMallocAsync(pointer, bytes, stream);
}

}  // extern "C"
