#pragma once
// What is told when the program, or its use of the device, ends.
#include "emulator/runtime/state.h"

namespace emu {

void tell_leaks(State& s);
void tell_lost_results(State& s);     // nothing that kernels made was ever read

}  // namespace emu
