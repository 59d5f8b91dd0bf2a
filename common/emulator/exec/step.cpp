// The steps of one warp: segments, and what comes between them.
#include <algorithm>

#include "emulator/exec/fault.h"
#include "emulator/exec/machine.h"
#include "emulator/ops/warp_sync.h"
#include "emulator/state/demangle.h"

namespace emu {
namespace {

// A leaf that goes round a waiting loop this often, or round any other while lanes of its
// warp wait for it, lets others go first.
constexpr std::uint32_t rounds_of_waiting_loop = 256, rounds_of_any_loop = 1u << 16;

// An activation's return address and saved registers, which PTX does not show.
constexpr std::uint32_t call_overhead = 16;

class Stepper {
public:
    Stepper(BlockState& block, WarpState& w) : block_(block), w_(w), warp_(w.warp) {}

    Stop run(std::uint64_t quantum) {
        const std::uint64_t end = warp_.issued + quantum;
        for (;;) {
            leaf_ = w_.paths.next();
            if (leaf_ < 0) {
                if (w_.paths.done()) return Stop::done;
                if (unblock()) continue;
                return Stop::blocked;
            }
            const Stop stop = run_leaf(end);
            if (stop != Stop::blocked) return stop;
        }
    }

private:
    Path& path() { return w_.paths[leaf_]; }

    // Runs the newest leaf until it parts, arrives, waits or its turn ends.
    // Stop::blocked: look again which leaf is next.
    Stop run_leaf(std::uint64_t end) {
        Observer* const observer = warp_.worker->observer;
        Frame* const frame = path().frame;
        const Segment* const segments = frame->function->segments.data();
        const Inst* const insts = frame->function->insts.data();
        const LaneMask active = path().mask;
        const std::int32_t meet = w_.paths.meet(leaf_);
        std::int32_t at = path().segment;
        warp_.frame = frame->data;
        warp_.active = active;
        if (at < 0) return returns(active);
        for (;;) {
            const Segment& segment = segments[at];
            warp_.issued += segment.issued;
            if (observer) observer->ran(warp_, segment.issued, active);
            const Inst* inst = insts + segment.first;
            for (const Inst* last = insts + segment.last; inst != last; ++inst) {
                const LaneMask mask =
                    active & (predicate(warp_, inst->guard) ^ inst->guard_flip);
                if (mask != 0) inst->run(warp_, *inst, mask);
            }
            if (segment.leaves == Leaves::straight) {
                at = segment.next;
            } else {
                const LaneMask mask =
                    active & (predicate(warp_, inst->guard) ^ inst->guard_flip);
                if (segment.leaves == Leaves::branch) {
                    if (observer) observer->branched(warp_, *inst, targets(mask, active));
                    if (mask == 0) {
                        at = segment.next;
                    } else if (segment.ends) {
                        exits(*inst, mask, segment.next);
                        return Stop::blocked;
                    } else if (mask == active) {
                        at = segment.target;
                        if (segment.backward && turn_is_over(segment)) {
                            path().segment = at;
                            return end_turn();
                        }
                    } else {
                        const Paths::Group groups[] = {{segment.target, mask},
                                                       {segment.next, active & ~mask}};
                        w_.paths.split(leaf_, groups, segment.meet, inst);
                        return Stop::blocked;
                    }
                } else if (mask == 0) {
                    at = segment.next;
                } else {
                    path().segment = at;
                    if (!leave(segment, *inst, mask, active)) return stop_;
                    at = path().segment;
                }
            }
            if (at == meet) {
                path().segment = at;
                w_.paths.arrive(leaf_);
                return Stop::blocked;
            }
            if (at < 0) {
                path().segment = at;
                return returns(active);
            }
            if (warp_.issued >= end) {
                path().segment = at;
                return Stop::quantum;
            }
        }
    }

    static int targets(LaneMask mask, LaneMask active) {
        return mask != 0 && mask != active ? 2 : 1;
    }

    // ---- turns ----

    bool turn_is_over(const Segment& segment) {
        if (!segment.spins && w_.paths.alone()) return false;
        return ++w_.rounds >=
               (segment.spins ? rounds_of_waiting_loop : rounds_of_any_loop);
    }

    Stop end_turn() {
        w_.rounds = 0;
        w_.paths.release();
        return w_.paths.rotate(leaf_) ? Stop::blocked : Stop::spins;
    }

    // All leaves wait. Lanes that have arrived at a join may be those that are waited
    // for; but code that keeps part of a warp from an aligned barrier is left to be
    // reported.
    bool unblock() {
        const auto waits_for_lanes = [&](int leaf) {
            const Path& p = w_.paths[leaf];
            if (p.wait == Path::Wait::sync) return true;
            return !static_cast<const BarrierUse*>(p.inst->extra)->aligned;
        };
        return std::ranges::any_of(w_.paths.leaves(), waits_for_lanes) &&
               w_.paths.release();
    }

