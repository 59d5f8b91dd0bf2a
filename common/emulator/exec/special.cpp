#include "emulator/exec/special.h"

namespace emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <auto value, class Reg>
void uniform(Warp& warp, const Inst& inst, LaneMask mask) {
    const Reg v = static_cast<Reg>(value(warp, inst));
    write_lanes<Reg>(warp, inst.slot[0], mask, [v](int) { return v; });
}

template <auto of_lane, class Reg>
void by_lane(Warp& warp, const Inst& inst, LaneMask mask) {
    const WarpIdentity& id = warp.id;
    write_lanes<Reg>(warp, inst.slot[0], mask,
                     [&id](int lane) { return static_cast<Reg>(of_lane(id, lane)); });
}

template <auto value>
constexpr Special one(std::string_view name, int bits = 32) {
    return {name, bits, uniform<value, u32>, uniform<value, u64>};
}
template <auto of_lane>
constexpr Special lanewise(std::string_view name) {
    return {name, 32, by_lane<of_lane, u32>, by_lane<of_lane, u64>};
}

// A clock that repeats from run to run: it ticks once for each instruction of the warp.
// Inst::imm corrects for instructions of the segment that are counted but not yet run.
u64 clock_of(const Warp& warp, const Inst& inst) { return warp.issued + inst.imm; }

// Nanoseconds, at one instruction in four of them.
u64 timer_of(const Warp& warp, const Inst& inst) {
    return (warp.block->launch->grid_number << 32) + 4 * clock_of(warp, inst);
}

u64 clock_high(const Warp& warp, const Inst& inst) { return clock_of(warp, inst) >> 32; }
u64 timer_high(const Warp& warp, const Inst& inst) { return timer_of(warp, inst) >> 32; }

u32 warps_of(const Warp& warp) {
    return static_cast<u32>((warp.block->launch->block.product() + warp_size - 1) /
                            warp_size);
}

#define BY_BLOCK(expression) \
    []([[maybe_unused]] const Warp& w, const Inst&) { return expression; }
#define BY_LANE(expression)                                                  \
    []([[maybe_unused]] const WarpIdentity& id, [[maybe_unused]] int lane) { \
        return expression;                                                   \
    }

constexpr Special table[] = {
    lanewise<BY_LANE(id.tid_x[lane])>("%tid.x"),
    lanewise<BY_LANE(id.tid_y[lane])>("%tid.y"),
    lanewise<BY_LANE(id.tid_z[lane])>("%tid.z"),
    lanewise<BY_LANE(lane)>("%laneid"),
    lanewise<BY_LANE(lane_bit(lane))>("%lanemask_eq"),
    lanewise<BY_LANE(lanes_below(lane))>("%lanemask_lt"),
    lanewise<BY_LANE(lanes_below(lane) | lane_bit(lane))>("%lanemask_le"),
    lanewise<BY_LANE(~lanes_below(lane))>("%lanemask_ge"),
    lanewise<BY_LANE(~lanes_below(lane) & ~lane_bit(lane))>("%lanemask_gt"),
    one<BY_BLOCK(w.block->launch->block.x)>("%ntid.x"),
    one<BY_BLOCK(w.block->launch->block.y)>("%ntid.y"),
    one<BY_BLOCK(w.block->launch->block.z)>("%ntid.z"),
    one<BY_BLOCK(w.block->index.x)>("%ctaid.x"),
    one<BY_BLOCK(w.block->index.y)>("%ctaid.y"),
    one<BY_BLOCK(w.block->index.z)>("%ctaid.z"),
    one<BY_BLOCK(w.block->launch->grid.x)>("%nctaid.x"),
    one<BY_BLOCK(w.block->launch->grid.y)>("%nctaid.y"),
    one<BY_BLOCK(w.block->launch->grid.z)>("%nctaid.z"),
    one<BY_BLOCK(w.id.index)>("%warpid"),
    one<BY_BLOCK(warps_of(w))>("%nwarpid"),
    one<BY_BLOCK(w.block->sm)>("%smid"),
    one<BY_BLOCK(w.block->launch->multiprocessors)>("%nsmid"),
    one<BY_BLOCK(w.block->launch->grid_number)>("%gridid", 64),
    one<clock_of>("%clock"),
    one<clock_of>("%clock64", 64),
    one<clock_high>("%clock_hi"),
    one<timer_of>("%globaltimer", 64),
    one<timer_of>("%globaltimer_lo"),
    one<timer_high>("%globaltimer_hi"),
    one<BY_BLOCK(u32(w.block->launch->environment[1] / (u64(1) << 32)))>("%envreg1"),
    one<BY_BLOCK(u32(w.block->launch->environment[1]))>("%envreg2"),
    one<BY_BLOCK(w.block->launch->dynamic_shared)>("%dynamic_smem_size"),
    one<BY_BLOCK(w.block->shared_bytes)>("%total_smem_size"),
    one<BY_BLOCK(w.block->shared_bytes)>("%aggr_smem_size"),
    one<BY_BLOCK(0u)>("%reserved_smem_offset_begin"),
    one<BY_BLOCK(0u)>("%reserved_smem_offset_end"),
    one<BY_BLOCK(0u)>("%reserved_smem_offset_cap"),
    // A launch without clusters: each block is a cluster of its own.
    one<BY_BLOCK(0u)>("%cluster_ctarank"),
    one<BY_BLOCK(1u)>("%cluster_nctarank"),
    one<BY_BLOCK(0u)>("%cluster_ctaid.x"),
    one<BY_BLOCK(0u)>("%cluster_ctaid.y"),
    one<BY_BLOCK(0u)>("%cluster_ctaid.z"),
    one<BY_BLOCK(1u)>("%cluster_nctaid.x"),
    one<BY_BLOCK(1u)>("%cluster_nctaid.y"),
    one<BY_BLOCK(1u)>("%cluster_nctaid.z"),
    one<BY_BLOCK(w.block->index.x)>("%clusterid.x"),
    one<BY_BLOCK(w.block->index.y)>("%clusterid.y"),
    one<BY_BLOCK(w.block->index.z)>("%clusterid.z"),
    one<BY_BLOCK(w.block->launch->grid.x)>("%nclusterid.x"),
    one<BY_BLOCK(w.block->launch->grid.y)>("%nclusterid.y"),
    one<BY_BLOCK(w.block->launch->grid.z)>("%nclusterid.z"),
};

}  // namespace

const Special* special_named(std::string_view name) {
    for (const Special& special : table)
        if (special.name == name) return &special;
    return nullptr;
}

}  // namespace emu
