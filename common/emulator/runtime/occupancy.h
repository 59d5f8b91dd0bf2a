#pragma once
// How many blocks fit on a multiprocessor, by the toolkit's own cuda_occupancy.h.
#include <cuda_runtime_api.h>

#include "emulator/device/table.h"
#include "emulator/runtime/state.h"

namespace emu {

// -1 where the block is not possible at all, such as 0 threads.
int blocks_a_multiprocessor(const DeviceSpec& spec, const HostKernel& kernel, int threads,
                            std::size_t dynamic_shared);

bool registers_fit(const DeviceSpec& spec, int registers, int threads);

// The largest block that the register file, the launch bounds and the device allow.
int largest_block(const DeviceSpec& spec, const HostKernel& kernel);

}  // namespace emu
