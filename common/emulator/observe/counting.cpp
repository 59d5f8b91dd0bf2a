#include "emulator/observe/counting.h"

namespace emu {
namespace {

void count_global(Counters& c, Does does, const AccessCost& cost) {
    switch (does) {
        case Does::load:
            c.global_load_requests += 1;
            c.global_load_sectors += cost.sectors;
            break;
        case Does::store:
            c.global_store_requests += 1;
            c.global_store_sectors += cost.sectors;
            break;
        case Does::atomic:
            c.global_atomic_requests += 1;
            c.global_atomic_sectors += cost.sectors;
            break;
        case Does::reduce:
            c.global_reduce_requests += 1;
            c.global_reduce_sectors += cost.sectors;
            break;
    }
}

void count_shared(Counters& c, Does does, const AccessCost& cost) {
    if (does == Does::load) {
        c.shared_load_requests += 1;
        c.shared_load_wavefronts += cost.wavefronts;
        c.shared_load_conflicts += cost.conflicts;
    } else if (does == Does::store) {
        c.shared_store_requests += 1;
        c.shared_store_wavefronts += cost.wavefronts;
        c.shared_store_conflicts += cost.conflicts;
    } else {
        c.shared_atomics += 1;
    }
}

void count_local(Counters& c, Does does, const AccessCost& cost) {
    const bool load = does == Does::load;
    (load ? c.local_load_requests : c.local_store_requests) += 1;
    (load ? c.local_load_sectors : c.local_store_sectors) += cost.sectors;
}

}  // namespace

void Counting::ran(const Warp&, std::uint32_t instructions, LaneMask active) {
    counters.instructions += instructions;
    counters.thread_instructions +=
        static_cast<std::uint64_t>(instructions) * static_cast<unsigned>(count(active));
}

void Counting::accessed(const Warp&, const Access& access, const AccessCost& cost) {
    switch (access.space) {
        case ptx::Space::global:
            count_global(counters, access.does, cost);
            break;
        case ptx::Space::shared:
            count_shared(counters, access.does, cost);
            break;
        case ptx::Space::local:
            count_local(counters, access.does, cost);
            break;
        case ptx::Space::constant:
            counters.constant_requests += cost.words;
            break;
        default:
            break;
    }
}

void Counting::branched(const Warp&, const Inst&, int targets) {
    counters.branches += 1;
    counters.divergent_branches += targets > 1;
}

void Counting::synchronized(const Block&) { counters.barriers += 1; }

}  // namespace emu
