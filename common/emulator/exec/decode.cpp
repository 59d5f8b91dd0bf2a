// From PTX text to what the executor runs: operands become slots of a frame, opcodes
// become handlers of the op table, bodies become segments.
#include "emulator/exec/decode.h"

#include <algorithm>
#include <utility>

#include "emulator/exec/fault.h"
#include "emulator/exec/special.h"
#include "emulator/ptx/flow.h"

namespace emu {
namespace {

using ptx::Operand;
using ptx::Type;

// ---- signatures
// ------------------------------------------------------------------------

// One operand of a signature: "d:T", "p|q:pred", "[c:T]".
struct Want {
    std::string_view type;
    bool pair = false, optional = false;
};

std::vector<Want> wants(std::string_view signature) {
    std::vector<Want> list;
    while (!signature.empty()) {
        std::string_view one = signature.substr(0, signature.find(','));
        signature.remove_prefix(std::min(signature.size(), one.size() + 1));
        one.remove_prefix(std::min(one.size(), one.find_first_not_of(' ')));
        Want want;
        if (one.starts_with('[')) {
            want.optional = true;
            one.remove_prefix(1);
            one = one.substr(0, one.find(']'));
        }
        const auto colon = one.find(':');
        want.pair = one.substr(0, colon).find('|') != std::string_view::npos;
        want.type = one.substr(colon + 1);
        list.push_back(want);
    }
    return list;
}

Type doubled(Type type) {
    switch (type) {
        case Type::u16:
            return Type::u32;
        case Type::s16:
            return Type::s32;
        case Type::u32:
            return Type::u64;
        case Type::s32:
            return Type::s64;
        case Type::b16:
            return Type::b32;
        case Type::b32:
            return Type::b64;
        default:
            throw Unsupported{"a type without a wider one"};
    }
}

// Resolves one instruction's operands by one row's signature.
class Resolver {
public:
    Resolver(Program& program, FrameBuilder& frame, const Form& form, Inst& inst)
        : program_(program), frame_(frame), form_(form), inst_(inst) {}

    void run(std::string_view signature) {
        std::size_t next = 0;
        for (const Want& want : wants(signature)) {
            if (next < form_.text.operands.size())
                one(want, form_.text.operands[next++]);
            else if (want.optional)
                skip(want.pair ? 2 : 1);
            else
                throw Unsupported{"an instruction with too few operands"};
        }
        if (next < form_.text.operands.size())
            throw Unsupported{"an instruction with more operands than are known"};
        inst_.extra = vector_;
    }
    std::uint32_t wide_operands() const { return wide_; }
    bool has_address() const { return address_; }

private:
    void skip(int slots) { k_ += slots; }

    void put(std::int32_t slot, bool wide = false) {
        if (k_ >= 6)
            throw Unsupported{"an instruction with more operands than there is room"};
        inst_.slot[k_] = slot;
        wide_ |= static_cast<std::uint32_t>(wide) << k_;
        ++k_;
    }

    Type type_of(std::string_view name) const {
        if (name == "T") return form_.type(0);
        if (name == "S") return form_.type(1);
        if (name == "W") return doubled(form_.type(0));
        return ptx::type_named(name);
    }

    // What an immediate is read as where the register's own type counts.
    Type loose_type() const {
        const Type second = k_ > 0 ? form_.type(1) : Type::none;
        return second != Type::none ? second : form_.type(0);
    }

    void one(const Want& want, const Operand& operand) {
        if (want.type == "L") return;
        if (want.type == "M") return address(operand);
        if (want.type == "V") return vector(operand);
        if (want.pair) return pair(want, operand);
        bool wide = false;
        if (want.type == "R") {
            const std::int32_t slot = frame_.loose_slot(operand, loose_type(), wide);
            return put(slot, wide);
        }
        const Type type = type_of(want.type);
        put(frame_.slot(operand, type), holding(type) == Holds::wide);
    }

    void pair(const Want& want, const Operand& operand) {
        const bool both = operand.kind == Operand::Kind::pair;
        put(frame_.slot(both ? operand.items.at(0) : operand, type_of(want.type)));
        put(both ? frame_.slot(operand.items.at(1), Type::pred) : -1);
    }

