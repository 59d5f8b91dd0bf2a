#pragma once
// What a process has registered, allocated, queued and got wrong: one object, one lock.
// It is made on first use, because binaries register before main, and never destroyed,
// because they unregister after it.
#include <cuda_runtime_api.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/runtime/cubin.h"
#include "emulator/runtime/options.h"
#include "emulator/runtime/place.h"
#include "emulator/state/demangle.h"

namespace emu {

// A managed variable, whose address the host reads through a pointer of its own.
struct ManagedVariable {
    void** host_pointer = nullptr;
    std::string name;
};

// One registered binary. It is read and loaded when something of it is first used.
struct Binary {
    std::vector<const void*> containers;
    std::string text;                 // PTX given directly (cudaLibraryLoadData)
    std::vector<ManagedVariable> managed;
    bool relocatable = false;         // compiled with -rdc=true
    bool loaded = false;
    cudaError_t error = cudaSuccess;  // why it could not be loaded
    ModuleId module = -1;
    int ptx_architecture = 0;         // 75 for compute_75
    std::map<std::string, CubinKernel> machine_code;
};

struct HostKernel {
    Binary* binary = nullptr;
    std::string name;                 // mangled
    std::string shown;                // "fill", for sentences
    bool known = false;               // `info` is filled in
    KernelInfo info;
    int registers = 0;                // 0: no machine code says
    int local_bytes = 0;              // the larger of PTX's and the machine code's
    int dynamic_limit = -1;           // opted in with cudaFuncSetAttribute; -1: not
    int carveout = -1;                // cudaFuncAttributePreferredSharedMemoryCarveout
};

struct HostVariable {
    Binary* binary = nullptr;
    std::string name;
};

// Work runs at once, in the order in which it is queued. What the program may assume about
// it does not: work counts as done only once the program has waited for it.
struct Stream {
    std::uint64_t id = 0;
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t queued = 0, done = 0;               // operations
    std::map<Stream*, std::uint64_t> waits_for;       // operations of other streams
    std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes;   // those that were set
};

struct Event {
    unsigned flags = 0;
    bool recorded = false;
    Stream* stream = nullptr;
    std::uint64_t place = 0;          // operations of the stream that come before it
    std::chrono::steady_clock::time_point time;
};

// A copy to pinned memory that the program has not waited for: what it will contain.
struct PendingCopy {
    Stream* stream = nullptr;
    std::uint64_t place = 0;
    std::byte* to = nullptr;
    std::vector<std::byte> bytes;
    Callers callers;
};

// Memory on the host that the runtime made or knows, by address.
struct HostMemory {
    std::uint64_t bytes = 0, mapped = 0;              // asked for; as mapped, 0: the program's
    unsigned flags = 0;
};

struct RuntimeFault {
    cudaError_t error = cudaSuccess;
    bool visible = false;             // some call has returned it: every other call does too
    std::string kernel;
    Place launched_at;
};

// Whether the program ever looked at what its kernels made.
struct Results {
    bool read = false;                // copied back, or in memory that the host sees anyway
    bool overwritten = false;         // the host copied to the device after a launch
    std::string kernel;               // the last one before that
    Callers overwritten_at;
};

// What cudaGetLastError returns, a thread, and where it came from.
struct LastError {
    cudaError_t error = cudaSuccess;
    std::string call;
    Callers callers;
    std::string launched_since;       // a kernel that was accepted after it
};
LastError& last_error();

struct FinishedLaunch {
    std::string kernel;
    Dim3 grid, block;
    Counters counters;
};

struct State {
    std::recursive_mutex mutex;
    std::unique_ptr<Device> device;   // null until something needs it
    bool lost_by_fork = false;        // the child of a process that used the device

    std::vector<std::unique_ptr<Binary>> binaries;
    std::map<const void*, std::unique_ptr<HostKernel>> kernels;   // by host function
    std::map<const void*, HostVariable> variables;                // by host shadow
    std::map<const void*, HostKernel*> handles;                   // cudaKernel_t

    Stream default_stream, thread_stream;
    std::map<cudaStream_t, std::unique_ptr<Stream>> streams;
    std::map<cudaEvent_t, std::unique_ptr<Event>> events;
    std::vector<PendingCopy> pending;
    std::uint64_t stream_count = 0;

    std::map<std::uint64_t, Callers> allocated_at;    // by number of the allocation
    std::map<std::uint64_t, HostMemory> host_memory;  // pinned, managed, registered
    std::map<std::uint64_t, Callers> freed_at;        // by address

    RuntimeFault fault;
    Results results;
    std::string printed;              // by kernels, not yet on stdout
    // Deques, because programs hold pointers into them (kit/emulator_table.h).
    std::deque<FinishedLaunch> launches;
    std::deque<Finding> findings;
    std::size_t cleared_launches = 0, cleared_findings = 0;   // those the program has seen
    unsigned device_flags = cudaDeviceMapHost;
    std::uint64_t persisting_l2 = 0;  // bytes; a hint, which nothing depends on
};

State& state();
Device& device_of(State& s);          // makes it on first use

// "fill" of "fill(int *, int)".
std::string without_parameters(const std::string& demangled_name);

}  // namespace emu
