#pragma once
// What only the machine code knows: registers and stack of each kernel, as ptxas -v says.
#include <map>
#include <string>
#include <string_view>

namespace emu {

struct CubinKernel {
    int registers = 0;
    int frame_bytes = 0;         // local memory a thread, spills included
    int barriers = 0;            // 0 where not stated
};

// By mangled name. Empty where the image is not a readable cubin: registers are then not
// known, which a launch survives.
std::map<std::string, CubinKernel> read_cubin(std::string_view image);

}  // namespace emu
