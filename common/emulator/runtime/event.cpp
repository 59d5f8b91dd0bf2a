// Events. Their times are the host's: how long the emulator took, which is no GPU's time.
#include <cuda_runtime_api.h>

#include "emulator/runtime/report.h"

using namespace emu;

namespace {

using std::chrono::steady_clock;

bool is_done(const Event& event) {
    return !event.recorded || !event.stream || event.stream->done >= event.place;
}

template <class Use>
cudaError_t with_event(const char* name, cudaEvent_t handle, Use&& use) {
    return api(name, Needs::device, [&](Call& call) {
        auto found = call.state().events.find(handle);
        return found == call.state().events.end() ? cudaErrorInvalidResourceHandle
                                                  : use(call, *found->second);
    });
}

cudaError_t create(const char* name, cudaEvent_t* made, unsigned flags) {
    return api(name, Needs::device, [&](Call& call) {
        constexpr unsigned known =
            cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
        if (!made || (flags & ~known)) return cudaErrorInvalidValue;
        if (flags & cudaEventInterprocess) {
            say_once("warplings: the emulator has no events between processes");
            return cudaErrorNotSupported;
        }
        auto event = std::make_unique<Event>();
        event->flags = flags;
        auto handle = reinterpret_cast<cudaEvent_t>(event.get());
        call.state().events[handle] = std::move(event);
        *made = handle;
        return cudaSuccess;
    });
}

// An event of the default stream comes after what streams that are not "non-blocking" have
// queued, and theirs after what the default stream has.
void order_with_default(State& s, Stream& stream) {
    auto waits_for = [&](Stream& other) {
        if (!(other.flags & cudaStreamNonBlocking)) stream.waits_for[&other] = other.queued;
    };
    if (stream.flags & cudaStreamNonBlocking) return;
    if (&stream != &s.default_stream) return waits_for(s.default_stream);
    waits_for(s.thread_stream);
    for (auto& [handle, other] : s.streams) waits_for(*other);
}

cudaError_t record(const char* name, cudaEvent_t handle, cudaStream_t stream_handle) {
    return with_event(name, handle, [&](Call& call, Event& event) {
        Stream* stream = stream_of(call.state(), stream_handle);
        if (!stream) return cudaErrorInvalidResourceHandle;
        order_with_default(call.state(), *stream);
        event.recorded = true;
        event.stream = stream;
        event.place = ++stream->queued;
        event.time = steady_clock::now();
        return cudaSuccess;
    });
}

cudaError_t not_ready(Call& call, bool start_done, bool end_done) {
    const char* which = start_done ? "the second event was" : "the first event was";
    if (!start_done && !end_done) which = "both events were";
    tell(call, "event-not-ready", Severity::warning,
         "cudaEventElapsedTime" + call.at_place() + " returns cudaErrorNotReady: " + which +
             " recorded but not waited for",
         "call cudaEventSynchronize on the second event first", cudaErrorNotReady);
    return cudaErrorNotReady;
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create("cudaEventCreate", event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return create("cudaEventCreateWithFlags", event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return with_event("cudaEventDestroy", handle, [&](Call& call, Event&) {
        call.state().events.erase(handle);
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return record("cudaEventRecord", event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    return record("cudaEventRecordWithFlags", event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event("cudaEventQuery", handle, [&](Call& call, Event& event) {
        bool done = is_done(event);       // see cudaStreamQuery
        if (!done) finish_stream(call.state(), *event.stream, event.place);
        return done ? fault_seen_by(call) : cudaErrorNotReady;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event("cudaEventSynchronize", handle, [&](Call& call, Event& event) {
        if (!is_done(event)) finish_stream(call.state(), *event.stream, event.place);
        flush_printed(call.state());
        return fault_seen_by(call);
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return with_event("cudaEventElapsedTime", start, [&](Call& call, Event& first) {
        auto found = call.state().events.find(end);
        if (found == call.state().events.end()) return cudaErrorInvalidResourceHandle;
        const Event& last = *found->second;
        if (!milliseconds) return cudaErrorInvalidValue;
        if (!first.recorded || !last.recorded) return cudaErrorInvalidResourceHandle;
        if ((first.flags | last.flags) & cudaEventDisableTiming)
            return cudaErrorInvalidResourceHandle;
        if (!is_done(first) || !is_done(last))
            return not_ready(call, is_done(first), is_done(last));
        std::chrono::duration<float, std::milli> elapsed = last.time - first.time;
        *milliseconds = elapsed.count();
        say_once("warplings: event times are how long the emulator took, not a GPU's time");
        return cudaSuccess;
    });
}

}  // extern "C"
