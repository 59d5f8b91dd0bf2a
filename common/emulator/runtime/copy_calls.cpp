// The calls that copy and fill, each as a box.
#include <cuda_runtime_api.h>

#include "emulator/runtime/copy.h"
#include "emulator/runtime/report.h"

using namespace emu;

namespace {

Layout plain(const void* pointer) { return {const_cast<void*>(pointer), 0, 1}; }
Layout pitched(const void* pointer, std::size_t pitch) {
    return {const_cast<void*>(pointer), pitch, 1};
}

cudaError_t copy_1d(const char* name, void* to, const void* from, std::size_t bytes,
                    cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
    return api(name, Needs::device, [&](Call& call) {
        return copy(call, plain(to), plain(from), {bytes}, kind, stream, waits);
    });
}

cudaError_t copy_2d(const char* name, void* to, std::size_t to_pitch, const void* from,
                    std::size_t from_pitch, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
    return api(name, Needs::device, [&](Call& call) {
        if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
        return copy(call, pitched(to, to_pitch), pitched(from, from_pitch), {width, height},
                    kind, stream, waits);
    });
}

// The layout of a pitched pointer, from a position on. `ysize` is the rows of a layer.
Layout layout_3d(const cudaPitchedPtr& p, const cudaPos& at) {
    std::size_t skipped = (at.z * p.ysize + at.y) * p.pitch + at.x;
    return {static_cast<std::byte*>(p.ptr) + skipped, p.pitch, p.ysize};
}

cudaError_t copy_3d(const char* name, const cudaMemcpy3DParms* p, cudaStream_t stream,
                    Waits waits) {
    return api(name, Needs::device, [&](Call& call) {
        if (!p) return cudaErrorInvalidValue;
        if (p->srcArray || p->dstArray) {
            say_once(std::string("warplings: the emulator has no CUDA arrays yet (") + name +
                     " answers cudaErrorNotSupported)");
            return cudaErrorNotSupported;
        }
        if (!p->srcPtr.ptr || !p->dstPtr.ptr) return cudaErrorInvalidValue;
        Box box{p->extent.width, p->extent.height, p->extent.depth};
        return copy(call, layout_3d(p->dstPtr, p->dstPos), layout_3d(p->srcPtr, p->srcPos),
                    box, p->kind, stream, waits);
    });
}

cudaError_t fill_3d(const char* name, const cudaPitchedPtr& to, int value, cudaExtent extent,
                    cudaStream_t stream) {
    return api(name, Needs::device, [&](Call& call) {
        return fill(call, layout_3d(to, {0, 0, 0}), {extent.width, extent.height, extent.depth},
                    value, stream);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    // Device to device, the host need not wait.
    Waits waits = kind == cudaMemcpyDeviceToDevice ? Waits::no : Waits::yes;
    return copy_1d("cudaMemcpy", to, from, bytes, kind, nullptr, waits);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy_1d("cudaMemcpyAsync", to, from, bytes, kind, stream, Waits::no);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy_1d("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice, nullptr,
                   Waits::no);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy_1d("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream,
                   Waits::no);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                         std::size_t from_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
    return copy_2d("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, nullptr,
                   Waits::yes);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_2d("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind,
                   stream, Waits::no);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    return copy_3d("cudaMemcpy3D", p, nullptr, Waits::yes);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    return copy_3d("cudaMemcpy3DAsync", p, stream, Waits::no);
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return api("cudaMemset", Needs::device,
               [&](Call& call) { return fill(call, plain(to), {bytes}, value, nullptr); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return api("cudaMemsetAsync", Needs::device,
               [&](Call& call) { return fill(call, plain(to), {bytes}, value, stream); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
    return api("cudaMemset2D", Needs::device, [&](Call& call) {
        return fill(call, pitched(to, pitch), {width, height}, value, nullptr);
    });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
    return api("cudaMemset2DAsync", Needs::device, [&](Call& call) {
        return fill(call, pitched(to, pitch), {width, height}, value, stream);
    });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return fill_3d("cudaMemset3D", to, value, extent, nullptr);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
    return fill_3d("cudaMemset3DAsync", to, value, extent, stream);
}

}  // extern "C"
