// Branches, calls and barriers: operands that are not values.
#include "emulator/exec/decode.h"

namespace emu {
namespace {

using ptx::Operand;
using ptx::Type;

SystemCall system_call(std::string_view name) {
    if (name == "vprintf") return SystemCall::print;
    if (name == "__assertfail") return SystemCall::assert_fail;
    if (name == "malloc") return SystemCall::allocate;
    if (name == "free") return SystemCall::release;
    return SystemCall::none;
}

void places(const FrameBuilder& frame, const Operand& list,
            std::vector<ParameterPlace>& to) {
    for (const Operand& item : list.items) {
        const ParameterPlace* place = frame.parameter(item.name);
        if (!place) throw Unsupported{"a call that passes something else than .param"};
        to.push_back(*place);
    }
}

// call (results), target, (arguments), prototype; all but the target may be absent.
void decode_call(Program& program, ProgramFunction& function, FrameBuilder& frame,
                 const ptx::Instruction& text, Inst& inst) {
    CallSite& site = program.calls.emplace_back();
    std::size_t k = 0;
    if (text.operands.size() > 1 && text.operands[0].kind == Operand::Kind::list)
        places(frame, text.operands[k++], site.results);
    if (k >= text.operands.size()) throw Unsupported{"a call without a target"};
    const Operand& target = text.operands[k++];
    if (k < text.operands.size() && text.operands[k].kind == Operand::Kind::list)
        places(frame, text.operands[k], site.arguments);
    if (target.kind == Operand::Kind::reg) {
        site.address = frame.slot(target, Type::b64);
        function.calls_by_address = true;
    } else {
        site.name = target.name;
        const auto found = program.by_name.find(site.name);
        if (found != program.by_name.end() &&
            !program.functions[found->second].text->is_extern) {
            site.callee = found->second;
            function.callees.push_back(site.callee);
        } else {
            site.system = system_call(site.name);
            // Which address malloc answers depends on who asks first.
            function.order_matters |=
                site.system == SystemCall::allocate || site.system == SystemCall::release;
        }
    }
    inst.extra = &site;
}

void decode_table(Program& program, const ProgramFunction& function, FrameBuilder& frame,
                  const Labels& labels, const ptx::Instruction& text, Inst& inst) {
    if (text.operands.size() < 2) throw Unsupported{"a branch of this form"};
    BranchTable& table = program.tables.emplace_back();
    table.index = frame.slot(text.operands[0], Type::b32);
    for (const ptx::Targets& targets : function.text->targets)
        if (targets.name == text.operands[1].name)
            for (const std::string& label : targets.entries)
                table.targets.push_back(labels.at(label));
    if (table.targets.empty())
        throw Unsupported{"a branch table that is defined nowhere"};
    inst.extra = &table;
}

void decode_barrier(Program& program, FrameBuilder& frame, const ptx::Instruction& text,
                    Inst& inst) {
    using Does = BarrierUse::Does;
    if (text.has("cluster")) throw Unsupported{"a barrier of a cluster"};
    BarrierUse& use = program.barriers.emplace_back();
    use.aligned = text.opcode == "bar" || text.has("aligned");
    std::vector<const Operand*> operands;
    for (const Operand& operand : text.operands) operands.push_back(&operand);
    auto next = [&] {
        if (operands.empty()) throw Unsupported{"a barrier with too few operands"};
        const Operand* front = operands.front();
        operands.erase(operands.begin());
        return front;
    };
    if (text.has("red")) {
        use.does = text.has("popc")  ? Does::popc
                   : text.has("and") ? Does::all
                                     : Does::any;
        use.result = frame.slot(*next(), use.does == Does::popc ? Type::b32 : Type::pred);
        if (operands.empty()) throw Unsupported{"a barrier with too few operands"};
        use.vote = frame.slot(*operands.back(), Type::pred);
        operands.pop_back();
    } else if (text.has("arrive")) {
        use.does = Does::arrive;
    } else if (!text.has("sync")) {
        throw Unsupported{"a barrier of this form"};
    }
    use.number = frame.slot(*next(), Type::b32);
    if (!operands.empty()) use.threads = frame.slot(*next(), Type::b32);
    inst.extra = &use;
}

}  // namespace

int Labels::at(std::string_view label) const {
    const auto found = function.labels.find(std::string(label));
    if (found == function.labels.end())
        throw Unsupported{"a label that is defined nowhere"};
    const auto index = static_cast<std::size_t>(found->second);
    return index < segment_of.size() ? segment_of[index] : -1;
}

void decode_control(Program& program, ProgramFunction& function, FrameBuilder& frame,
                    const Labels& labels, const ptx::Instruction& text, Segment& segment,
                    Inst& inst) {
    switch (segment.leaves) {
        case Leaves::branch:
            if (text.operands.empty()) throw Unsupported{"a branch without a target"};
            segment.target = labels.at(text.operands[0].name);
            break;
        case Leaves::branch_table:
            decode_table(program, function, frame, labels, text, inst);
            break;
        case Leaves::call:
            decode_call(program, function, frame, text, inst);
            break;
        case Leaves::barrier:
            decode_barrier(program, frame, text, inst);
            break;
        default:
            break;
    }
}

}  // namespace emu
