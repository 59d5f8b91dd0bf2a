#pragma once
// Whose memory a pointer means, and the words for it.
#include "emulator/runtime/call.h"

namespace emu {

enum class Side { host, device, both };   // both: pinned and managed memory

struct Region {
    cudaError_t error = cudaSuccess;
    Side side = Side::host;
    std::byte* at = nullptr;              // where the host can touch the bytes
    const Allocation* allocation = nullptr;
};

// [pointer, pointer + bytes) that the call `does` ("reads", "writes") something with. What
// is wrong about it has been told when an error comes back.
Region region_of(Call& call, const void* pointer, std::uint64_t bytes, const char* does);

// "the 400-byte allocation from cudaMalloc at saxpy.cu:12", "the variable 'hits'".
std::string described(const Allocation& allocation);
std::string hex(std::uint64_t value);
inline std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace emu
