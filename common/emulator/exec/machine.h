#pragma once
// A block that is being run, and the steps of its warps.
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <string>

#include "emulator/exec/reconverge.h"
#include "emulator/observe/event.h"
#include "emulator/state/block.h"

namespace emu {

// What one `printf` of one thread wrote.
struct Printed {
    std::uint64_t position = 0;  // of the block in the launch's order
    std::string text;
    std::uint32_t bytes = 0;  // in the device's printf buffer
    bool is_error = false;    // goes to the standard error, as assert does
};

// The newest lines of one host thread, as many as the device's buffer can hold: what is
// older is overwritten there.
class PrintLog {
public:
    explicit PrintLog(std::uint64_t room) : room_(room) {}
    void add(Printed line) {
        bytes_ += line.bytes;
        lines_.push_back(std::move(line));
        for (; bytes_ > room_ && lines_.size() > 1; lines_.pop_front(), ++lost_)
            bytes_ -= lines_.front().bytes;
    }
    std::deque<Printed>& lines() { return lines_; }
    std::uint64_t lost() const { return lost_; }

private:
    std::deque<Printed> lines_;
    std::uint64_t room_, bytes_ = 0, lost_ = 0;
};

// What blocks of a launch need, besides Launch: the same for all host threads.
struct Limits {
    std::uint64_t stack_bytes = 1024;
    std::uint64_t printf_bytes = 1 << 20;
    std::uint64_t heap_bytes = 8 << 20;
    std::atomic<std::uint64_t>* heap_used = nullptr;  // of the device
};

enum class Stop : std::uint8_t {
    done,     // nothing is left to run
    blocked,  // waits for others
    quantum,  // has had its turn
    spins,    // goes round a loop until others act
};

struct WarpState {
    explicit WarpState(FramePool& frames) : paths(frames) {}
    Warp warp;
    Paths paths;
    Frame* frame = nullptr;  // of the kernel
    bool started = false;
    std::uint32_t rounds = 0;  // of loops, since the running leaf's turn began
};

struct Barrier {
    std::uint32_t arrived = 0;  // threads, or as many as the count asks for
    std::uint32_t wanted = 0;   // 0: all of the block
    std::uint32_t votes = 0;    // threads that said yes
    std::uint32_t voters = 0;
    bool used() const { return arrived > 0; }
};

// Reused from block to block by one host thread.
class BlockState {
public:
    BlockState(Launch& launch, const Limits& limits, Worker& worker, FramePool& frames,
               PrintLog& printed);

    // `position` counts in the launch's order; `seed` shuffles the warps.
    void start(std::uint64_t number, std::uint64_t position, std::uint64_t seed);
    // Runs until all is done, or all warps that could go on spin, or `quantum` rounds.
    Stop run();
    std::uint64_t issued() const {
        return issued_;
    }  // warp instructions, since the start
    // Where warps were when their turns ended, for the budget's message.
    SourcePlace busiest() const;
    Warp& any_warp() { return warps_[0].warp; }

    // ---- for the steps of a warp ----
    void warp_exits(WarpState& w, LaneMask lanes, const Inst& inst);
    // True if the leaf can go on at once (it only announced itself, or it was the last).
    bool at_barrier(WarpState& w, int leaf, const Inst& inst, LaneMask mask,
                    std::int32_t next);

    Launch& launch;
    const Program& program;
    const Limits& limits;
    Worker& worker;
    FramePool& frames;
    PrintLog& printed;
    std::uint64_t position = 0;
    Block block;

private:
    Stop step(WarpState& w);
    bool complete_if_all(int number);
    void complete(int number);
    [[noreturn]] void stuck();
    void check_aligned(int number);
    void check_exited(const WarpState& w, const Path& path);

    std::vector<WarpState> warps_;
    std::vector<std::uint32_t> turns_;  // order of warps
    std::array<Barrier, 16> barriers_;
    std::uint32_t alive_ = 0;           // threads
    const Inst* first_exit_ = nullptr;  // where the first thread exited
    bool told_exited_ = false;
    std::vector<std::byte> shared_;
    std::unique_ptr<std::byte[]> local_;  // costs no memory until a stack grows
    std::uint32_t local_stride_ = 0;
    std::uint64_t issued_ = 0;
    std::map<std::pair<const ProgramFunction*, std::uint32_t>, std::uint64_t> seen_;
};

// Runs a warp until it is done or waits, or its turn ends.
Stop step_warp(BlockState& block, WarpState& warp, std::uint64_t quantum);

// vprintf, __assertfail, malloc, free.
void system_call(BlockState& block, WarpState& w, const Path& path, const CallSite& site,
                 const Inst& inst, LaneMask mask);

// Where the groups of a warp's lanes are: "lanes 0-15 wait at saxpy.cu:12".
std::string groups_text(const Program& program, const WarpState& w);

}  // namespace emu