    // ---- what ends a segment ----

    // True where the same leaf goes on at path().segment.
    bool leave(const Segment& segment, const Inst& inst, LaneMask mask, LaneMask active) {
        stop_ = Stop::blocked;
        switch (segment.leaves) {
            case Leaves::exit:
                exits(inst, mask, segment.next);
                return false;
            case Leaves::trap:
                throw fault(warp_, &inst, mask, "trap",
                            "The kernel stopped itself with a trap instruction.",
                            "Find out which check in the code calls __trap().");
            case Leaves::ret:
                if (mask == active)
                    returns(mask);
                else
                    part(mask, -1, segment);
                return false;
            case Leaves::branch_table:
                return table(segment, inst, mask, active);
            default:
                break;
        }
        if (mask != active) {  // the others go on; decode gave it a segment of its own
            const Paths::Group groups[] = {{path().segment, mask},
                                           {segment.next, active & ~mask}};
            w_.paths.split(leaf_, groups, segment.meet, &inst);
            return false;
        }
        switch (segment.leaves) {
            case Leaves::call:
                calls(segment, inst, mask);
                return false;
            case Leaves::barrier:
                path().segment = segment.next;
                return block_.at_barrier(w_, leaf_, inst, mask, segment.next);
            case Leaves::warp_sync:
                return sync(segment, inst, mask);
            case Leaves::pause:
                path().segment = segment.next;
                w_.paths.release();
                stop_ = w_.paths.rotate(leaf_) ? Stop::blocked : Stop::spins;
                return false;
            default:
                return true;
        }
    }

    void part(LaneMask mask, std::int32_t to, const Segment& segment) {
        const Paths::Group groups[] = {{to, mask}, {segment.next, path().mask & ~mask}};
        w_.paths.split(leaf_, groups, segment.meet, nullptr);
    }

    void exits(const Inst& inst, LaneMask lanes, std::int32_t next) {
        path().segment = next;
        w_.paths.exit(leaf_, lanes);
        block_.warp_exits(w_, lanes, inst);
        recheck_waiting();
    }

    Stop returns(LaneMask lanes) {
        const ProgramFunction& function = *path().frame->function;
        if (!w_.paths.ret(leaf_)) exits(function.insts.back(), lanes, -1);
        return Stop::blocked;
    }

    bool table(const Segment& segment, const Inst& inst, LaneMask mask, LaneMask active) {
        const auto& table = *static_cast<const BranchTable*>(inst.extra);
        const std::uint32_t* index = lanes<std::uint32_t>(warp_, table.index);
        std::vector<Paths::Group> groups;
        auto add = [&](std::int32_t to, LaneMask who) {
            for (Paths::Group& group : groups)
                if (group.segment == to) return void(group.mask |= who);
            groups.push_back({to, who});
        };
        for_each_lane(mask, [&](int lane) {
            if (index[lane] >= table.targets.size())
                throw fault(warp_, &inst, lane_bit(lane), "illegal-address",
                            "An indirect branch has index " +
                                std::to_string(index[lane]) + ", beyond its table of " +
                                std::to_string(table.targets.size()) + " targets.",
                            "Check the value that the switch depends on.");
            add(table.targets[index[lane]], lane_bit(lane));
        });
        if (mask != active) add(segment.next, active & ~mask);
        if (Observer* observer = warp_.worker->observer)
            observer->branched(warp_, inst, static_cast<int>(groups.size()));
        if (groups.size() == 1) {
            path().segment = groups[0].segment;
            return true;
        }
        w_.paths.split(leaf_, groups, segment.meet, &inst);
        return false;
    }

    // ---- calls ----

    void calls(const Segment& segment, const Inst& inst, LaneMask mask) {
        const auto& site = *static_cast<const CallSite*>(inst.extra);
        if (site.address >= 0) return calls_by_address(segment, inst, site, mask);
        if (site.callee >= 0) return enter(site.callee, segment, inst, site, mask);
        if (site.system == SystemCall::none)
            throw fault(
                warp_, &inst, mask, "unsupported-instruction",
                "The kernel calls the device function " + site.name +
                    ", which is not in the program's PTX.",
                "The emulator does not link PTX of several files: define the function "
                "in the same file.");
        system_call(block_, w_, path(), site, inst, mask);
        path().segment = segment.next;
    }

