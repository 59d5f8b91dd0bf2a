#include "emulator/exec/fault.h"

#include <algorithm>

namespace emu {

std::uint64_t order_of(const Warp& warp) {
    const std::uint64_t step = std::min<std::uint64_t>(warp.issued, (1u << 20) - 1);
    return (warp.block->number << 20) + step;
}

Fault fault(const Warp& warp, const Inst* inst, LaneMask mask, std::string kind,
            std::string message, std::string remedy, int error) {
    Finding finding;
    finding.kind = std::move(kind);
    finding.message = std::move(message);
    finding.remedy = std::move(remedy);
    finding.error = error;
    finding.order = order_of(warp);
    finding.block = warp.block->index;
    finding.has_thread = mask != 0;
    if (mask != 0) {
        const int lane = first_lane(mask);
        finding.thread = {warp.id.tid_x[lane], warp.id.tid_y[lane], warp.id.tid_z[lane]};
        finding.count = static_cast<std::uint64_t>(count(mask));
    }
    const Program& program = *warp.block->launch->program;
    if (const ProgramFunction* function = inst ? owner_of(program, inst) : nullptr) {
        const SourcePlace place = place_of(program, *function, inst->source);
        finding.file = place.file;
        finding.line = place.line;
        finding.ptx_line = place.ptx_line;
    }
    return {finding};
}

std::string lanes_text(LaneMask mask) {
    if (mask == all_lanes) return "all lanes";
    std::string text;
    for (int lane = 0; lane < warp_size;) {
        if (!has_lane(mask, lane)) {
            ++lane;
            continue;
        }
        int last = lane;
        while (last + 1 < warp_size && has_lane(mask, last + 1)) ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(lane);
        if (last > lane) text += "-" + std::to_string(last);
        lane = last + 1;
    }
    return (count(mask) == 1 ? "lane " : "lanes ") + text;
}

}  // namespace emu
