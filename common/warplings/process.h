#pragma once
// Runs a program that cannot be trusted to end: with limits on its time, its memory and
// what it prints, and everything that it started killed when it is over.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warplings/files.h"

namespace warplings {

struct Command {
    std::vector<std::string> argv;                  // argv[0] is a path or looked up in PATH
    std::map<std::string, std::string> environment; // added to ours; empty value: unset
    double seconds = 0;                             // wall-clock limit, 0: none
    std::size_t output_limit = 0;                   // bytes printed before it is stopped, 0: none
    std::size_t memory_limit = 0;                   // bytes resident, with its children; 0: none
    bool inherit = false;                           // its input and output are ours
    std::function<void(std::string_view)> on_output;  // told of each piece as it comes
};

struct Outcome {
    enum class End { exited, signalled, timed_out, output_limit, memory_limit, not_started };
    End end = End::exited;
    int status = 0;                   // exit status, or the signal
    std::string output;               // stdout and stderr together, the first 1 MiB kept
    std::uint64_t printed = 0;        // bytes in all
    double seconds = 0;

    bool succeeded() const { return end == End::exited && status == 0; }
};

// A signal that asked us to end while a program ran, thrown once that program has ended.
struct Interrupted {
    int signal;
};

// Never throws for what the program does; not_started carries the reason in `output`.
Outcome run(const Command& command);

// "SIGSEGV (segmentation fault)"
std::string signal_text(int signal);

}  // namespace warplings
