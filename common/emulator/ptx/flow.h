#pragma once
// The control-flow graph of a function, and where diverged lanes meet again.
#include <vector>

#include "emulator/ptx/program.h"

namespace emu::ptx {

// Instructions [first, last) run one after the other; control leaves at last - 1 only.
struct BasicBlock {
    int first = 0, last = 0;
    std::vector<int> next;            // blocks; -1 stands for the function's exit
    int meet = -1;                    // immediate post-dominator, -1: the function's exit
};

struct Flow {
    std::vector<BasicBlock> blocks;   // in order of their first instruction
    std::vector<int> block_of;        // by instruction
};

// Blocks end at bra, brx, ret, exit, trap, and before labels that something branches to;
// with a module, at calls of its .noreturn functions too. trap and such calls lead
// nowhere. What leads nowhere has no say in where others meet, and meets at the exit
// itself; so does a block that cannot reach the exit (an endless loop).
Flow flow_of(const Function& function, const Module* module = nullptr);

}  // namespace emu::ptx
