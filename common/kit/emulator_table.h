#pragma once
// How a running program asks the emulator what it counted and found.
//
// The drop-in runtime exports exactly what the toolkit's does, so the way in is a call that
// both have: cudaGetExportTable with the id below. The toolkit's runtime answers it with an
// error that compute-sanitizer reports; so nobody asks unless the emulator, when it is
// loaded, has set the environment variable below.
#include <cuda_runtime_api.h>

#include <cstdint>

namespace kit {

struct FindingView {                  // strings live until the next clear()
    const char* kind;
    const char* severity;             // "error", "warning", "note", "hint"
    const char* kernel;
    const char* file;
    int line;
    const char* message;
    const char* remedy;
    std::uint64_t count;
};

struct EmulatorTable {
    std::uint32_t bytes;              // sizeof(EmulatorTable) of the runtime's build
    // Launches that have finished, since the start or the last clear().
    std::uint64_t (*launches)();
    const char* (*launch_kernel)(std::uint64_t launch);   // demangled; null past the end
    // By the profiler's metric name; false if there is no such launch or metric.
    bool (*launch_counter)(std::uint64_t launch, const char* metric, std::uint64_t* value);
    std::uint64_t (*findings)();
    bool (*finding)(std::uint64_t index, FindingView* view);
    void (*clear)();                  // forgets launches and findings told so far
    const char* (*device)();          // "H200", as --device names it
    // Blocks of the grid and threads of a block, each x, y, z; false if there is no such launch.
    bool (*launch_shape)(std::uint64_t launch, unsigned grid[3], unsigned block[3]);
};

inline constexpr char emulator_variable[] = "WARPLINGS_EMULATED";   // "1"
inline constexpr cudaUUID_t emulator_table_id = {
    {'w', 'a', 'r', 'p', 'l', 'i', 'n', 'g', 's', '-', 't', 'a', 'b', 'l', 'e', '1'}};

}  // namespace kit
