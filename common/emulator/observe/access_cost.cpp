#include "emulator/observe/access_cost.h"

#include "emulator/observe/banks.h"
#include "emulator/observe/coalescing.h"
#include "emulator/observe/constant.h"
#include "emulator/observe/local.h"

namespace emu {

AccessCost access_cost(ptx::Space space, Does does, const std::uint64_t* address,
                       LaneMask mask, int bytes) {
    AccessCost cost;
    if (space == ptx::Space::shared) {
        const BankCost banks = does == Does::store
                                   ? shared_store_cost(address, mask, bytes)
                                   : shared_load_cost(address, mask, bytes);
        cost.wavefronts = static_cast<std::uint16_t>(banks.wavefronts);
        cost.conflicts = static_cast<std::uint16_t>(banks.conflicts);
    } else if (space == ptx::Space::local) {
        cost.sectors = static_cast<std::uint16_t>(local_sectors(address, mask, bytes));
    } else if (space == ptx::Space::constant) {
        cost.words = static_cast<std::uint16_t>(constant_words(address, mask, bytes));
    } else {
        const bool plain = does == Does::load || does == Does::store;
        cost.sectors = static_cast<std::uint16_t>(
            plain ? sectors_of(address, mask) : atomic_sectors_of(address, mask));
        cost.lines = static_cast<std::uint16_t>(lines_of(address, mask));
    }
    return cost;
}

}  // namespace emu
