#include "emulator/runtime/call.h"

#include <cstdio>

#include "emulator/runtime/pending.h"
#include "emulator/runtime/report.h"

namespace emu {

bool& runs_host_function() {
    thread_local bool runs = false;
    return runs;
}

Call::Call(const char* name, Needs needs) : name_(name), state_(emu::state()) {
    // The thread that queued the host function holds the lock and waits.
    if (runs_host_function()) {
        error_ = cudaErrorNotPermitted;
        return;
    }
    lock_ = std::unique_lock(state_.mutex);
    if (!options().problem.empty()) say_once("warplings: " + options().problem);
    if (needs == Needs::nothing) return;
    if (state_.lost_by_fork) {
        say_once("warplings: a process made by fork() cannot use the device of its parent: "
                 "make the first CUDA call after the fork");
        error_ = cudaErrorInitializationError;
        return;
    }
    device();
    if (needs == Needs::wait) {
        finish_everything(state_);
        error_ = fault_seen_by(*this);
    } else if (state_.fault.visible) {
        error_ = state_.fault.error;
    }
}

const Callers& Call::callers() {
    if (!callers_) callers_ = callers_here();
    return *callers_;
}

std::string Call::at_place() {
    std::string text = place().text();
    return text.empty() ? text : " at " + text;
}

cudaError_t Call::ends(cudaError_t error) {
    // "Not ready" is an answer: a GPU's runtime does not keep it either.
    if (error == cudaSuccess || error == cudaErrorNotReady || !lock_) return error;
    last_error() = {error, name_, callers(), ""};
    return error;
}

namespace {

void mark_done(Stream& stream, std::uint64_t place) {
    if (stream.done < place) stream.done = place;
    // What it waited for is done as well. Waiting is never circular: each wait refers to
    // operations that were queued before it.
    auto before = std::move(stream.waits_for);
    stream.waits_for.clear();
    for (auto& [other, done] : before)
        if (other->done < done) mark_done(*other, done);
}

}  // namespace

void finish_stream(State& s, Stream& stream, std::uint64_t place) {
    mark_done(stream, place);
    // In the order in which they were queued, whatever their streams: a later copy to the
    // same place stays on top.
    std::erase_if(s.pending, [](PendingCopy& copy) {
        if (copy.place > copy.stream->done) return false;
        land(copy);
        return true;
    });
}

void finish_everything(State& s) {
    for (auto& [handle, stream] : s.streams) finish_stream(s, *stream, stream->queued);
    finish_stream(s, s.default_stream, s.default_stream.queued);
    finish_stream(s, s.thread_stream, s.thread_stream.queued);
    flush_printed(s);
}

cudaError_t fault_seen_by(Call& call) {
    RuntimeFault& fault = call.state().fault;
    if (fault.error == cudaSuccess || fault.visible) return fault.error;
    fault.visible = true;
    std::string launched = fault.launched_at.text();
    tell(call, "sticky-error", Severity::note,
         std::string(call.name()) + call.at_place() + " returns " +
             cudaGetErrorName(fault.error) + ", but the call is not at fault: kernel " +
             fault.kernel +
             (launched.empty() ? " " : ", launched at " + launched + ", ") + "ended with it",
         "look at the finding about the kernel; while searching, call "
         "cudaDeviceSynchronize() after each launch",
         fault.error);
    return fault.error;
}

void flush_printed(State& s) {
    if (s.printed.empty()) return;
    std::fwrite(s.printed.data(), 1, s.printed.size(), stdout);
    s.printed.clear();
}

Stream* stream_of(State& s, cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &s.default_stream;
    if (handle == cudaStreamPerThread) return &s.thread_stream;
    auto found = s.streams.find(handle);
    return found == s.streams.end() ? nullptr : found->second.get();
}

}  // namespace emu