    VectorSlots& vectors() {
        if (!vector_) vector_ = &program_.vectors.emplace_back();
        return *vector_;
    }

    void address(const Operand& operand) {
        const bool second = std::exchange(address_, true);
        const std::uint64_t before = inst_.imm;
        place(operand);
        // Two addresses share imm, 32 bits each.
        if (second) inst_.imm = (before & 0xffffffffu) | inst_.imm << 32;
    }

    void place(const Operand& operand) {
        const bool parameter = form_.has("param") || form_.has("param::func");
        if (parameter && !operand.items.empty())
            if (const ParameterPlace* place = frame_.parameter(operand.items[0].name)) {
                inst_.imm =
                    static_cast<std::uint64_t>(operand.offset + operand.items[0].offset);
                vectors().lane_stride = place->stride;
                return put(place->slot, true);
            }
        bool wide = false;
        const std::int32_t slot = frame_.base(operand, wide, inst_.imm);
        put(slot, wide);
    }

    void vector(const Operand& operand) {
        VectorSlots& slots = vectors();
        const bool many = operand.kind == Operand::Kind::vector;
        const int first = slots.count,
                  n = many ? static_cast<int>(operand.items.size()) : 1;
        if (first + n > 8) throw Unsupported{"a vector of more than eight elements"};
        for (int k = 0; k < n; ++k) {
            bool wide = false;
            slots.slot[first + k] = frame_.loose_slot(many ? operand.items[k] : operand,
                                                      element_type(n), wide);
            slots.wide[first + k] = wide;
        }
        slots.count += n;
        put(slots.slot[first], slots.wide[first]);
    }

    // Of an immediate: `mov.b32 r, {a, b}` splits its type, `st.v2.f32` does not.
    Type element_type(int n) const {
        const Type type = form_.type(0);
        if (n == 1 || form_.text.opcode != "mov") return type;
        switch (ptx::size_of(type) / n) {
            case 1:
                return Type::b8;
            case 2:
                return Type::b16;
            case 4:
                return Type::b32;
            default:
                return Type::b64;
        }
    }