    void calls_by_address(const Segment& segment, const Inst& inst, const CallSite& site,
                          LaneMask mask) {
        const std::uint64_t* to = lanes<std::uint64_t>(warp_, site.address);
        const std::uint64_t first = to[first_lane(mask)];
        LaneMask same = 0;
        for_each_lane(mask,
                      [&](int lane) { same |= to[lane] == first ? lane_bit(lane) : 0; });
        if (same != mask) {  // one group now, the rest comes back to this segment
            const Paths::Group groups[] = {{path().segment, mask & ~same},
                                           {path().segment, same}};
            split_call(groups, segment, inst);
            return;
        }
        const int callee = block_.program.function_at(first);
        if (callee < 0 || block_.program.functions[callee].text->is_entry ||
            block_.program.functions[callee].segments.empty())
            throw fault(
                warp_, &inst, mask, "illegal-address",
                "A call through a function pointer goes to an address that is no "
                "device function.",
                "A pointer to a __device__ function must be taken in device code or "
                "copied from a __device__ variable.");
        enter(callee, segment, inst, site, mask);
    }

    void split_call(std::span<const Paths::Group> groups, const Segment& segment,
                    const Inst& inst) {
        if (Observer* observer = warp_.worker->observer)
            observer->branched(warp_, inst, static_cast<int>(groups.size()));
        w_.paths.split(leaf_, groups, segment.next, &inst);
    }

    void enter(int callee, const Segment& segment, const Inst& inst, const CallSite& site,
               LaneMask mask) {
        Frame* const from = path().frame;
        const ProgramFunction& function = block_.program.functions[callee];
        const std::uint32_t base = from->local_base + from->function->depot_bytes +
                                   (from->depth > 0 ? call_overhead : 0);
        const std::uint32_t kernel_depot =
            block_.program.functions[block_.launch.function].depot_bytes;
        if (base + function.depot_bytes + call_overhead >
            kernel_depot + block_.limits.stack_bytes)
            overflow(function, from->depth + 1, inst, mask);
        Frame* const frame = block_.frames.take(callee, base, from->depth + 1);
        copy_parameters(*from, site.arguments, *frame, function.params, mask);
        w_.paths.call(leaf_, &site, frame, segment.next);
    }

    [[noreturn]] void overflow(const ProgramFunction& function, int depth,
                               const Inst& inst, LaneMask mask) {
        throw fault(warp_, &inst, mask, "stack-overflow",
                    "The thread's stack overflows at call depth " +
                        std::to_string(depth) + ", in a call of " +
                        demangled(function.name) + " (limit cudaLimitStackSize = " +
                        std::to_string(block_.limits.stack_bytes) + " bytes).",
                    "Rewrite the recursion as a loop, or raise the limit with "
                    "cudaDeviceSetLimit(cudaLimitStackSize, bytes).");
    }

    // ---- instructions that bring lanes together ----

    bool sync(const Segment& segment, const Inst& inst, LaneMask mask) {
        const WarpSync meeting = WarpSync::of(inst.imm);
        const std::uint32_t* members =
            lanes<std::uint32_t>(warp_, inst.slot[meeting.members]);
        const LaneMask wanted = members[first_lane(mask)];
        LaneMask same = 0;
        for (int lane = 0; lane < warp_size; ++lane)
            same |= members[lane] == wanted ? lane_bit(lane) : 0;
        if ((mask & ~same) == 0 && (wanted & warp_.alive & ~mask) == 0) {
            inst.run(warp_, inst, mask);
            path().segment = segment.next;
            return true;
        }
        if ((mask & ~same) != 0) return sync_groups(segment, inst, mask, members);
        wait_for(inst, wanted);
        return false;
    }

    // Several masks in one path, as tiles of a warp have: each group on its own, and all
    // at once where nobody is missing.
    bool sync_groups(const Segment& segment, const Inst& inst, LaneMask mask,
                     const std::uint32_t* members) {
        std::vector<Paths::Group> groups;
        bool whole = true;
        for (LaneMask rest = mask; rest != 0;) {
            const LaneMask wanted = members[first_lane(rest)];
            LaneMask same = 0;
            for_each_lane(rest, [&](int lane) {
                same |= members[lane] == wanted ? lane_bit(lane) : 0;
            });
            whole &= (wanted & warp_.alive & ~same) == 0;
            groups.push_back({path().segment, same});
            rest &= ~same;
        }
        if (!whole) {
            w_.paths.split(leaf_, groups, segment.meet, &inst);
            return false;
        }
        for (const Paths::Group& group : groups) inst.run(warp_, inst, group.mask);
        path().segment = segment.next;
        return true;
    }

    void wait_for(const Inst& inst, LaneMask wanted) {
        path().wait = Path::Wait::sync;
        path().inst = &inst;
        path().members = wanted;
        complete_if_all_there(leaf_);
    }

