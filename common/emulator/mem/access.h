#pragma once
// What a worker remembers of each memory instruction: its last address pattern, what that
// cost, and the allocation it last fell into. The same pattern again, at another place of
// the same allocation, is then a few vector compares.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/observe/cost.h"
#include "emulator/state/lane_mask.h"

namespace emu {

// How the addresses of the active lanes relate to each other. The first two need all 32
// lanes: lane l at l * bytes from lane 0; all at one address.
enum class Shape : std::uint8_t { contiguous, broadcast, other };

struct alignas(64) Site {
    LaneMask mask = 0;  // the pattern's lanes; 0: nothing is remembered yet
    Shape shape = Shape::other;
    std::uint8_t bytes = 0;          // a lane
    std::uint8_t space = 0;          // ptx::Space: a generic access may change it
    bool aligned = false;            // all differences are multiples of `bytes`
    bool priced = false;             // `cost` is that of `phase`
    std::uint8_t phase = 0;          // of the first lane's address, within 128 bytes
    std::int64_t low = 0, high = 0;  // least and greatest difference to the first lane
    AccessCost cost;
    std::uint64_t bottom = 0, top = 0;  // the allocation: [bottom, top)
    std::uint64_t distance = 0;         // from an address in it to its storage
    std::uint64_t generation = 0;       // of Memory when the allocation was found
    bool read_only = false;
    alignas(64) std::uint64_t relative[warp_size] = {};  // to the first lane's address
};

// One for each worker. Sites are made as they are first used.
class SiteTable {
public:
    Site& operator[](std::uint32_t site) { return first_.at(site); }
    // An instruction that reads one place and writes another (cp.async) has two.
    Site& second(std::uint32_t site) { return second_.at(site); }

private:
    // Its own count: a vector's would cost a division by the size of a Site on each access.
    struct Row {
        std::vector<Site> sites;
        std::uint32_t count = 0;

        Site& at(std::uint32_t site) {
            if (site >= count) [[unlikely]] grow(site + 1);
            return sites.data()[site];
        }
        [[gnu::noinline]] void grow(std::uint32_t to) {
            sites.resize(to);
            count = to;
        }
    };
    Row first_, second_;
};

}  // namespace emu
