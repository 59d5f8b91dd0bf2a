#pragma once
// What every runtime call does first and last: lock, errors of before, errors to remember.
#include "emulator/runtime/state.h"

namespace emu {

enum class Needs {
    nothing,   // answers without a device, even after a fault
    device,    // a fault that is known makes it fail
    wait,      // waits for the device, so that a fault of a kernel becomes known here
};

// True on a thread that runs a host function of a stream, which may not call the runtime.
bool& runs_host_function();

// One call of the program into the runtime, while it runs.
class Call {
public:
    Call(const char* name, Needs needs);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    State& state() { return state_; }
    Device& device() { return device_of(state_); }
    Memory& memory() { return device().memory(); }
    const char* name() const { return name_; }
    cudaError_t error() const { return error_; }   // found on entry
    const Callers& callers();
    void set_callers(const Callers& known) { callers_ = known; }
    Place place() { return place_of(callers()); }
    std::string at_place();                        // " at saxpy.cu:12", or empty

    // Remembers the error for cudaGetLastError and returns it.
    cudaError_t ends(cudaError_t error);

private:
    const char* name_;
    State& state_;
    std::unique_lock<std::recursive_mutex> lock_;
    cudaError_t error_ = cudaSuccess;
    std::optional<Callers> callers_;
};

// api("cudaFree", Needs::wait, [&](Call& call) { ...; return cudaSuccess; })
template <class Body>
cudaError_t api(const char* name, Needs needs, Body&& body) {
    try {
        Call call(name, needs);
        return call.ends(call.error() != cudaSuccess ? call.error() : body(call));
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    }
}

// Waiting: what is done after it, kernels' printf, and a fault that becomes visible.
void finish_stream(State& s, Stream& stream, std::uint64_t place);
void finish_everything(State& s);
cudaError_t fault_seen_by(Call& call);   // after waiting: cudaSuccess or the fault
void flush_printed(State& s);
void land_copies(State& s);              // all that are pending
void land_copies_within(State& s, const void* begin, std::uint64_t bytes);

Stream* stream_of(State& s, cudaStream_t handle);  // null: no such stream

}  // namespace emu
