// The channel by which a program reads counters and findings (kit/emulator_table.h).
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

#include "emulator/observe/counters.h"
#include "emulator/runtime/report.h"
#include "kit/emulator_table.h"

using namespace emu;

namespace {

template <class Use>
auto locked(Use&& use) {
    State& s = state();
    std::lock_guard lock(s.mutex);
    return use(s);
}

const FinishedLaunch* launch_at(State& s, std::uint64_t launch) {
    std::uint64_t at = s.cleared_launches + launch;
    return at < s.launches.size() ? &s.launches[at] : nullptr;
}

std::uint64_t launches() {
    return locked([](State& s) { return s.launches.size() - s.cleared_launches; });
}

const char* launch_kernel(std::uint64_t launch) {
    return locked([&](State& s) {
        const FinishedLaunch* found = launch_at(s, launch);
        return found ? found->kernel.c_str() : nullptr;
    });
}

bool launch_counter(std::uint64_t launch, const char* metric, std::uint64_t* value) {
    return locked([&](State& s) {
        const FinishedLaunch* found = launch_at(s, launch);
        if (!found) return false;
        for (const CounterInfo& info : counter_table()) {
            if (info.metric != metric) continue;
            *value = found->counters.*info.member;
            return true;
        }
        return false;
    });
}

bool launch_shape(std::uint64_t launch, unsigned grid[3], unsigned block[3]) {
    return locked([&](State& s) {
        const FinishedLaunch* found = launch_at(s, launch);
        if (!found) return false;
        auto put = [](const Dim3& d, unsigned out[3]) {
            out[0] = d.x;
            out[1] = d.y;
            out[2] = d.z;
        };
        put(found->grid, grid);
        put(found->block, block);
        return true;
    });
}

std::uint64_t findings() {
    return locked([](State& s) { return s.findings.size() - s.cleared_findings; });
}

bool finding(std::uint64_t index, kit::FindingView* view) {
    return locked([&](State& s) {
        std::uint64_t at = s.cleared_findings + index;
        if (at >= s.findings.size()) return false;
        const Finding& f = s.findings[at];
        *view = {f.kind.c_str(), name_of(f.severity), f.kernel.c_str(), f.file.c_str(),
                 f.line,         f.message.c_str(),   f.remedy.c_str(), f.count};
        return true;
    });
}

void clear() {
    locked([](State& s) {
        s.cleared_launches = s.launches.size();
        s.cleared_findings = s.findings.size();
    });
}

const char* device() { return device_named(options().device)->name.data(); }

constexpr kit::EmulatorTable table = {sizeof(kit::EmulatorTable), launches, launch_kernel,
                                      launch_counter, findings, finding, clear, device,
                                      launch_shape};

// Before any code of the program runs: it may ask from a static constructor.
[[gnu::constructor(101)]] void say_that_kernels_are_emulated() {
    ::setenv(kit::emulator_variable, "1", 1);
}

}  // namespace

extern "C" cudaError_t cudaGetExportTable(const void** result, const cudaUUID_t* id) {
    if (!result || !id) return cudaErrorInvalidValue;
    *result = nullptr;
    if (std::memcmp(id, &kit::emulator_table_id, sizeof *id) != 0)
        return cudaErrorInvalidValue;
    *result = &table;
    return cudaSuccess;
}
