#pragma once
// The observer that counts: one for each worker, summed when the launch ends.
#include "emulator/observe/counters.h"
#include "emulator/observe/event.h"

namespace emu {

class Counting final : public Observer {
public:
    void ran(const Warp& warp, std::uint32_t instructions, LaneMask active) override;
    void accessed(const Warp& warp, const Access& access,
                  const AccessCost& cost) override;
    void branched(const Warp& warp, const Inst& inst, int targets) override;
    void synchronized(const Block& block) override;

    Counters counters;
};

}  // namespace emu
