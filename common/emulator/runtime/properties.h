#pragma once
// A row of the device table as CUDA's structure of properties.
#include <cuda_runtime_api.h>

#include "emulator/device/table.h"

namespace emu {

cudaDeviceProp properties_of(const DeviceSpec& spec);

// False where CUDA 13 has no such attribute.
bool attribute_of(const DeviceSpec& spec, int attribute, int& value);

}  // namespace emu
