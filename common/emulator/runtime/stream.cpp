// Streams: work runs when it is queued; what is lazy is the program's right to rely on it.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <thread>

#include "emulator/runtime/report.h"

using namespace emu;

namespace {

constexpr int highest_priority = -5, lowest_priority = 0;

cudaError_t create(const char* name, cudaStream_t* made, unsigned flags, int priority) {
    return api(name, Needs::device, [&](Call& call) {
        if (!made || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
        State& s = call.state();
        auto stream = std::make_unique<Stream>();
        stream->id = ++s.stream_count;
        stream->flags = flags;
        stream->priority = std::clamp(priority, highest_priority, lowest_priority);
        auto handle = reinterpret_cast<cudaStream_t>(stream.get());
        s.streams[handle] = std::move(stream);
        *made = handle;
        return cudaSuccess;
    });
}

// The default stream and those that are not "non-blocking" wait for each other.
void finish_with_default(State& s, Stream& stream) {
    finish_stream(s, stream, stream.queued);
    if (&stream == &s.default_stream) {
        for (auto& [handle, other] : s.streams)
            if (!(other->flags & cudaStreamNonBlocking))
                finish_stream(s, *other, other->queued);
    } else if (!(stream.flags & cudaStreamNonBlocking)) {
        finish_stream(s, s.default_stream, s.default_stream.queued);
    }
}

// A call of the program's on a thread of the driver: it may wait for locks that the caller
// of the runtime does not hold, but it may not call the runtime.
template <class Body>
void on_another_thread(Body&& body) {
    std::thread([&] {
        runs_host_function() = true;
        body();
    }).join();
}

template <class Use>
cudaError_t with_stream(const char* name, cudaStream_t handle, Use&& use) {
    return api(name, Needs::device, [&](Call& call) {
        Stream* stream = stream_of(call.state(), handle);
        return stream ? use(call, *stream) : cudaErrorInvalidResourceHandle;
    });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create("cudaStreamCreate", stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return create("cudaStreamCreateWithFlags", stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return create("cudaStreamCreateWithPriority", stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return api("cudaStreamDestroy", Needs::device, [&](Call& call) {
        State& s = call.state();
        auto found = s.streams.find(handle);
        if (found == s.streams.end()) return cudaErrorInvalidResourceHandle;
        finish_stream(s, *found->second, found->second->queued);
        for (auto& [other, event] : s.events)
            if (event->stream == found->second.get()) event->stream = nullptr;
        auto forget = [&](Stream& stream) { stream.waits_for.erase(found->second.get()); };
        for (auto& [other, stream] : s.streams) forget(*stream);
        forget(s.default_stream);
        forget(s.thread_stream);
        s.streams.erase(found);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return with_stream("cudaStreamSynchronize", handle, [&](Call& call, Stream& stream) {
        finish_with_default(call.state(), stream);
        flush_printed(call.state());
        return fault_seen_by(call);
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return with_stream("cudaStreamQuery", handle, [&](Call& call, Stream& stream) {
        // Work that nobody has waited for is found unfinished once, then finished, so that
        // a program that polls sees both and goes on.
        bool finished = stream.done == stream.queued;
        finish_with_default(call.state(), stream);
        if (!finished) return cudaErrorNotReady;
        return fault_seen_by(call);
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
    return with_stream("cudaStreamWaitEvent", handle, [&](Call& call, Stream& stream) {
        auto found = call.state().events.find(event);
        if (found == call.state().events.end()) return cudaErrorInvalidResourceHandle;
        if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
        const Event& e = *found->second;
        ++stream.queued;
        if (e.recorded && e.stream && e.stream != &stream) {
            std::uint64_t& place = stream.waits_for[e.stream];
            place = std::max(place, e.place);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream("cudaStreamGetPriority", handle, [&](Call&, Stream& stream) {
        if (!priority) return cudaErrorInvalidValue;
        *priority = stream.priority;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream("cudaStreamGetFlags", handle, [&](Call&, Stream& stream) {
        if (!flags) return cudaErrorInvalidValue;
        *flags = stream.flags;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream("cudaStreamGetId", handle, [&](Call&, Stream& stream) {
        if (!id) return cudaErrorInvalidValue;
        *id = stream.id;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream("cudaStreamGetDevice", handle, [&](Call&, Stream&) {
        if (!device) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return with_stream("cudaStreamIsCapturing", handle, [&](Call&, Stream&) {
        if (!status) return cudaErrorInvalidValue;
        *status = cudaStreamCaptureStatusNone;
        return cudaSuccess;
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return with_stream("cudaLaunchHostFunc", handle, [&](Call& call, Stream& stream) {
        if (!function) return cudaErrorInvalidValue;
        finish_stream(call.state(), stream, stream.queued);
        ++stream.queued;
        if (call.state().fault.error == cudaSuccess)
            on_another_thread([=] { function(data); });
        return cudaSuccess;
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                  void* data, unsigned flags) {
    return with_stream("cudaStreamAddCallback", handle, [&](Call& call, Stream& stream) {
        if (!callback || flags != 0) return cudaErrorInvalidValue;
        finish_stream(call.state(), stream, stream.queued);
        ++stream.queued;
        cudaError_t status = call.state().fault.error;
        on_another_thread([=] { callback(handle, status, data); });
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
    return api("cudaDeviceGetStreamPriorityRange", Needs::device, [&](Call&) {
        if (lowest) *lowest = lowest_priority;
        if (highest) *highest = highest_priority;
        return cudaSuccess;
    });
}

}  // extern "C"
