// The families' rows, joined. Order matters where two rows share an opcode: decode takes
// the first that binds.
#include <map>

#include "emulator/ops/op.h"

namespace emu {
namespace {

struct Table {
    std::vector<const Op*> all;
    std::map<std::string_view, std::vector<const Op*>> by_name;

    Table() {
        for (std::span<const Op> family :
             {integer_ops, bit_ops, logic_ops, compare_ops, float_ops, half_ops, math_ops,
              convert_ops, move_ops, memory_ops, atomic_ops, warp_ops, control_ops,
              async_ops})
            for (const Op& op : family) {
                all.push_back(&op);
                by_name[op.name].push_back(&op);
            }
    }
};

const Table& table() {
    static const Table joined;
    return joined;
}

}  // namespace

std::span<const Op* const> ops_named(std::string_view opcode) {
    const auto found = table().by_name.find(opcode);
    if (found == table().by_name.end()) return {};
    return found->second;
}

std::span<const Op* const> all_ops() { return table().all; }

}  // namespace emu
