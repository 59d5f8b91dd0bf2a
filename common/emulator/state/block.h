#pragma once
// What a block and a launch remember. Data only.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/state/warp.h"

namespace emu {

struct Program;    // exec/program.h: the decoded module
class Memory;      // mem/memory.h
class Observer;    // observe/event.h
class SiteTable;   // mem/access.h: a worker's cache for each memory instruction
class FindingSink; // observe/finding_sink.h

// A named piece of a block's shared memory, for messages.
struct SharedArray {
    std::string name;
    std::uint32_t offset = 0, bytes = 0;
};

// What all blocks of a launch share.
struct Launch {
    const Program* program = nullptr;
    int function = -1;                        // index in Program::functions
    Dim3 grid, block;
    std::uint32_t static_shared = 0;          // bytes
    std::uint32_t dynamic_shared = 0;         // bytes
    std::vector<SharedArray> shared_arrays;   // those of known size, by offset
    std::vector<std::byte> arguments;         // as the host laid them out
    std::vector<std::uint32_t> argument_offsets;  // of each argument, for messages
    std::uint64_t grid_number = 0;            // %gridid: 1, 2, ... over the process
    std::uint32_t multiprocessors = 1;        // %nsmid
    std::uint64_t environment[3] = {};        // %envreg1, %envreg2 as one address in [1]
    Memory* memory = nullptr;
};

struct Block {
    Launch* launch = nullptr;
    Dim3 index;                               // %ctaid
    std::uint64_t number = 0;                 // linear: x + y * grid.x + z * grid.x * grid.y
    std::uint32_t sm = 0;                     // %smid of the emulated device
    std::byte* shared = nullptr;              // static first, then dynamic
    std::uint32_t shared_bytes = 0;
    std::vector<Warp*> warps;
};

// One host thread's view of a launch: no other thread touches it while it runs.
struct Worker {
    Launch* launch = nullptr;
    SiteTable* sites = nullptr;
    Observer* observer = nullptr;             // null: nobody listens
    FindingSink* findings = nullptr;          // bad accesses; null: they are dropped unsaid
};

}  // namespace emu
