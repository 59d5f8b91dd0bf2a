#pragma once
// Tells what was found and counted: on stderr, in the JSON file, in the program's table.
#include "emulator/runtime/call.h"

namespace emu {

// A mistake in a host call, with the line of the call.
void tell(Call& call, const char* kind, Severity severity, std::string message,
          std::string remedy, cudaError_t error);
void tell(State& s, Finding finding);
void tell_launch(State& s, const LaunchReport& report);

// A sentence on stderr, about the emulator itself; each only once.
void say_once(const std::string& sentence);

void print_counters(State& s);           // the table of WARPLINGS_COUNTERS

const char* name_of(Severity severity);        // "warning"
std::string text_of(const Finding& finding);   // as on the terminal
std::string json_of(const Finding& finding);   // one line, without its end
std::string json_of(const FinishedLaunch& launch);

}  // namespace emu