    // Lanes that exit are waited for no longer.
    void recheck_waiting() {
        for (bool again = true; again;) {
            again = false;
            for (int leaf : w_.paths.leaves())
                if (w_.paths[leaf].wait == Path::Wait::sync &&
                    complete_if_all_there(leaf)) {
                    again = true;
                    break;
                }
        }
    }

    bool complete_if_all_there(int leaf) {
        const Path first = w_.paths[leaf];
        const Meeting meeting = WarpSync::of(first.inst->imm).meeting;
        std::vector<int> there;
        LaneMask lanes_there = 0;
        for (int other : w_.paths.leaves()) {
            const Path& p = w_.paths[other];
            if (p.wait != Path::Wait::sync || p.members != first.members ||
                WarpSync::of(p.inst->imm).meeting != meeting)
                continue;
            there.push_back(other);
            lanes_there |= p.mask;
        }
        if ((first.members & warp_.alive & ~lanes_there) != 0) return false;
        run_together(there, lanes_there);
        for (int one : there) {
            Path& p = w_.paths[one];
            p.wait = Path::Wait::none;
            p.segment = p.frame->function->segments[p.segment].next;
        }
        w_.paths.merge();
        return true;
    }

    // The lanes may be at different instructions, with operands in different registers:
    // they are brought together in a frame of its own, once for each instruction.
    void run_together(const std::vector<int>& there, LaneMask all) {
        constexpr std::int32_t room = 8 * warp_size;
        alignas(64) std::byte operands[6 * room];
        std::byte* const frame = warp_.frame;
        std::vector<std::pair<int, std::array<std::byte, sizeof(operands)>>> results;
        for (int one : there) {
            const Inst& mine = *w_.paths[one].inst;
            Inst inst = mine;
            const WarpSync sync = WarpSync::of(mine.imm);
            std::memset(operands, 0, sizeof(operands));
            for (int k = 0; k < 6; ++k) {
                if (mine.slot[k] < 0) continue;
                inst.slot[k] = k * room;
                for (int other : there) {
                    const Path& p = w_.paths[other];
                    if (p.inst->slot[k] >= 0)
                        copy_operand(operands + k * room, p.frame->data + p.inst->slot[k],
                                     sync.holds(k), p.mask);
                }
            }
            warp_.frame = operands;
            inst.run(warp_, inst, all);
            results.emplace_back(one, std::array<std::byte, sizeof(operands)>{});
            std::memcpy(results.back().second.data(), operands, sizeof(operands));
        }
        warp_.frame = frame;
        for (auto& [one, values] : results) {
            const Path& p = w_.paths[one];
            const WarpSync sync = WarpSync::of(p.inst->imm);
            for (int k = 0; k < sync.members && k < 2; ++k)
                if (p.inst->slot[k] >= 0)
                    copy_operand(p.frame->data + p.inst->slot[k],
                                 values.data() + k * room, sync.holds(k), p.mask);
        }
    }

    static void copy_operand(std::byte* to, const std::byte* from, int holds,
                             LaneMask mask) {
        if (holds == 1) {
            LaneMask a, b;
            std::memcpy(&a, to, sizeof(a));
            std::memcpy(&b, from, sizeof(b));
            a = (a & ~mask) | (b & mask);
            std::memcpy(to, &a, sizeof(a));
        } else {
            const std::size_t bytes = holds == 3 ? 8 : 4;
            for_each_lane(mask, [&](int lane) {
                std::memcpy(to + lane * bytes, from + lane * bytes, bytes);
            });
        }
    }

    BlockState& block_;
    WarpState& w_;
    Warp& warp_;
    int leaf_ = -1;
    Stop stop_ = Stop::blocked;
};

}  // namespace

Stop step_warp(BlockState& block, WarpState& warp, std::uint64_t quantum) {
    return Stepper(block, warp).run(quantum);
}

std::string groups_text(const Program& program, const WarpState& w) {
    std::string text;
    for (const Path& path : w.paths.all()) {
        if (path.kind == Path::Kind::unused || path.mask == 0) continue;
        text += text.empty() ? "" : "; ";
        text += lanes_text(path.mask);
        text += path.kind != Path::Kind::leaf      ? " wait for the others to come to "
                : path.wait == Path::Wait::barrier ? " wait at the barrier at "
                : path.wait == Path::Wait::sync    ? " wait for lanes of their mask at "
                                                   : " run at ";
        const ProgramFunction& function = *path.frame->function;
        std::uint32_t source = 0;
        if (path.kind == Path::Kind::leaf && path.wait != Path::Wait::none)
            source = path.inst->source;
        else if (path.segment >= 0)
            source = function.segments[path.segment].source;
        else
            source = static_cast<std::uint32_t>(function.text->body.size()) - 1;
        text += place_of(program, function, source).text();
    }
    return text;
}

}  // namespace emu
