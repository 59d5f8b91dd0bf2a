#pragma once
// The narrow interface between what a program calls (runtime/) and the emulated GPU:
// load, allocate, launch by name with argument bytes, query. Every call takes and returns
// plain values, so that it can become a message to another process.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/table.h"
#include "emulator/mem/memory.h"
#include "emulator/observe/counters.h"
#include "emulator/observe/finding.h"
#include "emulator/ptx/program.h"

namespace emu {

using ModuleId = int;

struct KernelInfo {
    std::string name;                 // mangled
    std::uint32_t static_shared = 0;  // bytes
    std::uint32_t constant_bytes = 0; // of the module
    std::uint32_t local_bytes = 0;    // a thread: PTX depots (spills are in the cubin only)
    int parameter_bytes = 0;
    std::vector<std::pair<int, int>> parameters;   // (offset, bytes), in order
    int max_threads = 0;              // .maxntid, 0 where not given
    int required_threads[3] = {};
    int min_blocks = 0, max_registers = 0;
    int ptx_version = 0;              // 90 for compute_90
};

struct SymbolInfo {
    std::uint64_t address = 0, bytes = 0;
    bool constant = false, managed = false;
};

struct LaunchRequest {
    ModuleId module = 0;
    std::string kernel;               // mangled
    Dim3 grid, block;
    std::uint32_t dynamic_shared = 0; // bytes
    std::vector<std::byte> arguments; // laid out as KernelInfo::parameters says
    bool cooperative = false;
    std::uint32_t resident_blocks = 0;  // how many blocks the device holds at once; 0: all
};

// The result of one launch, whole: nothing else of it remains in the device.
struct LaunchReport {
    std::string kernel;               // demangled
    Dim3 grid, block;
    Counters counters;
    std::vector<Finding> findings;    // sorted, capped per kind and place
    int error = 0;                    // cudaError_t that the program gets; 0: none
    std::string printed;              // what printf wrote, in block order
    std::string printed_errors;       // what assert wrote
    std::uint64_t printed_lost = 0;   // calls that found the printf buffer full
};

struct DeviceOptions {
    const DeviceSpec* spec = nullptr; // device/table.h; null: the default, H200
    int host_threads = 0;             // 0: all
    bool counters = true;
    std::uint64_t schedule = 0;       // 0: in order; else the seed that shuffles blocks, warps
    std::uint64_t budget = 0;         // warp instructions a launch; 0: the default
    std::uint64_t stack_bytes = 1024; // cudaLimitStackSize
    std::uint64_t printf_bytes = 1 << 20;  // cudaLimitPrintfFifoSize
    std::uint64_t heap_bytes = 8 << 20;    // cudaLimitMallocHeapSize
};

class Device {
public:
    explicit Device(DeviceOptions options);
    ~Device();

    DeviceOptions& options();
    const DeviceSpec& spec() const;
    Memory& memory();

    // Links and decodes. `text` is one PTX module. Fills in symbols' initial values.
    ModuleId load(std::string_view text);
    void unload(ModuleId module);
    std::optional<KernelInfo> kernel(ModuleId module, std::string_view name) const;
    std::optional<SymbolInfo> symbol(ModuleId module, std::string_view name) const;

    // Runs to the end before it returns. Never throws for what the kernel did.
    LaunchReport launch(const LaunchRequest& request);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace emu
