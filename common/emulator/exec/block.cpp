// A block: its warps take turns, and meet at barriers.
#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "emulator/exec/fault.h"
#include "emulator/exec/machine.h"
#include "emulator/observe/finding_sink.h"

namespace emu {
namespace {

constexpr std::uint64_t instructions_a_turn = 1u << 16;
constexpr int rounds_a_turn = 16;
constexpr int poison = 0xcd;  // of memory that nothing wrote

std::uint64_t mixed(std::uint64_t& state) {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void identify(WarpIdentity& id, std::uint32_t index, const Dim3& size) {
    id.index = index;
    id.lanes = 0;
    for (int lane = 0; lane < warp_size; ++lane) {
        const std::uint32_t thread = index * warp_size + static_cast<std::uint32_t>(lane);
        id.tid_x[lane] = thread % size.x;
        id.tid_y[lane] = thread / size.x % size.y;
        id.tid_z[lane] = thread / size.x / size.y;
        if (thread < size.product()) id.lanes |= lane_bit(lane);
    }
}

}  // namespace

BlockState::BlockState(Launch& launch_, const Limits& limits_, Worker& worker_,
                       FramePool& frames_, PrintLog& printed_)
    : launch(launch_),
      program(*launch_.program),
      limits(limits_),
      worker(worker_),
      frames(frames_),
      printed(printed_) {
    const ProgramFunction& kernel = program.functions[launch.function];
    const auto n =
        static_cast<std::uint32_t>((launch.block.product() + warp_size - 1) / warp_size);
    std::uint64_t local = kernel.depot_bytes;
    if (kernel.calls) local += limits.stack_bytes;
    local_stride_ = static_cast<std::uint32_t>((local + 15) / 16 * 16);
    local_ = std::make_unique_for_overwrite<std::byte[]>(std::size_t(n) * warp_size *
                                                         local_stride_);
    shared_.resize(launch.static_shared + launch.dynamic_shared);
    block.launch = &launch;
    block.shared = shared_.data();
    block.shared_bytes = static_cast<std::uint32_t>(shared_.size());
    warps_.reserve(n);
    for (std::uint32_t w = 0; w < n; ++w) {
        Warp& warp = warps_.emplace_back(frames).warp;
        identify(warp.id, w, launch.block);
        warp.block = &block;
        warp.worker = &worker;
        warp.local_stride = local_stride_;
        warp.local = local_.get() + std::size_t(w) * warp_size * local_stride_;
        turns_.push_back(w);
    }
    for (WarpState& w : warps_) block.warps.push_back(&w.warp);
}

void BlockState::start(std::uint64_t number, std::uint64_t position_,
                       std::uint64_t seed) {
    position = position_;
    block.number = number;
    block.index = {static_cast<std::uint32_t>(number % launch.grid.x),
                   static_cast<std::uint32_t>(number / launch.grid.x % launch.grid.y),
                   static_cast<std::uint32_t>(number / launch.grid.x / launch.grid.y)};
    block.sm = static_cast<std::uint32_t>(number % launch.multiprocessors);
    barriers_.fill({});
    first_exit_ = nullptr;
    told_exited_ = false;
    alive_ = static_cast<std::uint32_t>(launch.block.product());
    issued_ = 0;
    if (!shared_.empty()) std::memset(shared_.data(), poison, shared_.size());
    for (WarpState& w : warps_) {
        w.started = false;
        w.rounds = 0;
        w.warp.alive = w.warp.id.lanes;
        w.warp.issued = 0;
    }
    if (seed == 0) return;
    std::uint64_t state = seed ^ number * 0x2545f4914f6cdd1du;
    for (std::size_t k = 0; k < turns_.size(); ++k)
        turns_[k] = static_cast<std::uint32_t>(k);
    for (std::size_t k = turns_.size(); k > 1; --k)
        std::swap(turns_[k - 1], turns_[mixed(state) % k]);
}

Stop BlockState::step(WarpState& w) {
    if (!w.started) {
        w.started = true;
        const std::uint32_t depot = program.functions[launch.function].depot_bytes;
        for (int lane = 0; depot > 0 && lane < warp_size; ++lane)
            std::memset(w.warp.local + std::size_t(lane) * local_stride_, poison, depot);
        w.frame = frames.take(launch.function, 0, 0);
        w.paths.start(w.warp.alive, w.frame);
    }
    const std::uint64_t before = w.warp.issued;
    const Stop stop = step_warp(*this, w, instructions_a_turn);
    issued_ += w.warp.issued - before;
    if (stop == Stop::done && w.frame) {
        frames.give(w.frame);
        w.frame = nullptr;
    }
    if (stop == Stop::quantum || stop == Stop::spins) {
        const Path& path = w.paths[w.paths.next()];
        if (path.segment >= 0) {
            const ProgramFunction& f = *path.frame->function;
            ++seen_[{&f, f.segments[path.segment].source}];
        }
    }
    return stop;
}

Stop BlockState::run() {
    for (int round = 0; round < rounds_a_turn; ++round) {
        bool any = false, all_spin = true, all_done = true;
        for (std::uint32_t turn : turns_) {
            WarpState& w = warps_[turn];
            if (w.started && w.paths.done()) continue;
            all_done = false;
            if (w.started && w.paths.next() < 0) continue;
            any = true;
            all_spin &= step(w) == Stop::spins;
        }
        if (all_done) return Stop::done;
        if (!any) stuck();
        if (all_spin) return Stop::spins;
    }
    return Stop::quantum;
}

SourcePlace BlockState::busiest() const {
    const auto most = std::ranges::max_element(
        seen_, {}, [](const auto& entry) { return entry.second; });
    if (most == seen_.end()) return {};
    return place_of(program, *most->first.first, most->first.second);
}

void BlockState::warp_exits(WarpState& w, LaneMask lanes, const Inst& inst) {
    if (!first_exit_) first_exit_ = &inst;
    w.warp.alive &= ~lanes;
    alive_ -= static_cast<std::uint32_t>(count(lanes));
    for (int number = 0; number < 16; ++number)
        if (barriers_[number].used()) complete_if_all(number);
}

// ---- barriers
// --------------------------------------------------------------------------

bool BlockState::at_barrier(WarpState& w, int leaf, const Inst& inst, LaneMask mask,
                            std::int32_t next) {
    const auto& use = *static_cast<const BarrierUse*>(inst.extra);
    const int lane = first_lane(mask);
    const std::uint32_t number = lanes<std::uint32_t>(w.warp, use.number)[lane];
    if (number >= 16)
        throw fault(w.warp, &inst, mask, "barrier-divergence",
                    "A barrier has number " + std::to_string(number) + "; there are 16.",
                    "Use barrier numbers 0 to 15.");
    Barrier& barrier = barriers_[number];
    if (use.threads >= 0) {
        // Counted in whole warps, however many of their lanes exist (PTX ISA, "barrier").
        barrier.wanted = lanes<std::uint32_t>(w.warp, use.threads)[lane];
        barrier.arrived +=
            mask == w.warp.alive ? warp_size : static_cast<unsigned>(count(mask));
    } else {
        barrier.arrived += static_cast<std::uint32_t>(count(mask));
    }
    if (use.vote >= 0) {
        barrier.votes += static_cast<unsigned>(count(predicate(w.warp, use.vote) & mask));
        barrier.voters += static_cast<unsigned>(count(mask));
    }
    Path& path = w.paths[leaf];
    path.segment = next;
    if (use.does == BarrierUse::Does::arrive) {
        complete_if_all(static_cast<int>(number));
        return false;
    }
    path.wait = Path::Wait::barrier;
    path.barrier = static_cast<std::uint8_t>(number);
    path.inst = &inst;
    complete_if_all(static_cast<int>(number));
    return false;
}

bool BlockState::complete_if_all(int number) {
    const Barrier& barrier = barriers_[number];
    const bool all = barrier.wanted > 0 ? barrier.arrived >= barrier.wanted
                                        : barrier.arrived >= alive_;
    if (all) complete(number);
    return all;
}

void BlockState::complete(int number) {
    check_aligned(number);
    const Barrier barrier = barriers_[number];
    barriers_[number] = {};
    for (WarpState& w : warps_) {
        if (!w.started) continue;
        bool several = false;
        for (int leaf : w.paths.leaves()) {
            Path& path = w.paths[leaf];
            if (path.wait != Path::Wait::barrier || path.barrier != number) continue;
            const auto& use = *static_cast<const BarrierUse*>(path.inst->extra);
            path.wait = Path::Wait::none;
            if (first_exit_ && barrier.wanted == 0) check_exited(w, path);
            several |= leaf != w.paths.leaves().front();
            if (use.result < 0) continue;
            std::byte* at = path.frame->data + use.result;
            if (use.does == BarrierUse::Does::popc) {
                for_each_lane(path.mask, [&](int lane) {
                    std::memcpy(at + 4 * lane, &barrier.votes, 4);
                });
            } else {
                const bool yes = use.does == BarrierUse::Does::all
                                     ? barrier.votes == barrier.voters
                                     : barrier.votes > 0;
                LaneMask& p = *reinterpret_cast<LaneMask*>(at);
                p = (p & ~path.mask) | (yes ? path.mask : 0);
            }
        }
        if (several) w.paths.merge();
    }
    if (worker.observer) worker.observer->synchronized(block);
}

// __syncthreads() in code that only part of the threads run is undefined (CUDA C++
// Programming Guide, "Synchronization Functions"), even where the hardware lets it pass.
void BlockState::check_aligned(int number) {
    const Inst* first = nullptr;
    for (WarpState& w : warps_) {
        if (!w.started) continue;
        const Inst* here = nullptr;
        for (int leaf : w.paths.leaves()) {
            const Path& path = w.paths[leaf];
            if (path.wait != Path::Wait::barrier || path.barrier != number) continue;
            if (!static_cast<const BarrierUse*>(path.inst->extra)->aligned) continue;
            if (here && here != path.inst)
                throw fault(
                    w.warp, path.inst, path.mask, "barrier-divergence",
                    "Threads of one warp meet at different barriers: " +
                        groups_text(program, w) + ".",
                    "Move __syncthreads() out of the branch, so that all threads of "
                    "the block come to the same one.");
            here = path.inst;
        }
        if (!here) continue;
        if (first && first != here && worker.findings && barriers_[number].wanted == 0) {
            Finding finding =
                fault(
                    w.warp, here, w.warp.alive, "barrier-divergence",
                    "Warps of a block meet at different barriers: one of them waits at " +
                        place_of(program, *owner_of(program, first), first->source)
                            .text() +
                        ", warp " + std::to_string(w.warp.id.index) + " at " +
                        place_of(program, *owner_of(program, here), here->source).text() +
                        ".",
                    "Move __syncthreads() out of the branch, so that all threads of the "
                    "block come to the same one.",
                    0)
                    .finding;
            finding.severity = Severity::warning;
            worker.findings->add(std::move(finding), here);
        }
        if (!first) first = here;
    }
}

// The hardware counts exited threads as arrived; the programming model does not say so.
void BlockState::check_exited(const WarpState& w, const Path& path) {
    if (!worker.findings || std::exchange(told_exited_, true)) return;
    if (worker.findings->known("barrier-missed", path.inst, order_of(w.warp), 0)) return;
    const SourcePlace left =
        place_of(program, *owner_of(program, first_exit_), first_exit_->source);
    Finding finding = fault(w.warp, path.inst, path.mask, "barrier-missed",
                            std::to_string(launch.block.product() - alive_) +
                                " threads of the block had exited (the first at " +
                                left.text() + ") when the others met at this barrier.",
                            "Let all threads come to the barrier: instead of returning "
                            "early, skip the work "
                            "of threads that have none.",
                            0)
                          .finding;
    finding.severity = Severity::warning;
    finding.count = 1;
    worker.findings->add(std::move(finding), path.inst);
}

void BlockState::stuck() {
    std::set<const Inst*> barriers;
    bool elsewhere = false;
    const WarpState* example = nullptr;
    LaneMask lanes_there = 0;
    const Inst* inst = nullptr;
    std::string text;
    int told = 0, untold = 0;
    for (const WarpState& w : warps_) {
        if (w.paths.done()) continue;
        for (const Path& path : w.paths.all()) {
            if (path.kind == Path::Kind::unused || path.mask == 0) continue;
            const bool at_barrier =
                path.kind == Path::Kind::leaf && path.wait == Path::Wait::barrier;
            if (at_barrier)
                barriers.insert(path.inst);
            else
                elsewhere = true;
            if (path.kind == Path::Kind::leaf &&
                (!inst ||
                 (at_barrier && barriers.size() == 1 && inst->extra == nullptr))) {
                inst = path.inst;
                lanes_there = path.mask;
                example = &w;
            }
        }
        if (++told <= 4)
            text += (text.empty() ? "" : ". ") + std::string("Warp ") +
                    std::to_string(w.warp.id.index) + ": " + groups_text(program, w);
        else
            ++untold;
    }
    if (untold > 0) text += ". " + std::to_string(untold) + " more warps";
    const bool exited = alive_ < launch.block.product();
    const char* kind = barriers.size() > 1    ? "barrier-divergence"
                       : barriers.size() == 1 ? "barrier-missed"
                                              : "deadlock";
    throw fault(
        example->warp, inst, lanes_there, kind,
        std::string(barriers.size() > 1
                        ? "Threads of the block wait at different barriers for ever. "
                    : barriers.size() == 1
                        ? "A barrier waits for threads that never come. "
                        : "Nothing in the block can go on. ") +
            text + "." + (exited && !elsewhere ? " Other threads have exited." : ""),
        barriers.empty()
            ? "Every lane that the mask names must come to the same kind of "
              "instruction with the same mask."
            : "Let all threads of the block come to the same __syncthreads(): move it "
              "out of the branch or loop that only some threads run.");
}

}  // namespace emu
