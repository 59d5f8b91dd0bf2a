#pragma once
// What a warp's access to shared memory costs: wavefronts, and those of them that bank
// conflicts add. 32 banks of 4 bytes; word w lies in bank w mod 32. The rules reproduce
// every pattern measured on an H200 (observe/truth).
#include <cstdint>

#include "emulator/state/lane_mask.h"

namespace emu {

// Distinct words in the busiest bank, over the lanes of mask. Addresses are multiples of
// `bytes`, so a lane of 8 or 16 bytes takes the same 2 or 4 banks wherever it lies.
int bank_ways(const std::uint64_t* address, LaneMask mask, int bytes);

struct BankCost {
    int wavefronts = 0, conflicts = 0;
};

BankCost shared_load_cost(const std::uint64_t* address, LaneMask mask, int bytes);
BankCost shared_store_cost(const std::uint64_t* address, LaneMask mask, int bytes);

}  // namespace emu
