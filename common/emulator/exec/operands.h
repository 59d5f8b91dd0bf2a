#pragma once
// Gives the operands of one function their places in its frame.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/exec/program.h"

namespace emu {

// The reason why an instruction cannot be decoded: a sentence's end, for the finding.
struct Unsupported {
    std::string why;
};

// How a value is held in a frame.
enum class Holds : std::uint8_t { predicate, narrow, wide, quad };

Holds holding(ptx::Type type);

// What symbols stand for. Shared variables get an offset in the block's shared memory.
struct Symbols {
    const Program& program;
    std::map<std::string, std::uint64_t, std::less<>> shared;
    std::map<std::string, bool, std::less<>> dynamic_shared;  // extern arrays
};

class FrameBuilder {
public:
    FrameBuilder(Program& program, ProgramFunction& function, const Symbols& symbols);

    // The operand's slot, as a value of `type`. Negated predicates and special registers
    // need an instruction of their own first, which goes to `prelude`.
    std::int32_t slot(const ptx::Operand& operand, ptx::Type type);
    // The same for a register that may be wider than `type`.
    std::int32_t loose_slot(const ptx::Operand& operand, ptx::Type type, bool& wide);
    // A base address; `offset` is what must be added.
    std::int32_t base(const ptx::Operand& operand, bool& wide, std::uint64_t& offset);
    std::int32_t constant(std::uint64_t bits, bool wide);
    std::int32_t take(Holds holds);
    std::int32_t take_parameter(std::uint32_t bytes, ParameterPlace& place);

    // The call parameter that a symbol names in this function; null if it is none.
    const ParameterPlace* parameter(std::string_view name) const;
    // Byte offset of a kernel parameter; -1 if the name is none.
    std::int64_t argument_offset(std::string_view name) const;
    std::int32_t argument(std::uint64_t offset, int bytes, bool is_signed, bool wide);
    std::int32_t grid_size(int component, bool wide);

    // A register that is written once, with what the launch fixes, lives in the frame's
    // constant part: its instruction costs nothing.
    bool bind_constant(const ptx::Operand& destination, std::int32_t slot);
    bool is_constant(const ptx::Operand& operand) const;
    bool written_once(const ptx::Operand& operand) const;
    bool never_read(const ptx::Operand& operand) const;

    Holds holds(const ptx::Operand& reg) const;
    void finish();  // sizes the frame, lists what is live on entry

    std::vector<Inst> prelude;

private:
    void place_variables();
    void count_uses();
    void find_live_in();
    std::int32_t register_slot(int index);
    std::int32_t filled(Fill fill);
    std::int32_t symbol(const ptx::Operand& operand, bool wide);

    Program& program_;
    ProgramFunction& function_;
    const Symbols& symbols_;
    std::vector<std::int32_t> register_slots_;  // -1: not placed yet
    std::vector<bool> constant_;
    std::vector<int> reads_, writes_;
    std::map<std::string, std::uint64_t, std::less<>> locals_;
    std::map<std::string, ParameterPlace, std::less<>> parameters_;
    std::map<std::string, std::uint64_t, std::less<>> arguments_;
    std::map<std::tuple<int, bool, bool, int, std::uint64_t>, std::int32_t> fills_;
    std::int32_t next_predicate_ = 0, predicate_end_ = 0;
    std::int32_t top_ = 0;
};

// Registers that an instruction reads and writes, as text has them.
struct Uses {
    std::vector<int> reads, writes;
};
Uses uses_of(const ptx::Instruction& instruction);

}  // namespace emu
