// Attributes of streams. None changes what a kernel computes or what is counted: they are
// kept, checked and given back.
#include <cuda_runtime_api.h>

#include "emulator/device/table.h"
#include "emulator/runtime/call.h"
#include "emulator/runtime/properties.h"

using namespace emu;

namespace {

// The ids that a stream has (CUDA Runtime API, cudaStreamAttrID): not all that launches have.
bool belongs_to_streams(cudaStreamAttrID id) {
    switch (id) {
        case cudaStreamAttributeAccessPolicyWindow:
        case cudaStreamAttributeSynchronizationPolicy:
        case cudaStreamAttributePriority:
        case cudaStreamAttributeMemSyncDomainMap:
        case cudaStreamAttributeMemSyncDomain: return true;
        default: return false;
    }
}

bool is_valid(const cudaAccessPolicyWindow& window) {
    cudaDeviceProp p = properties_of(*device_named(options().device));
    return window.num_bytes <= static_cast<std::size_t>(p.accessPolicyMaxWindowSize) &&
           window.hitRatio >= 0 && window.hitRatio <= 1 &&
           window.missProp != cudaAccessPropertyPersisting;
}

template <class Use>
cudaError_t with_attribute(const char* name, cudaStream_t handle, cudaStreamAttrID id,
                           const void* value, Use&& use) {
    return api(name, Needs::device, [&](Call& call) {
        Stream* stream = stream_of(call.state(), handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        if (!value || !belongs_to_streams(id)) return cudaErrorInvalidValue;
        return use(*stream);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
    return with_attribute("cudaStreamSetAttribute", handle, id, value, [&](Stream& stream) {
        if (id == cudaStreamAttributeAccessPolicyWindow &&
            !is_valid(value->accessPolicyWindow))
            return cudaErrorInvalidValue;
        if (id == cudaStreamAttributePriority) stream.priority = value->priority;
        stream.attributes[id] = *value;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                   cudaStreamAttrValue* value) {
    return with_attribute("cudaStreamGetAttribute", handle, id, value, [&](Stream& stream) {
        auto set = stream.attributes.find(id);
        *value = set == stream.attributes.end() ? cudaStreamAttrValue{} : set->second;
        if (id == cudaStreamAttributePriority) value->priority = stream.priority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return api("cudaStreamCopyAttributes", Needs::device, [&](Call& call) {
        Stream *target = stream_of(call.state(), to), *source = stream_of(call.state(), from);
        if (!target || !source) return cudaErrorInvalidResourceHandle;
        target->attributes = source->attributes;
        target->priority = source->priority;
        return cudaSuccess;
    });
}

}  // extern "C"
