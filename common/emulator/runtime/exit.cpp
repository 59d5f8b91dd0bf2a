#include "emulator/runtime/exit.h"

#include "emulator/runtime/report.h"

namespace emu {
namespace {

bool is_freed_by_program(Kind kind) {
    return kind == Kind::device || kind == Kind::managed || kind == Kind::pinned;
}

struct Leak {
    std::uint64_t count = 0, bytes = 0;
    std::string call;
    Callers callers;
};

// Runs after the program's own destructors, which may free: a library's destructors come
// after those of the program that uses it.
__attribute__((destructor)) void at_exit() {
    State& s = state();
    if (s.lost_by_fork || !s.device) return;
    std::lock_guard lock(s.mutex);
    flush_printed(s);                 // copies that nobody waited for stay on their way
    tell_lost_results(s);
    tell_leaks(s);
    if (options().counters) print_counters(s);
}

}  // namespace

void tell_lost_results(State& s) {
    const Results& results = s.results;
    if (results.read || !results.overwritten || s.fault.error != cudaSuccess) return;
    Finding finding;
    finding.kind = "result-never-read";
    finding.severity = Severity::hint;
    Place place = place_of(results.overwritten_at);
    finding.file = place.file;
    finding.line = place.line;
    finding.message = "after " + results.kernel + " ran, this copy goes to the device again, "
                      "and no copy ever comes back: the kernel's result is lost";
    finding.remedy = "copy the result with cudaMemcpy(host, device, bytes, "
                     "cudaMemcpyDeviceToHost)";
    tell(s, std::move(finding));
}

void tell_leaks(State& s) {
    if (s.fault.error != cudaSuccess) return;   // after a fault cudaFree cannot free
    std::vector<Leak> leaks;                    // one for each place, in order of allocation
    std::map<std::string, std::size_t> by_place;
    s.device->memory().for_each_live([&](const Allocation& a) {
        if (!is_freed_by_program(a.kind) || !s.allocated_at.count(a.number)) return;
        std::string key = a.name + "@" + a.place;
        auto [at, fresh] = by_place.try_emplace(key, leaks.size());
        if (fresh) leaks.push_back({0, 0, a.name, s.allocated_at[a.number]});
        Leak& leak = leaks[at->second];
        ++leak.count;
        leak.bytes += a.bytes;
    });
    for (const Leak& leak : leaks) {
        Finding finding;
        finding.kind = "leak";
        finding.severity = Severity::warning;
        Place place = place_of(leak.callers);
        finding.file = place.file;
        finding.line = place.line;
        finding.count = leak.count;
        finding.message = (leak.count == 1 ? "an allocation"
                                           : std::to_string(leak.count) + " allocations") +
                          " of " + std::to_string(leak.bytes) + " bytes from " + leak.call +
                          (place.file.empty() ? "" : " at " + place.text()) +
                          (leak.count == 1 ? " is" : " are") + " never freed";
        finding.remedy = leak.call == "cudaMallocHost" || leak.call == "cudaHostAlloc"
                             ? "call cudaFreeHost once it is no longer used"
                             : "call cudaFree once it is no longer used";
        tell(s, std::move(finding));
    }
}

}  // namespace emu
