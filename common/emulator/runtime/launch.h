#pragma once
// A launch: what the device would refuse, arguments into bytes, the result told.
#include "emulator/runtime/call.h"

namespace emu {

struct LaunchCall {
    const void* function;             // host function or cudaKernel_t
    dim3 grid, block;
    void** arguments;                 // pointers to the values, in order
    std::size_t shared;
    cudaStream_t stream;
    Callers callers;                  // of <<<...>>>
};
cudaError_t launch(Call& call, const LaunchCall& wanted);

}  // namespace emu
