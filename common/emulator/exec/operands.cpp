#include "emulator/exec/operands.h"

#include <algorithm>
#include <bit>

#include "emulator/exec/special.h"
#include "emulator/ptx/flow.h"

namespace emu {
namespace {

using ptx::Operand;
using ptx::Type;

std::uint32_t align_up(std::uint64_t value, std::uint64_t to) {
    return static_cast<std::uint32_t>((value + to - 1) / to * to);
}

bool is_half(Type type) {
    return type == Type::f16 || type == Type::bf16 || type == Type::f16x2 ||
           type == Type::bf16x2;
}

// Bits of an immediate as a value of `type`. Reals are written as f64 or f32 patterns
// (PTX ISA 4.5.2), integers may stand where a real is wanted.
std::uint64_t immediate(const Operand& operand, Type type) {
    const int bytes = ptx::size_of(type);
    if (operand.kind == Operand::Kind::real) {
        const double value =
            operand.single
                ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
                : std::bit_cast<double>(operand.bits);
        if (is_half(type)) throw Unsupported{"a half-precision literal"};
        if (bytes == 4)
            return operand.single
                       ? operand.bits
                       : std::bit_cast<std::uint32_t>(static_cast<float>(value));
        return operand.single ? std::bit_cast<std::uint64_t>(value) : operand.bits;
    }
    const auto integer = static_cast<std::int64_t>(operand.bits);
    if (type == Type::f32)
        return std::bit_cast<std::uint32_t>(static_cast<float>(integer));
    if (type == Type::f64)
        return std::bit_cast<std::uint64_t>(static_cast<double>(integer));
    if (bytes >= 8 || bytes == 0) return operand.bits;
    return operand.bits & ((std::uint64_t(1) << 8 * bytes) - 1);
}

void complement(Warp& warp, const Inst& inst, LaneMask) {
    predicate(warp, inst.slot[0]) = ~predicate(warp, inst.slot[1]);
}

void collect(const Operand& operand, std::vector<int>& into) {
    if (operand.kind == Operand::Kind::reg) into.push_back(operand.index);
    for (const Operand& item : operand.items) collect(item, into);
}

bool writes_first(std::string_view opcode) {
    for (std::string_view reader :
         {"st", "red", "bra", "brx", "call", "prefetch", "nanosleep", "membar", "fence",
          "discard", "sust", "barrier", "bar"})
        if (opcode == reader) return false;
    return true;
}

}  // namespace

Holds holding(Type type) {
    if (type == Type::pred) return Holds::predicate;
    const int bytes = ptx::size_of(type);
    return bytes == 16 ? Holds::quad : bytes == 8 ? Holds::wide : Holds::narrow;
}

Uses uses_of(const ptx::Instruction& instruction) {
    Uses uses;
    if (instruction.guard.kind == Operand::Kind::reg)
        uses.reads.push_back(instruction.guard.index);
    bool result = writes_first(instruction.opcode);
    if (instruction.opcode.starts_with("bar") && instruction.has("red")) result = true;
    for (const Operand& operand : instruction.operands) {
        const bool is_result = result && operand.kind != Operand::Kind::address;
        collect(operand, is_result ? uses.writes : uses.reads);
        result = false;
    }
    return uses;
}

FrameBuilder::FrameBuilder(Program& program, ProgramFunction& function,
                           const Symbols& symbols)
    : program_(program), function_(function), symbols_(symbols) {
    const ptx::Function& text = *function.text;
    register_slots_.assign(text.registers.size(), -1);
    constant_.assign(text.registers.size(), false);
    std::int32_t predicates = 2;  // slot 0: all lanes; slot 4: none
    for (const ptx::Register& r : text.registers) predicates += r.type == Type::pred;
    predicate_end_ = static_cast<std::int32_t>(align_up(4u * predicates, 64));
    next_predicate_ = 8;
    top_ = predicate_end_;
    function_.fills.push_back({Fill::From::predicate, false, false, 4, 0, all_lanes});
    function_.fills.push_back({Fill::From::predicate, false, false, 4, 4, 0});
    place_variables();
    count_uses();
}

void FrameBuilder::place_variables() {
    const ptx::Function& text = *function_.text;
    std::uint64_t depot = 0, offset = 0;
    for (const ptx::Variable& v : text.locals) {
        if (v.space == ptx::Space::local) {
            depot = align_up(depot, std::max(1u, v.align));
            locals_[v.name] = depot;
            depot += v.bytes;
        } else if (v.space == ptx::Space::param) {
            auto [at, fresh] = parameters_.try_emplace(v.name);
            if (fresh || at->second.bytes < v.bytes)
                take_parameter(static_cast<std::uint32_t>(v.bytes), at->second);
        }
    }
    function_.depot_bytes = align_up(depot, 16);
    for (const ptx::Variable& v : text.params) {
        if (text.is_entry) {
            offset = align_up(offset, std::max(1u, v.align));
            arguments_[v.name] = offset;
            offset += v.bytes;
        } else {
            take_parameter(static_cast<std::uint32_t>(v.bytes), parameters_[v.name]);
            function_.params.push_back(parameters_[v.name]);
        }
    }
    for (const ptx::Variable& v : text.returns) {
        take_parameter(static_cast<std::uint32_t>(v.bytes), parameters_[v.name]);
        function_.returns.push_back(parameters_[v.name]);
    }
}

void FrameBuilder::count_uses() {
    reads_.assign(register_slots_.size(), 0);
    writes_.assign(register_slots_.size(), 0);
    for (const ptx::Instruction& instruction : function_.text->body) {
        const Uses uses = uses_of(instruction);
        for (int r : uses.reads) ++reads_[r];
        // A guarded write leaves the old value in some lanes: it is two values.
        const bool guarded = instruction.guard.kind == Operand::Kind::reg;
        for (int r : uses.writes) writes_[r] += guarded ? 2 : 1;
    }
}

std::int32_t FrameBuilder::take(Holds holds) {
    if (holds == Holds::predicate) {
        if (next_predicate_ == predicate_end_) {
            next_predicate_ = top_;
            predicate_end_ = top_ += 64;
        }
        const std::int32_t slot = next_predicate_;
        next_predicate_ += 4;
        return slot;
    }
    const std::int32_t slot = top_;
    const int bytes = holds == Holds::narrow ? 4 : holds == Holds::wide ? 8 : 16;
    top_ += bytes * warp_size;
    return slot;
}

std::int32_t FrameBuilder::take_parameter(std::uint32_t bytes, ParameterPlace& place) {
    place.slot = top_;
    place.bytes = bytes;
    place.stride = std::max(8u, align_up(bytes, 8));
    top_ += static_cast<std::int32_t>(place.stride) * warp_size;
    return place.slot;
}

const ParameterPlace* FrameBuilder::parameter(std::string_view name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? nullptr : &found->second;
}

std::int64_t FrameBuilder::argument_offset(std::string_view name) const {
    const auto found = arguments_.find(name);
    return found == arguments_.end() ? -1 : static_cast<std::int64_t>(found->second);
}

Holds FrameBuilder::holds(const Operand& reg) const {
    return holding(function_.text->registers[reg.index].type);
}

std::int32_t FrameBuilder::register_slot(int index) {
    std::int32_t& slot = register_slots_[index];
    if (slot < 0) slot = take(holding(function_.text->registers[index].type));
    return slot;
}

std::int32_t FrameBuilder::filled(Fill fill) {
    const auto key = std::tuple(static_cast<int>(fill.from), fill.wide, fill.is_signed,
                                static_cast<int>(fill.bytes), fill.bits);
    auto [at, fresh] = fills_.try_emplace(key);
    if (fresh) {
        fill.slot = take(fill.wide ? Holds::wide : Holds::narrow);
        function_.fills.push_back(fill);
        at->second = fill.slot;
    }
    return at->second;
}

std::int32_t FrameBuilder::constant(std::uint64_t bits, bool wide) {
    return filled({Fill::From::value, wide, false, 0, 0, bits});
}

std::int32_t FrameBuilder::argument(std::uint64_t offset, int bytes, bool is_signed,
                                    bool wide) {
    return filled({Fill::From::argument, wide, is_signed,
                   static_cast<std::uint8_t>(bytes), 0, offset});
}

std::int32_t FrameBuilder::grid_size(int component, bool wide) {
    return filled({Fill::From::grid_size, wide, false, 0, 0,
                   static_cast<std::uint64_t>(component)});
}

std::int32_t FrameBuilder::symbol(const Operand& operand, bool wide) {
    const auto offset = static_cast<std::uint64_t>(operand.offset);
    if (const auto at = locals_.find(operand.name); at != locals_.end())
        return filled({Fill::From::local, wide, false, 0, 0, at->second + offset});
    if (const auto at = arguments_.find(operand.name); at != arguments_.end()) {
        function_.argument_address = true;
        return filled({Fill::From::arguments, wide, false, 0, 0, at->second + offset});
    }
    if (symbols_.dynamic_shared.contains(operand.name))
        return filled({Fill::From::dynamic_shared, wide, false, 0, 0, offset});
    if (const auto at = symbols_.shared.find(operand.name); at != symbols_.shared.end())
        return constant(at->second + offset, wide);
    if (const auto at = program_.addresses.find(operand.name);
        at != program_.addresses.end())
        return constant(at->second + offset, wide);
    if (const auto at = program_.by_name.find(operand.name); at != program_.by_name.end())
        return constant(function_window + function_spacing * at->second, wide);
    if (parameter(operand.name)) throw Unsupported{"the address of a call's parameter"};
    throw Unsupported{"the symbol " + operand.name + ", which is defined nowhere"};
}

std::int32_t FrameBuilder::slot(const Operand& operand, Type type) {
    bool wide = false;
    const std::int32_t slot = loose_slot(operand, type, wide);
    if (operand.kind != Operand::Kind::reg) return slot;
    const Holds is = holds(operand), wanted = holding(type);
    if (is != wanted && type != Type::none)
        throw Unsupported{"a register of another size than the instruction's type"};
    return slot;
}

std::int32_t FrameBuilder::loose_slot(const Operand& operand, Type type, bool& wide) {
    wide = holding(type) == Holds::wide || holding(type) == Holds::quad;
    switch (operand.kind) {
        case Operand::Kind::none:
            return -1;
        case Operand::Kind::reg: {
            const Holds is = holds(operand);
            wide = is == Holds::wide || is == Holds::quad;
            const std::int32_t slot = register_slot(operand.index);
            if (!operand.negated) return slot;
            if (is != Holds::predicate) throw Unsupported{"the negation of a number"};
            Inst inst;
            inst.run = complement;
            inst.slot[0] = take(Holds::predicate);
            inst.slot[1] = slot;
            prelude.push_back(inst);
            return inst.slot[0];
        }
        case Operand::Kind::integer:
        case Operand::Kind::real:
            if (type == Type::pred) return (operand.bits != 0) != operand.negated ? 0 : 4;
            if (holding(type) == Holds::quad) throw Unsupported{"a 128-bit literal"};
            return constant(immediate(operand, type), wide);
        case Operand::Kind::symbol:
            return symbol(operand, wide);
        case Operand::Kind::special: {
            const Special* special = special_named(operand.name);
            if (!special) throw Unsupported{"the special register " + operand.name};
            Inst inst;
            inst.run = wide ? special->wide : special->narrow;
            inst.slot[0] = take(wide ? Holds::wide : Holds::narrow);
            prelude.push_back(inst);
            return inst.slot[0];
        }
        default:
            throw Unsupported{"an operand of this form"};
    }
}

std::int32_t FrameBuilder::base(const Operand& operand, bool& wide,
                                std::uint64_t& offset) {
    if (operand.kind != Operand::Kind::address || operand.items.empty())
        throw Unsupported{"an address of this form"};
    Operand base = operand.items[0];
    offset = static_cast<std::uint64_t>(operand.offset);
    if (base.kind == Operand::Kind::symbol) {
        offset += static_cast<std::uint64_t>(base.offset);
        base.offset = 0;
    }
    return loose_slot(base, Type::b64, wide);
}

bool FrameBuilder::written_once(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg && writes_[operand.index] == 1;
}

bool FrameBuilder::never_read(const Operand& operand) const {
    if (operand.kind == Operand::Kind::none) return true;
    return operand.kind == Operand::Kind::reg && reads_[operand.index] == 0;
}

bool FrameBuilder::is_constant(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg && constant_[operand.index];
}

bool FrameBuilder::bind_constant(const Operand& destination, std::int32_t slot) {
    if (!written_once(destination) || register_slots_[destination.index] >= 0)
        return false;
    register_slots_[destination.index] = slot;
    constant_[destination.index] = true;
    return true;
}

// Registers that some path may read before it writes them. Their value is not defined,
// but it must not depend on which warp used the frame before.
void FrameBuilder::find_live_in() {
    const ptx::Flow flow = ptx::flow_of(*function_.text);
    const std::size_t words = (register_slots_.size() + 63) / 64;
    using Set = std::vector<std::uint64_t>;
    const std::size_t blocks = flow.blocks.size();
    std::vector<Set> reads(blocks, Set(words)), writes(blocks, Set(words));
    auto has = [](const Set& set, int r) { return set[r / 64] >> (r % 64) & 1; };
    auto put = [](Set& set, int r) { set[r / 64] |= std::uint64_t(1) << (r % 64); };
    for (std::size_t b = 0; b < blocks; ++b)
        for (int i = flow.blocks[b].first; i < flow.blocks[b].last; ++i) {
            const ptx::Instruction& instruction = function_.text->body[i];
            const Uses uses = uses_of(instruction);
            for (int r : uses.reads)
                if (!has(writes[b], r)) put(reads[b], r);
            if (instruction.guard.kind == Operand::Kind::none)
                for (int r : uses.writes) put(writes[b], r);
        }
    std::vector<Set> live = reads;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks; b-- > 0;)
            for (int next : flow.blocks[b].next) {
                if (next < 0) continue;
                for (std::size_t w = 0; w < words; ++w) {
                    const std::uint64_t more =
                        live[next][w] & ~writes[b][w] & ~live[b][w];
                    live[b][w] |= more;
                    changed |= more != 0;
                }
            }
    }
    for (std::size_t r = 0; r < register_slots_.size(); ++r)
        if (blocks > 0 && has(live[0], static_cast<int>(r)) && register_slots_[r] >= 0 &&
            !constant_[r]) {
            const Holds is = holding(function_.text->registers[r].type);
            function_.live_in.push_back(
                {register_slots_[r], is == Holds::predicate ? 4
                                     : is == Holds::narrow  ? 4 * warp_size
                                     : is == Holds::wide    ? 8 * warp_size
                                                            : 16 * warp_size});
        }
}

void FrameBuilder::finish() {
    find_live_in();
    function_.frame_bytes = align_up(static_cast<std::uint64_t>(top_), 64);
}

}  // namespace emu