    Program& program_;
    FrameBuilder& frame_;
    const Form& form_;
    Inst& inst_;
    VectorSlots* vector_ = nullptr;
    std::uint32_t wide_ = 0;
    int k_ = 0;
    bool address_ = false;
};

// ---- instructions that decode settles itself
// -------------------------------------------

template <class Reg>
void copy(Warp& warp, const Inst& inst, LaneMask mask) {
    const Reg* from = lanes<Reg>(warp, inst.slot[1]);
    write_lanes<Reg>(warp, inst.slot[0], mask, [&](int lane) { return from[lane]; });
}

bool reads_parameter(const ptx::Instruction& text) {
    return text.opcode == "ld" &&
           (text.has("param") || text.has("param::entry") || text.has("param::func"));
}

int grid_size_component(std::string_view name) {
    constexpr std::string_view names[] = {"%ntid.x",   "%ntid.y",   "%ntid.z",
                                          "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    const auto at = std::ranges::find(names, name);
    return at == std::end(names) ? -1 : static_cast<int>(at - names);
}

// ---- one function
// ----------------------------------------------------------------------

class Decoder {
public:
    Decoder(Program& program, ProgramFunction& function, const Symbols& symbols)
        : program_(program),
          function_(function),
          text_(*function.text),
          frame_(program, function, symbols) {}

    void run() {
        split();
        for (std::size_t s = 0; s < ranges_.size(); ++s) segment(static_cast<int>(s));
        frame_.finish();
        function_.segments = std::move(segments_);
        mark_exits();
        correct_clocks();
    }

private:
    struct Range {
        int first, last;  // in body
        bool leaves;      // the last instruction leaves
        int meet = -1;
    };

    // A row's meaning depends on the form where an opcode has several (bar).
    static Leaves leaves_of(const ptx::Instruction& text) {
        if (text.opcode == "bar")
            return text.has("warp") ? Leaves::warp_sync : Leaves::barrier;
        for (const Op* op : ops_named(text.opcode))
            if (op->leaves != Leaves::straight) return op->leaves;
        return Leaves::straight;
    }

    // Lanes that part here come back to this instruction: nothing may run before it
    // again.
    bool stands_alone(const ptx::Instruction& text) const {
        const Leaves leaves = leaves_of(text);
        if (leaves == Leaves::straight || leaves == Leaves::branch ||
            leaves == Leaves::exit || leaves == Leaves::ret || leaves == Leaves::trap)
            return false;
        if (text.guard.kind == Operand::Kind::reg) return true;
        if (leaves == Leaves::call)
            return std::ranges::any_of(text.operands, [](const Operand& operand) {
                return operand.kind == Operand::Kind::reg;
            });
        return leaves == Leaves::warp_sync && !text.operands.empty() &&
               text.operands.back().kind == Operand::Kind::reg &&
               !is_fixed(text.operands.back());
    }

    // Written once, with a number.
    bool is_fixed(const Operand& operand) const {
        return frame_.written_once(operand) &&
               std::ranges::any_of(text_.body, [&](const ptx::Instruction& text) {
                   return text.opcode == "mov" && text.operands.size() == 2 &&
                          text.operands[0].index == operand.index &&
                          text.operands[1].kind == Operand::Kind::integer;
               });
    }

    void split() {
        const ptx::Flow flow = ptx::flow_of(text_);
        segment_of_.assign(text_.body.size(), -1);
        std::vector<int> first_segment(flow.blocks.size());
        for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
            first_segment[b] = static_cast<int>(ranges_.size());
            int first = flow.blocks[b].first;
            for (int i = first; i < flow.blocks[b].last; ++i) {
                const bool leaves = leaves_of(text_.body[i]) != Leaves::straight;
                if (first < i && stands_alone(text_.body[i])) {
                    ranges_.push_back({first, i, false});
                    first = i;
                }
                if (!leaves && i + 1 < flow.blocks[b].last) continue;
                ranges_.push_back({first, i + 1, leaves});
                first = i + 1;
            }
        }
        for (std::size_t b = 0, s = 0; b < flow.blocks.size(); ++b)
            for (; s < ranges_.size() && ranges_[s].first < flow.blocks[b].last; ++s) {
                const int meet = flow.blocks[b].meet;
                ranges_[s].meet = meet < 0 ? -1 : first_segment[meet];
                segment_of_[ranges_[s].first] = static_cast<int>(s);
            }
    }

    void segment(int s) {
        const Range& range = ranges_[s];
        Segment segment;
        segment.first = static_cast<std::uint32_t>(function_.insts.size());
        segment.issued = static_cast<std::uint32_t>(range.last - range.first);
        segment.next = s + 1 < static_cast<int>(ranges_.size()) ? s + 1 : -1;
        segment.meet = range.meet;
        segment.source = static_cast<std::uint32_t>(range.first);
        const int straight = range.leaves ? range.last - 1 : range.last;
        for (int i = range.first; i < straight; ++i) instruction(i, i - range.first);
        if (range.leaves)
            leave(range.last - 1, segment);
        else
            segment.last = static_cast<std::uint32_t>(function_.insts.size());
        segments_.push_back(segment);
    }

    void emit(Inst inst, int source, int position) {
        guard(inst, text_.body[source].guard);
        add_prelude(source, position);
        inst.source = static_cast<std::uint32_t>(source);
        function_.insts.push_back(inst);
        positions_.push_back(position);
    }

    void add_prelude(int source, int position) {
        for (Inst& before : frame_.prelude) {
            before.source = static_cast<std::uint32_t>(source);
            function_.insts.push_back(before);
            positions_.push_back(position);
        }
        frame_.prelude.clear();
    }

    void guard(Inst& inst, const Operand& guard) {
        if (guard.kind != Operand::Kind::reg) return;
        Operand plain = guard;
        plain.negated = false;
        inst.guard = frame_.slot(plain, Type::pred);
        inst.guard_flip = guard.negated ? all_lanes : 0;
    }

    void instruction(int i, int position) {
        const ptx::Instruction& text = text_.body[i];
        function_.order_matters |= depends_on_order(text);
        function_.looks_at_clock |= looks_at_clock(text);
        try {
            if (settled(text, i, position)) return;
            emit(from_table(text), i, position);
        } catch (const Unsupported& unsupported) {
            frame_.prelude.clear();
            Inst inst;
            make_unsupported(program_, inst, unsupported.why);
            emit(inst, i, position);
        }
    }

    void leave(int i, Segment& segment) {
        const ptx::Instruction& text = text_.body[i];
        segment.leaves = leaves_of(text);
        Inst inst;
        try {
            if (segment.leaves == Leaves::warp_sync) {
                inst = from_table(text);
            } else {
                decode_control(program_, function_, frame_, {segment_of_, text_}, text,
                               segment, inst);
            }
        } catch (const Unsupported& unsupported) {
            frame_.prelude.clear();
            inst = Inst{};
            make_unsupported(program_, inst, unsupported.why);
            emit(inst, i, static_cast<int>(segment.issued) - 1);
            segment.leaves = Leaves::straight;
            segment.last = static_cast<std::uint32_t>(function_.insts.size());
            return;
        }
        emit(inst, i, static_cast<int>(segment.issued) - 1);
        segment.last = static_cast<std::uint32_t>(function_.insts.size()) - 1;
        if (segment.leaves == Leaves::branch && segment.target >= 0 &&
            segment.target <= static_cast<int>(segments_.size())) {
            segment.backward = true;
            segment.spins = waits_in_loop(text_, ranges_[segment.target].first, i);
        }
    }

    // The first row that binds.
    Inst from_table(const ptx::Instruction& text) {
        std::string why = "this instruction";
        bool form_known = false;
        for (const Op* op : ops_named(text.opcode)) {
            if (!op->bind) continue;
            Inst inst;
            Form form{text};
            form.result_unused =
                !text.operands.empty() && frame_.never_read(text.operands[0]);
            frame_.prelude.clear();
            try {
                Resolver resolver(program_, frame_, form, inst);
                resolver.run(op->signature);
                form.wide_operands = resolver.wide_operands();
                const Bound bound = op->bind(form);
                if (!bound.run) {
                    form_known = true;
                    continue;
                }
                inst.run = bound.run;
                if (resolver.has_address())
                    inst.site = program_.sites++;
                else
                    inst.imm = bound.imm;
                return inst;
            } catch (const Unsupported& unsupported) {
                why = unsupported.why;
            }
        }
        throw Unsupported{form_known ? "this form of the instruction" : why};
    }

    // Moves from special registers, kernel parameters, constants.
    bool settled(const ptx::Instruction& text, int i, int position) {
        if (text.operands.size() != 2) return false;
        const Operand &d = text.operands[0], &a = text.operands[1];
        if (text.opcode == "mov" && d.kind == Operand::Kind::reg)
            return settled_move(d, a, text, i, position);
        if (text.opcode == "cvta" && !text.has("shared") && !text.has("local") &&
            frame_.is_constant(a))
            return frame_.bind_constant(d, frame_.slot(a, Type::none));
        if (reads_parameter(text)) return settled_parameter(text, i, position);
        return false;
    }

    bool settled_move(const Operand& d, const Operand& a, const ptx::Instruction& text,
                      int i, int position) {
        const Holds holds = frame_.holds(d);
        if (holds != Holds::narrow && holds != Holds::wide) return false;
        const bool wide = holds == Holds::wide;
        if (a.kind == Operand::Kind::special) {
            if (const int k = grid_size_component(a.name);
                k >= 0 && frame_.written_once(d))
                if (frame_.bind_constant(d, frame_.grid_size(k, wide))) return true;
            const Special* special = special_named(a.name);
            if (!special) throw Unsupported{"the special register " + a.name};
            Inst inst;
            inst.run = wide ? special->wide : special->narrow;
            inst.slot[0] = frame_.slot(d, Type::none);
            emit(inst, i, position);
            return true;
        }
        const bool fixed = a.kind == Operand::Kind::integer ||
                           a.kind == Operand::Kind::real ||
                           a.kind == Operand::Kind::symbol;
        const Type type = Form{text}.type();
        if (!fixed || !frame_.written_once(d) || holding(type) != holds) return false;
        if (a.kind == Operand::Kind::symbol && frame_.argument_offset(a.name) < 0 &&
            is_depot(a.name))
            return false;  // differs from call to call
        return frame_.bind_constant(d, frame_.slot(a, type));
    }

    bool is_depot(const std::string& name) const {
        return std::ranges::any_of(text_.locals, [&](const ptx::Variable& v) {
            return v.space == ptx::Space::local && v.name == name;
        });
    }

    bool settled_parameter(const ptx::Instruction& text, int i, int position) {
        const Operand& d = text.operands[0];
        const Operand& a = text.operands[1];
        if (a.items.empty()) return false;
        const Operand& base = a.items[0];
        if (base.kind != Operand::Kind::symbol) {  // an address made with cvta or mov
            ptx::Instruction as_constant = text;
            for (std::string& modifier : as_constant.modifiers)
                if (modifier.starts_with("param")) modifier = "const";
            emit(from_table(as_constant), i, position);
            return true;
        }
        const std::int64_t offset = frame_.argument_offset(base.name);
        const Type type = Form{text}.type();
        const int bytes = ptx::size_of(type);
        if (offset < 0 || bytes > 8) return false;
        const bool many = d.kind == Operand::Kind::vector;
        const int n = many ? static_cast<int>(d.items.size()) : 1;
        const bool is_signed = type >= Type::s8 && type <= Type::s64;
        for (int k = 0; k < n; ++k) {
            const Operand& to = many ? d.items[k] : d;
            if (to.kind != Operand::Kind::reg) continue;
            const bool wide = frame_.holds(to) == Holds::wide;
            const std::int32_t from = frame_.argument(
                static_cast<std::uint64_t>(offset + base.offset + a.offset + k * bytes),
                bytes, is_signed, wide);
            if (frame_.bind_constant(to, from)) continue;
            Inst inst;
            inst.run = wide ? copy<std::uint64_t> : copy<std::uint32_t>;
            inst.slot[0] = frame_.slot(to, Type::none);
            inst.slot[1] = from;
            emit(inst, i, position);
        }
        return true;
    }

    void mark_exits() {
        if (!text_.is_entry) return;
        for (Segment& segment : function_.segments) {
            if (segment.leaves != Leaves::branch) continue;
            if (segment.target < 0) {
                segment.ends = true;
                continue;
            }
            const Segment& target = function_.segments[segment.target];
            segment.ends =
                target.first == target.last && target.issued == 1 &&
                (target.leaves == Leaves::ret || target.leaves == Leaves::exit) &&
                function_.insts[target.last].guard == 0 &&
                function_.insts[target.last].guard_flip == 0;
        }
    }

    // Segments count their instructions on entry; a clock reads what has run so far.
    void correct_clocks() {
        for (const Segment& segment : function_.segments)
            for (std::uint32_t i = segment.first; i < segment.last; ++i) {
                Inst& inst = function_.insts[i];
                const Special* clocks[] = {
                    special_named("%clock"), special_named("%clock64"),
                    special_named("%globaltimer"), special_named("%globaltimer_lo")};
                for (const Special* clock : clocks)
                    if (inst.run == clock->narrow || inst.run == clock->wide)
                        inst.imm =
                            static_cast<std::uint64_t>(positions_[i]) - segment.issued;
            }
    }

    Program& program_;
    ProgramFunction& function_;
    const ptx::Function& text_;
    FrameBuilder frame_;
    std::vector<Range> ranges_;
    std::vector<int> segment_of_;
    std::vector<Segment> segments_;
    std::vector<int> positions_;  // within the segment, by instruction
};

void unsupported(Warp& warp, const Inst& inst, LaneMask mask) {
    const auto& why = *static_cast<const std::string*>(inst.extra);
    const Program& program = *warp.block->launch->program;
    const ProgramFunction* function = owner_of(program, &inst);
    throw fault(
        warp, &inst, mask, "unsupported-instruction",
        "The emulator cannot execute `" +
            text_of(program, function->text->body[inst.source]) + "` (PTX line " +
            std::to_string(function->text->body[inst.source].ptx_line) +
            "): it does not know " + why + ".",
        "This is a limit of the emulator, not a mistake in the kernel; run it on a GPU "
        "or use another construct.");
}

}  // namespace

void make_unsupported(Program& program, Inst& inst, std::string why) {
    inst = Inst{};
    inst.run = unsupported;
    inst.extra = &program.texts.emplace_back(std::move(why));
}

void decode_function(Program& program, ProgramFunction& function,
                     const Symbols& symbols) {
    if (function.text->is_extern || function.text->body.empty()) return;
    Decoder(program, function, symbols).run();
}

}  // namespace emu
