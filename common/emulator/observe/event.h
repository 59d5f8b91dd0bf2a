#pragma once
// What the machine says about each step. The executor and the memory ops publish, they do
// not measure; a Worker without an Observer publishes nothing.
#include <cstdint>

#include "emulator/observe/cost.h"
#include "emulator/ops/op.h"

namespace emu {

enum class Does : std::uint8_t { load, store, atomic, reduce };  // reduce: result unused

// One warp-wide access. Addresses are byte addresses within `space` (shared and local:
// offsets from their start; global and constant: device addresses).
struct Access {
    ptx::Space space;  // resolved: never generic
    Does does;
    std::uint8_t bytes;            // a lane, all vector elements together: 1..32
    LaneMask mask;                 // active lanes, guard applied
    const std::uint64_t* address;  // [32]; only those of mask are meaningful
    const Inst* inst;
    bool is_volatile = false, is_strong = false;  // strong: .relaxed, .acquire, .release
};

class Observer {
public:
    virtual ~Observer() = default;
    // `instructions` of one warp ran in a row with `active` lanes (before guards).
    virtual void ran(const Warp& warp, std::uint32_t instructions, LaneMask active) = 0;
    virtual void accessed(const Warp& warp, const Access& access,
                          const AccessCost& cost) = 0;
    // A branch whose lanes went to `targets` places.
    virtual void branched(const Warp& warp, const Inst& inst, int targets) = 0;
    // A block barrier that completed.
    virtual void synchronized(const Block& block) = 0;
};

}  // namespace emu
