#pragma once
// A decoded module: what the executor runs. Made once by decode.cpp, then read only, by
// all host threads at once.
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ops/op.h"
#include "emulator/ptx/program.h"

namespace emu {

// Function addresses are values of their own: nothing can be read or written there.
constexpr std::uint64_t function_window = 0x0300'0000'0000;
constexpr std::uint64_t function_spacing = 16;

// Instructions [first, last) run one after the other; then comes what `leaves` says, by
// the instruction at `last`. Leaves::straight: there is none, control goes on at `next`.
struct Segment {
    std::uint32_t first = 0, last = 0;
    std::uint32_t issued = 0;  // PTX instructions, the leaving one included
    Leaves leaves = Leaves::straight;
    bool backward = false;     // a branch to this segment or one before it
    bool spins = false;        // ... round a loop that waits for another thread
    bool ends = false;         // a branch to where the kernel's threads just exit:
                               // machine code exits at the branch itself
    std::uint32_t source = 0;  // its first instruction's index in the body
    std::int32_t next = -1;    // falls through to; -1: the function's end
    std::int32_t target = -1;  // of a branch
    std::int32_t meet = -1;    // where lanes that part here meet; -1: at the end
};

// A parameter in a frame: lane l's bytes are at slot + l * stride.
struct ParameterPlace {
    std::int32_t slot = 0;
    std::uint32_t stride = 0, bytes = 0;
};

// Functions that the device's system software provides.
enum class SystemCall : std::uint8_t { none, print, assert_fail, allocate, release };

struct CallSite {
    int callee = -1;            // index in Program::functions; -1: by address or absent
    std::int32_t address = -1;  // wide slot of an indirect call's target
    std::string name;           // of a direct call's target
    SystemCall system = SystemCall::none;
    std::vector<ParameterPlace> arguments, results;  // in the caller's frame
};

struct BranchTable {
    std::int32_t index = 0;             // narrow slot
    std::vector<std::int32_t> targets;  // segments
};

// bar and barrier (PTX ISA, "barrier"): operands are slots, -1 where absent.
struct BarrierUse {
    enum class Does : std::uint8_t { sync, arrive, popc, all, any };
    Does does = Does::sync;
    bool aligned = true;
    std::int32_t number = -1, threads = -1;
    std::int32_t result = -1;  // narrow of popc, else a predicate
    std::int32_t vote = -1;    // predicate
};

// What a frame holds before its first instruction.
struct Fill {
    enum class From : std::uint8_t {
        value,           // bits
        predicate,       // bits, as a lane mask
        local,           // address of the activation's depot + bits
        dynamic_shared,  // address of the launch's dynamic shared memory + bits
        argument,        // `bytes` of the launch's arguments at `bits`
        arguments,       // device address of the launch's arguments + bits
        grid_size,       // component `bits` of %ntid (0..2) or %nctaid (3..5)
    };
    From from = From::value;
    bool wide = false, is_signed = false;
    std::uint8_t bytes = 0;
    std::int32_t slot = 0;
    std::uint64_t bits = 0;
};

struct ProgramFunction {
    std::string name;
    const ptx::Function* text = nullptr;
    std::vector<Inst> insts;
    std::vector<Segment> segments;  // the first is the entry
    std::uint32_t frame_bytes = 0;
    std::vector<Fill> fills;
    std::vector<ParameterPlace> params, returns;  // of a .func
    std::uint32_t depot_bytes = 0;  // local memory of one activation, a multiple of 16
    std::vector<std::pair<std::int32_t, std::int32_t>> live_in;  // (slot, bytes): perhaps
                                                                 // read before written
    std::vector<int> callees;
    bool calls_by_address = false;
    bool argument_address = false;  // takes the address of a kernel parameter
    bool order_matters = false;     // see `ordered`
    bool looks_at_clock = false;    // see `timed`
    // Kernels only, over all that they may call.
    bool ordered = false;  // blocks must run one after the other to be repeatable
    bool timed = false;    // a loop that seems to wait may end when time has passed
    bool calls = false;
    std::vector<int> reachable;        // functions, itself included
    std::uint32_t static_shared = 0;   // bytes
    std::uint32_t dynamic_align = 16;  // of its extern arrays
    std::vector<SharedArray> shared_arrays;
};

struct Program {
    ptx::Module module;
    std::vector<ProgramFunction> functions;
    std::map<std::string, int, std::less<>> by_name;
    std::map<std::string, std::uint64_t, std::less<>> addresses;  // of .global and .const
    std::uint32_t sites = 0;

    std::deque<VectorSlots> vectors;
    std::deque<CallSite> calls;
    std::deque<BranchTable> tables;
    std::deque<BarrierUse> barriers;
    std::deque<std::string> texts;  // of instructions that fault when executed

    const ProgramFunction* function(std::string_view name) const;
    // Which function an address of the function window names; -1: none.
    int function_at(std::uint64_t address) const;
};

// Where an instruction is in the learner's source. Of code that the compiler inlined it
// is the place in the file of the outermost caller.
struct SourcePlace {
    std::string file;  // empty where unknown
    int line = 0;
    int ptx_line = 0;
    std::string text() const;  // "saxpy.cu:12", or "PTX line 40"
};
SourcePlace place_of(const Program& program, const ProgramFunction& function,
                     std::uint32_t source);

// Finds function and place of an instruction from its address in the program.
const ProgramFunction* owner_of(const Program& program, const Inst* inst);

// The line of PTX that an instruction begins on, for messages.
std::string text_of(const Program& program, const ptx::Instruction& instruction);

// Never throws: an instruction that cannot be decoded faults when it is executed.
// `addresses` has every .global and .const variable that the program may name.
void decode(Program& program);

}  // namespace emu
