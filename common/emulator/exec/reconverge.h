#pragma once
// The paths of a warp: where its lanes are when they are not all at one place.
//
// A tree. Leaves are groups of lanes that can run. A join waits at the place where its
// children's lanes meet again (the immediate post-dominator of the branch that parted
// them), a call waits where its callee returns to. A lane is in one leaf, or has arrived
// at one join or call, or has exited. The newest leaf runs, which is what a hardware
// stack does; when it waits or spins, the oldest other one gets its turn, and lanes that
// wait for it at a join go on without it, as they may since Volta.
#include <span>

#include "emulator/exec/frame.h"

namespace emu {

struct Path {
    enum class Kind : std::uint8_t { unused, leaf, join, call };
    enum class Wait : std::uint8_t { none, sync, barrier };

    Kind kind = Kind::unused;
    Wait wait = Wait::none;
    std::uint8_t barrier = 0;  // number, while it waits at one
    LaneMask mask = 0;         // leaf: its lanes; else those that have arrived
    LaneMask members = 0;      // while it waits at a warp_sync: the mask operand
    std::int32_t segment = 0;  // leaf: next to run; else where it goes on
    std::int32_t parent = -1;
    std::int32_t children = 0;
    Frame* frame = nullptr;          // call: the caller's
    Frame* callee = nullptr;         // call
    const CallSite* site = nullptr;  // call
    const Inst* inst = nullptr;      // waiting leaf: where; join: the branch
};

class Paths {
public:
    explicit Paths(FramePool& frames) : frames_(frames) {}

    void start(LaneMask lanes, Frame* frame);
    bool done() const { return order_.empty(); }

    // The leaf that runs next, -1 if all wait.
    int next() const;
    Path& operator[](int path) { return paths_[path]; }
    const Path& operator[](int path) const { return paths_[path]; }
    std::span<const int> leaves() const { return order_; }  // oldest first
    std::span<const Path> all() const { return paths_; }

    // The segment at which the leaf's lanes are awaited; -2 if at none of its function.
    int meet(int leaf) const;
    bool alone() const { return order_.size() == 1 && paths_[order_[0]].parent < 0; }

    struct Group {
        std::int32_t segment;
        LaneMask mask;
    };
    // Parts a leaf; its lanes meet again at `meet` (-1: at the function's end).
    void split(int leaf, std::span<const Group> groups, std::int32_t meet,
               const Inst* branch);
    void arrive(int leaf);  // at its meet
    void call(int leaf, const CallSite* site, Frame* callee, std::int32_t back);
    bool ret(int leaf);  // false where there is no caller: the lanes exit
    void exit(int leaf, LaneMask lanes);

    // Gives the oldest other leaf that can run its turn; false if there is none.
    bool rotate(int leaf);
    // Lanes that have arrived somewhere stop waiting for the others; false if none had.
    bool release();
    // Leaves at one place, with one parent, become one.
    void merge();

private:
    int make();
    void drop(int path);  // out of order_ and free
    void add_leaf(std::int32_t segment, LaneMask mask, Frame* frame, int parent);
    void child_gone(int path);

    FramePool& frames_;
    std::vector<Path> paths_;
    std::vector<int> free_;
    std::vector<int> order_;  // leaves, oldest first
};

}  // namespace emu
