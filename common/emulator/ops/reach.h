#pragma once
// From the 32 addresses of a memory instruction to host memory: which lanes may go ahead,
// where their bytes lie, and what it costs. Bad lanes become findings and are left out.
#include <cstdint>

#include "emulator/mem/access.h"
#include "emulator/observe/event.h"

namespace emu {

// One warp-wide access as the instruction states it.
struct Reach {
    Warp& warp;
    const Inst& inst;
    ptx::Space space;  // may be generic
    Does does;
    std::uint8_t bytes;  // a lane, all vector elements together
    bool is_volatile = false, is_strong = false;
    bool second = false;  // the second access of one instruction
};

// Lanes whose bytes lie at base + at[lane]. The shape holds for full masks only.
struct Place {
    std::uint64_t base;
    const std::uint64_t* at;
    LaneMask mask;
    Shape shape;

    std::byte* of(int lane) const {
        return reinterpret_cast<std::byte*>(base + at[lane]);
    }
};

// The lanes of an access, in groups with a common base: almost always one, of all lanes.
struct Places {
    int count = 0;
    LaneMask bad = 0;                              // dropped: a load gives 0
    Place place[warp_size];                        // the first `count`
    alignas(64) std::uint64_t address[warp_size];  // set before reach()
    alignas(64) std::uint64_t local[warp_size];    // of lanes in local memory
};

// Finds the places of places.address and tells the observer. Generic addresses become
// those of their space.
void reach(const Reach& access, LaneMask mask, Places& places);

// The addresses that an M operand gives: its base in slot k, and Inst::imm.
template <bool WideBase>
inline void addresses(const Warp& warp, const Inst& inst, int k, std::uint64_t* address) {
    using Base = std::conditional_t<WideBase, std::uint64_t, std::uint32_t>;
    const Base* base = lanes<Base>(warp, inst.slot[k]);
    const Base offset = static_cast<Base>(inst.imm);  // a 32-bit address wraps around
    for (int lane = 0; lane < warp_size; ++lane)
        address[lane] = static_cast<Base>(base[lane] + offset);
}

}  // namespace emu
