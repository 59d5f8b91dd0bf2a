// Rows of the instructions that exec/ gives their meaning: where a warp goes next, who
// waits.
#include "emulator/ops/op.h"

namespace emu {
namespace {

constexpr Op ops[] = {
    {"bra", "target:L", "bra", nullptr, Leaves::branch},
    {"brx", "index:b32, targets:L", "brx.idx", nullptr, Leaves::branch_table},
    {"call", "[results:L], target:L, [arguments:L], [prototype:L]", "call", nullptr,
     Leaves::call},
    {"ret", "", "ret", nullptr, Leaves::ret},
    {"exit", "", "exit", nullptr, Leaves::exit},
    {"trap", "", "trap", nullptr, Leaves::trap},
    {"brkpt", "", "brkpt", nullptr, Leaves::trap},
    {"bar", "number:b32, [threads:b32]", "bar, barrier", nullptr, Leaves::barrier},
    {"barrier", "number:b32, [threads:b32]", "bar, barrier", nullptr, Leaves::barrier},
    {"nanosleep", "t:b32", "nanosleep", nullptr, Leaves::pause},
};

}  // namespace

const std::span<const Op> control_ops = ops;

}  // namespace emu
