#pragma once

namespace emu {

// Names accesses of host code to device addresses. Called once, when the device is made.
void watch_host_accesses();

}  // namespace emu
