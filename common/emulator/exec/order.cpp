// What decoding must know about loops that wait and about the order of blocks.
#include <algorithm>
#include <set>
#include <string_view>

#include "emulator/exec/decode.h"

namespace emu {
namespace {

bool has_space(const ptx::Instruction& text, std::string_view space) {
    return std::ranges::any_of(text.modifiers, [&](const std::string& modifier) {
        return std::string_view(modifier).substr(0, modifier.find(':')) == space;
    });
}

bool is_local_to_block(const ptx::Instruction& text) {
    return has_space(text, "shared") || has_space(text, "local");
}

// Sees what another thread wrote, at the time when it was written.
bool observes_others(const ptx::Instruction& text) {
    if (text.opcode == "atom") return true;
    if (text.opcode != "ld") return false;
    return text.has("volatile") || text.has("acquire") || text.has("relaxed") ||
           text.has("mmio");
}

bool order_free_atomic(const ptx::Instruction& text) {
    if (text.has("exch") || text.has("cas")) return false;
    for (const std::string& modifier : text.modifiers)
        switch (ptx::type_named(modifier)) {
            case ptx::Type::f16:
            case ptx::Type::f16x2:
            case ptx::Type::bf16:
            case ptx::Type::bf16x2:
            case ptx::Type::f32:
            case ptx::Type::f64:
                return false;
            default:
                break;
        }
    return true;
}

}  // namespace

bool depends_on_order(const ptx::Instruction& text) {
    if (text.opcode == "membar") return !text.has("cta");
    if (text.opcode == "fence")
        return (text.has("gpu") || text.has("sys") || text.has("cluster")) &&
               !text.has("proxy");
    if (text.opcode == "red") return !is_local_to_block(text) && !order_free_atomic(text);
    if (text.opcode == "atom") return !is_local_to_block(text);
    if (text.opcode == "ld" || text.opcode == "st")
        return !is_local_to_block(text) &&
               (text.has("volatile") || text.has("acquire") || text.has("relaxed") ||
                text.has("release") || text.has("mmio"));
    return false;
}

bool looks_at_clock(const ptx::Instruction& text) {
    return std::ranges::any_of(text.operands, [](const ptx::Operand& operand) {
        return operand.kind == ptx::Operand::Kind::special &&
               (operand.name.starts_with("%clock") ||
                operand.name.starts_with("%globaltimer"));
    });
}

bool waits_in_loop(const ptx::Function& function, int first, int last) {
    std::set<int> wanted;  // registers that decide when the loop ends
    for (int i = first; i <= last; ++i) {
        const ptx::Instruction& text = function.body[i];
        const bool branches =
            text.opcode == "bra" || text.opcode == "exit" || text.opcode == "ret";
        if (branches && text.guard.kind == ptx::Operand::Kind::reg)
            wanted.insert(text.guard.index);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = last; i >= first; --i) {
            const ptx::Instruction& text = function.body[i];
            const Uses uses = uses_of(text);
            if (std::ranges::none_of(uses.writes,
                                     [&](int r) { return wanted.contains(r); }))
                continue;
            if (observes_others(text)) return true;
            for (int r : uses.reads) changed |= wanted.insert(r).second;
        }
    }
    // Calls hide what they do: `while (!try_lock())`.
    return std::any_of(function.body.begin() + first, function.body.begin() + last + 1,
                       [](const ptx::Instruction& text) {
                           return text.opcode == "call" || text.opcode == "nanosleep";
                       });
}

}  // namespace emu
