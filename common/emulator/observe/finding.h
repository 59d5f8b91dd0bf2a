#pragma once
// A mistake that the emulator saw, as a value. The text is made in one place, report.cpp.
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/state/warp.h"

namespace emu {

// Errors and warnings fail a check; notes and hints never do.
enum class Severity : std::uint8_t { error, warning, note, hint };

struct Finding {
    std::string kind;  // a row of finding_kinds: "out-of-bounds"
    Severity severity = Severity::error;
    std::string kernel;       // demangled; empty for host calls
    std::string file;         // source file; empty where unknown
    int line = 0;             // 0 where unknown
    bool has_thread = false;  // block and thread say something
    Dim3 block{0, 0, 0}, thread{0, 0, 0};
    std::uint64_t address = 0;  // 0 where there is none
    std::string message;        // one sentence: what happened, to what
    std::string remedy;         // one sentence: what to do about it
    std::uint64_t count = 1;    // how often, over all threads, at this place
    int error = 0;              // the cudaError_t that the launch ends with; 0: none
    int ptx_line = 0;           // where there is no source line
    std::uint64_t order = 0;    // block number * 2^20 + step: makes reports repeatable
};

// Thrown by ops and exec when a launch cannot go on: trap, assert, unknown instruction,
// stack overflow, deadlock, instruction budget. Bad accesses do not throw: they are
// reported, the access is dropped (a load gives 0), and the launch fails at its end.
struct Fault {
    Finding finding;
};

// The kinds, for the reference page and `--check`. Each names the group that switches it.
struct FindingKind {
    std::string_view kind;   // "out-of-bounds"
    std::string_view check;  // memory, sync, api, leak, (race, init: next)
    std::string_view meaning;
};
// One table, observe/finding.cpp.
const FindingKind* finding_kind(std::string_view kind);

}  // namespace emu
