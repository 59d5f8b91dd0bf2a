// One device, always number 0: what it is, its limits, waiting for it, starting afresh.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "emulator/runtime/exit.h"
#include "emulator/runtime/image.h"
#include "emulator/runtime/properties.h"
#include "emulator/runtime/report.h"

using namespace emu;

namespace {

const DeviceSpec& spec() { return *device_named(options().device); }

template <class Body>
cudaError_t about_device(const char* name, int device, Body&& body) {
    return api(name, Needs::nothing, [&](Call& call) {
        return device == 0 ? body(call) : cudaErrorInvalidDevice;
    });
}

constexpr char bus_id[] = "0000:00:01.0";

// Everything of the device goes; binaries stay registered and load again when used.
void forget_device(State& s) {
    for (auto& [address, memory] : s.host_memory)
        if (memory.mapped) munmap(reinterpret_cast<void*>(address), memory.mapped);
    s.host_memory.clear();
    s.allocated_at.clear();
    s.freed_at.clear();
    s.pending.clear();
    s.streams.clear();
    s.events.clear();
    s.default_stream.queued = s.default_stream.done = 0;
    s.default_stream.waits_for.clear();
    s.thread_stream.waits_for.clear();
    s.default_stream.attributes.clear();
    s.thread_stream.attributes.clear();
    s.persisting_l2 = 0;
    s.fault = {};
    for (auto& binary : s.binaries) {
        if (binary->module < 0) continue;
        binary->loaded = false;
        binary->module = -1;
    }
    for (auto& [function, kernel] : s.kernels) kernel->known = false;
    s.device.reset();
}

std::uint64_t* limit_of(Call& call, cudaLimit limit) {
    DeviceOptions& o = call.device().options();
    switch (limit) {
        case cudaLimitStackSize: return &o.stack_bytes;
        case cudaLimitPrintfFifoSize: return &o.printf_bytes;
        case cudaLimitMallocHeapSize: return &o.heap_bytes;
        case cudaLimitPersistingL2CacheSize:
            return spec().major >= 8 ? &call.state().persisting_l2 : nullptr;
        default: return nullptr;
    }
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return api("cudaGetDeviceCount", Needs::nothing, [&](Call&) {
        if (!count) return cudaErrorInvalidValue;
        *count = 1;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return api("cudaGetDevice", Needs::nothing, [&](Call&) {
        if (!device) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return about_device("cudaSetDevice", device, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return about_device("cudaInitDevice", device, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return api("cudaSetValidDevices", Needs::nothing, [&](Call&) {
        for (int i = 0; i < count; ++i)
            if (devices[i] != 0) return cudaErrorInvalidDevice;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return about_device("cudaGetDeviceProperties", device, [&](Call&) {
        if (!properties) return cudaErrorInvalidValue;
        *properties = properties_of(spec());
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return about_device("cudaDeviceGetAttribute", device, [&](Call&) {
        return value && attribute_of(spec(), attribute, *value) ? cudaSuccess
                                                               : cudaErrorInvalidValue;
    });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return api("cudaChooseDevice", Needs::nothing, [&](Call&) {
        if (!device || !wanted) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return about_device("cudaDeviceGetPCIBusId", device, [&](Call&) {
        if (!text || length < int(sizeof bus_id)) return cudaErrorInvalidValue;
        std::memcpy(text, bus_id, sizeof bus_id);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    return api("cudaDeviceGetByPCIBusId", Needs::nothing, [&](Call&) {
        if (!device || !text) return cudaErrorInvalidValue;
        if (std::strcmp(text, bus_id) != 0) return cudaErrorInvalidDevice;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return api("cudaDeviceCanAccessPeer", Needs::nothing, [&](Call&) {
        if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
        if (!can) return cudaErrorInvalidValue;
        *can = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return api("cudaDeviceEnablePeerAccess", Needs::device, [&](Call&) {
        return peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return api("cudaDeviceDisablePeerAccess", Needs::device, [&](Call&) {
        return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
    });
}

cudaError_t cudaDeviceSynchronize() {
    return api("cudaDeviceSynchronize", Needs::wait, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaDeviceReset() {
    return api("cudaDeviceReset", Needs::nothing, [](Call& call) {
        State& s = call.state();
        if (s.lost_by_fork) return cudaErrorInitializationError;
        if (!s.device) return cudaSuccess;
        finish_everything(s);
        tell_leaks(s);
        forget_device(s);
        last_error() = {};
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
    return api("cudaDeviceSetLimit", Needs::device, [&](Call& call) {
        if (std::uint64_t* number = limit_of(call, limit)) {
            *number = value;
            return cudaSuccess;
        }
        bool known = limit >= 0 && limit < 0x07;
        return known ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
    });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
    return api("cudaDeviceGetLimit", Needs::device, [&](Call& call) {
        if (!value) return cudaErrorInvalidValue;
        if (std::uint64_t* number = limit_of(call, limit)) {
            *value = *number;
            return cudaSuccess;
        }
        bool known = limit >= 0 && limit < 0x07;
        return known ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
    });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return api("cudaDeviceGetCacheConfig", Needs::device, [&](Call&) {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return api("cudaDeviceSetCacheConfig", Needs::device, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return api("cudaDeviceGetSharedMemConfig", Needs::device, [&](Call&) {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return api("cudaDeviceSetSharedMemConfig", Needs::device,
               [](Call&) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
    return api("cudaFuncSetSharedMemConfig", Needs::device, [](Call&) { return cudaSuccess; });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return api("cudaSetDeviceFlags", Needs::nothing, [&](Call& call) {
        if (flags & ~unsigned(cudaDeviceMask)) return cudaErrorInvalidValue;
        call.state().device_flags = flags | cudaDeviceMapHost;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return api("cudaGetDeviceFlags", Needs::nothing, [&](Call& call) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = call.state().device_flags;
        return cudaSuccess;
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return api("cudaCtxResetPersistingL2Cache", Needs::device,
               [](Call&) { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (!version) return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    if (!version) return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"
