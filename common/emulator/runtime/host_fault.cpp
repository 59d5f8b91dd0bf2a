// Host code that touches device memory: named before the process ends as it would anyway.
#include "emulator/runtime/host_fault.h"

#include <signal.h>

#include <cstring>

#include "emulator/runtime/pending.h"
#include "emulator/runtime/report.h"
#include "emulator/runtime/where.h"

namespace emu {
namespace {

struct sigaction previous;

// What the program had in place before us, or the default, which ends the process.
void pass_on(int signal, siginfo_t* info, void* context) {
    if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(signal, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        return previous.sa_handler(signal);
    sigaction(signal, &previous, nullptr);   // the instruction faults again, for the last time
}

bool is_write(const void* context) {
#ifdef __x86_64__
    constexpr greg_t write_bit = 2;          // of the page fault's error code
    return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write_bit;
#else
    (void)context;
    return false;
#endif
}

void* instruction(const void* context) {
#ifdef __x86_64__
    auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
    return reinterpret_cast<void*>(registers[REG_RIP] + 1);   // as a return address is
#else
    (void)context;
    return nullptr;
#endif
}

void tell_host_access(std::uint64_t address, const void* context) {
    State& s = state();
    // A thread that holds the lock would wait for itself: it is inside the runtime.
    std::unique_lock lock(s.mutex, std::try_to_lock);
    if (!lock || !s.device) return;
    const Allocation* a = s.device->memory().nearest(address);
    Finding finding;
    finding.kind = "device-pointer-on-host";
    finding.address = address;
    Place place = place_of(caller_at(instruction(context)));
    finding.file = place.file;
    finding.line = place.line;
    finding.message = std::string("host code ") + (is_write(context) ? "writes" : "reads") +
                      " address " + hex(address) +
                      (a ? " inside " + described(*a) : ", a device address") +
                      ": device memory cannot be dereferenced on the host";
    finding.remedy = "copy it with cudaMemcpy first, or use cudaMallocManaged";
    flush_printed(s);
    tell(s, std::move(finding));
}

// Not all of this is allowed in a signal handler. The process is about to end, and the fault
// is in the program's own instruction, not within the allocator or stdio.
void on_fault(int signal, siginfo_t* info, void* context) {
    auto address = address_of(info->si_addr);
    if (host_touched_pending(address, instruction(context))) return;
    if (Memory::is_device_address(address)) tell_host_access(address, context);
    pass_on(signal, info, context);
}

}  // namespace

void watch_host_accesses() {
    struct sigaction ours {};
    ours.sa_sigaction = on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, &previous);
}

}  // namespace emu
