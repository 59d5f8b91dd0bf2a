// Post-dominators are dominators of the graph turned round. The method is the iterative
// one of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#include "emulator/ptx/flow.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace emu::ptx {
namespace {

using Entries = std::unordered_map<std::string_view, const std::vector<std::string>*>;

class Builder {
public:
    Builder(const Function& function, const Module* module) : function_(function) {
        for (const Targets& targets : function.targets)
            tables_[targets.name] = &targets.entries;
        if (!module) return;
        for (const Function& other : module->functions)
            if (other.no_return) no_return_.insert(other.name);
    }

    Flow build() {
        cut_into_blocks();
        for (BasicBlock& block : flow_.blocks) link(block);
        return std::move(flow_);
    }

private:
    int size() const { return static_cast<int>(function_.body.size()); }

    // -1, the exit, for a label at the very end and for one that does not exist.
    int position_of(const std::string& label) const {
        const auto found = function_.labels.find(label);
        return found == function_.labels.end() || found->second >= size() ? -1
                                                                          : found->second;
    }

    // Where the instruction may go other than on to the next one.
    std::vector<int> jumps(const Instruction& instruction) const {
        std::vector<int> to;
        if (instruction.opcode == "ret" || instruction.opcode == "exit") to.push_back(-1);
        if (instruction.opcode == "bra" && !instruction.operands.empty())
            to.push_back(position_of(instruction.operands[0].name));
        if (instruction.opcode != "brx" || instruction.operands.size() != 2) return to;
        const auto table = tables_.find(instruction.operands[1].name);
        if (table == tables_.end()) return {-1};
        for (const std::string& entry : *table->second) to.push_back(position_of(entry));
        return to;
    }

    bool leads_nowhere(const Instruction& instruction) const {
        if (instruction.opcode == "trap") return true;
        if (instruction.opcode != "call") return false;
        return std::ranges::any_of(instruction.operands, [&](const Operand& operand) {
            return operand.kind == Operand::Kind::symbol &&
                   no_return_.contains(operand.name);
        });
    }

    bool leaves(const Instruction& instruction) const {
        const std::string& opcode = instruction.opcode;
        return opcode == "bra" || opcode == "brx" || opcode == "ret" ||
               opcode == "exit" || leads_nowhere(instruction);
    }

    void cut_into_blocks() {
        std::vector<char> begins(function_.body.size() + 1, 0);
        begins[0] = begins[function_.body.size()] = 1;
        for (int i = 0; i < size(); ++i) {
            if (!leaves(function_.body[i])) continue;
            begins[i + 1] = 1;
            for (const int to : jumps(function_.body[i]))
                if (to >= 0) begins[to] = 1;
        }
        flow_.block_of.resize(function_.body.size());
        for (int i = 0; i < size(); ++i) {
            if (begins[i]) flow_.blocks.emplace_back().first = i;
            flow_.blocks.back().last = i + 1;
            flow_.block_of[i] = static_cast<int>(flow_.blocks.size()) - 1;
        }
    }

    void add(BasicBlock& block, int position) const {
        const int to = position < 0 || position >= size() ? -1 : flow_.block_of[position];
        if (std::ranges::find(block.next, to) == block.next.end())
            block.next.push_back(to);
    }

    void link(BasicBlock& block) const {
        const Instruction& last = function_.body[block.last - 1];
        for (const int to : jumps(last)) add(block, to);
        const bool predicated = last.guard.kind != Operand::Kind::none;
        if (predicated || !leaves(last)) add(block, block.last);
    }

    const Function& function_;
    Entries tables_;
    std::unordered_set<std::string_view> no_return_;
    Flow flow_;
};

class PostDominators {
public:
    explicit PostDominators(std::vector<BasicBlock>& blocks)
        : blocks_(blocks),
          exit_(static_cast<int>(blocks.size())),
          before_(exit_ + 1),
          rank_(exit_ + 1, -1),
          meet_(exit_ + 1, -1) {
        for (int block = 0; block < exit_; ++block)
            for (const int next : blocks_[block].next)
                before_[next < 0 ? exit_ : next].push_back(block);
    }

    void find() {
        number();
        meet_[exit_] = exit_;
        for (bool changed = true; changed;) {
            changed = false;
            // Away from the exit, which is order_'s last and needs no answer.
            for (std::size_t i = order_.size() - 1; i-- > 0;) {
                const int meet = meet_of(order_[i]);
                changed |= std::exchange(meet_[order_[i]], meet) != meet;
            }
        }
        for (int block = 0; block < exit_; ++block)
            blocks_[block].meet = meet_[block] == exit_ ? -1 : meet_[block];
    }

private:
    // Post-order of the graph turned round, from the exit. Blocks that cannot reach the
    // exit get no rank. A stack of our own: functions may have many thousand blocks.
    void number() {
        std::vector<std::pair<int, std::size_t>> stack{{exit_, 0}};
        std::vector<char> seen(exit_ + 1, 0);
        seen[exit_] = 1;
        while (!stack.empty()) {
            auto& [block, at] = stack.back();
            if (at == before_[block].size()) {
                rank_[block] = static_cast<int>(order_.size());
                order_.push_back(block);
                stack.pop_back();
                continue;
            }
            const int before = before_[block][at++];
            if (!std::exchange(seen[before], 1)) stack.push_back({before, 0});
        }
    }

    // The first block that all ways from this one have in common.
    int meet_of(int block) const {
        int meet = -1;
        for (int next : blocks_[block].next) {
            if (next < 0) next = exit_;
            if (rank_[next] < 0 || meet_[next] < 0) continue;
            meet = meet < 0 ? next : common(meet, next);
        }
        return meet;
    }

    int common(int a, int b) const {
        while (a != b) {
            while (rank_[a] < rank_[b]) a = meet_[a];
            while (rank_[b] < rank_[a]) b = meet_[b];
        }
        return a;
    }

    std::vector<BasicBlock>& blocks_;
    int exit_;
    std::vector<std::vector<int>> before_;
    std::vector<int> rank_;
    std::vector<int> meet_;
    std::vector<int> order_;
};

}  // namespace

Flow flow_of(const Function& function, const Module* module) {
    Flow flow = Builder(function, module).build();
    PostDominators(flow.blocks).find();
    return flow;
}

}  // namespace emu::ptx
