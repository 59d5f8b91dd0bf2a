#pragma once
// Asynchronous copies to pinned memory: on a GPU they land some time before the program's
// next wait, here exactly then. Until then the host sees the old bytes, and is told so: the
// pages are closed to it, and the first access becomes a finding.
#include "emulator/runtime/call.h"

namespace emu {

void add_pending(Call& call, PendingCopy copy, const Allocation& target);
void land(PendingCopy& copy);

// In the handler of a bad access: true where the address lay in a closed page, which is open
// now. `instruction` is the one that faulted.
bool host_touched_pending(std::uint64_t address, void* instruction);

}  // namespace emu
