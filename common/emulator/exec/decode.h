#pragma once
// The parts of decoding, for decode.cpp and its tests.
#include "emulator/exec/operands.h"

namespace emu {

// One function: instructions, segments, frame.
void decode_function(Program& program, ProgramFunction& function, const Symbols& symbols);

// Does the loop [first, last] of a function's body end only when another thread acts? Its
// exits then depend on an atomic or a volatile load inside it.
bool waits_in_loop(const ptx::Function& function, int first, int last);

// May the result of this instruction, or what others see, depend on the order in which
// blocks run?
bool depends_on_order(const ptx::Instruction& instruction);

// Reads a clock or a timer.
bool looks_at_clock(const ptx::Instruction& instruction);

// Which segment-ending meaning a control instruction has; fills in Inst and Segment.
struct Labels {
    const std::vector<int>& segment_of;  // by index in body; one past the end is -1
    const ptx::Function& function;
    int at(std::string_view label) const;
};
void decode_control(Program& program, ProgramFunction& function, FrameBuilder& frame,
                    const Labels& labels, const ptx::Instruction& text, Segment& segment,
                    Inst& inst);

// Plants an instruction that faults when it is executed.
void make_unsupported(Program& program, Inst& inst, std::string why);

}  // namespace emu
