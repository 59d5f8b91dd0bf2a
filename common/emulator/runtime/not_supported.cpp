// Where the generated stubs end: the name is said once, the program gets an error.
#include <cuda_runtime_api.h>

#include "emulator/runtime/report.h"

extern "C" int emulator_not_supported(const char* name) {
    using namespace emu;
    say_once(std::string("warplings: the emulator does not have ") + name +
             "; it answers cudaErrorNotSupported");
    return api(name, Needs::nothing, [](Call&) { return cudaErrorNotSupported; });
}
