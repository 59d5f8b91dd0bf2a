#pragma once
// What a warp remembers. Data only: who steps it is exec/, what a step does is ops/.
//
// A register is 32 lanes side by side, so that an op on a full warp is a plain loop that
// the compiler vectorises. There are three kinds of slot, addressed by byte offset from
// the start of the frame, 64-byte aligned:
//   narrow  32 x 4 bytes   every type up to 32 bits; the value is in the low bytes, an op
//                          reads only as many as its type has and writes zero above them
//   wide    32 x 8 bytes   64-bit types
//   pred    4 bytes        a LaneMask
// (128-bit registers take two wide slots, low half first.) Immediates are slots too:
// decode puts them into the frame's constant part, filled once when the frame is made.
// Predicate slot 0 of every frame is all_lanes: the guard of an unguarded instruction.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/state/lane_mask.h"

namespace emu {

struct Block;
struct Worker;

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t product() const { return std::uint64_t(x) * y * z; }
    bool operator==(const Dim3&) const = default;
};

// Special registers that differ by lane or warp. Those of the grid are in Block and Launch.
struct WarpIdentity {
    alignas(64) std::uint32_t tid_x[warp_size];
    alignas(64) std::uint32_t tid_y[warp_size];
    alignas(64) std::uint32_t tid_z[warp_size];
    std::uint32_t index = 0;          // of the warp in its block
    LaneMask lanes = 0;               // those that exist: the last warp may be short
};

struct Warp {
    std::byte* frame = nullptr;       // registers of the function that is running
    LaneMask active = 0;              // lanes of the path that is running
    LaneMask alive = 0;               // lanes that have not exited, on any path
    LaneMask carry = 0;               // CC.CF of each lane: add.cc, subc, ...
    Block* block = nullptr;
    Worker* worker = nullptr;         // caches and listeners of the host thread that runs it
    std::byte* local = nullptr;       // lane l's local memory at local + l * local_stride
    std::uint32_t local_stride = 0;   // bytes a lane
    std::uint64_t issued = 0;         // instructions so far, of this warp
    WarpIdentity id;
};

// Lanes of a slot. T has 4 or 8 bytes and must match the slot's kind.
template <class T>
inline T* lanes(const Warp& warp, std::int32_t slot) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return reinterpret_cast<T*>(__builtin_assume_aligned(warp.frame + slot, 64));
}

inline LaneMask& predicate(const Warp& warp, std::int32_t slot) {
    return *reinterpret_cast<LaneMask*>(warp.frame + slot);
}

}  // namespace emu
