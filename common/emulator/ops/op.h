#pragma once
// What an instruction is once decoded, and how a row of the op table describes one.
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "emulator/ptx/program.h"
#include "emulator/state/block.h"

namespace emu {

struct Inst;

// Does the op for the lanes of `mask` (never empty) and leaves the others untouched.
// May throw Fault (observe/finding.h).
using Run = void (*)(Warp& warp, const Inst& inst, LaneMask mask);

// How an instruction leaves its place. All but `straight` end a segment, and exec/ gives
// them their meaning; `warp_sync` has a Run too, called once all its lanes have arrived.
enum class Leaves : std::uint8_t {
    straight, branch, branch_table, call, ret, exit, trap,
    barrier,       // bar, barrier: of the block
    warp_sync,     // shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync, elect
    pause,         // nanosleep: lets other paths go first
};

// A decoded instruction: one cache line. Operand k of the op's signature is slot[k]: a byte
// offset into the frame (state/warp.h), or -1 where the operand is `_` or absent.
struct alignas(64) Inst {
    Run run = nullptr;
    std::int32_t slot[6] = {-1, -1, -1, -1, -1, -1};
    std::int32_t guard = 0;               // predicate slot
    LaneMask guard_flip = 0;              // all_lanes where the guard is negated
    std::uint64_t imm = 0;                // op-defined; memory ops: the byte offset
    const void* extra = nullptr;          // op-defined, owned by the Program
    std::uint32_t source = 0;             // index in ptx::Function::body
    std::uint32_t site = 0;               // memory ops: index in SiteTable; unique in Program
};

// The instruction as a row's `bind` sees it: text, with the facts that choose a handler.
struct Form {
    const ptx::Instruction& text;
    ptx::Type type(int k = 0) const;      // k-th modifier that is a type; none if absent
    bool has(std::string_view modifier) const { return text.has(modifier); }
    // Operand k of the signature is held in a wide slot. Needed by ld, st, cvt, mov only,
    // whose registers may be wider than the type (PTX ISA 9.4.1).
    // Of a V operand it is the first element's; of an M operand the base's (addresses of
    // symbols and numbers are wide).
    bool wide(int k) const { return wide_operands >> k & 1u; }
    std::uint32_t wide_operands = 0;
    // Nothing reads the destination: an `atom` is then a reduction.
    bool result_unused = false;
};

// What `bind` answers. A null `run` (with Leaves::straight) means: this form is not
// supported; decode then plants an instruction that faults when executed, by name.
struct Bound {
    Run run = nullptr;
    std::uint64_t imm = 0;                // becomes Inst::imm where there is no M operand
};

// A row of the op table: the single place that knows an op. From it come decoding, the
// reference page of supported PTX, and the message for a form that is not supported.
//
// `signature` lists the operands in the order in which PTX writes them, separated by
// commas: "d:T, a:T, b:u32". Each has a name and a type, which fixes the slot's kind and
// how an immediate is read:
//   T      first type modifier of the instruction      S   second type modifier
//   W      T with twice the bits (mul.wide)            u32 s32 b64 f32 pred ...  fixed
//   R      whatever the register is declared as (ld, st, mov, cvt)
//   M      an address [base + offset]: the base's slot; the offset goes to Inst::imm (of
//          two M operands, the first one's is its low 32 bits, the second's the high ones)
//   V      vector or single of type R: a VectorSlots in Inst::extra, always (ld.v4, st.v2,
//          mov); slot[k] is its first. Two V operands share one VectorSlots, end to end
//   L      label, function, list or table: left to exec/
// "p|q:pred" is a pair in two slots, the second -1 where absent; "[c:T]" may be absent.
struct Op {
    std::string_view name;                // opcode
    std::string_view signature;
    std::string_view manual;              // section title of the PTX ISA
    Bound (*bind)(const Form& form);
    Leaves leaves = Leaves::straight;
};

// The slots of a vector operand, in order. A sink (`_`) is -1.
//
// Parameter space (ld.param, st.param), where `lane_stride` says which kind it is:
//   0    kernel parameters: the address is a byte offset in Launch::arguments; the base's
//        slot is -1 for a name, whose offset is in Inst::imm, else a register
//   > 0  parameters of a call: the base's slot is where lane 0's bytes lie in the frame,
//        those of lane l lie l * lane_stride further, and Inst::imm is the offset in them
struct VectorSlots {
    int count = 0;
    std::int32_t slot[8] = {};
    bool wide[8] = {};
    std::uint32_t lane_stride = 0;
};

// Every family has one array; ops/table.cpp joins them. To add an op: its one-lane
// meaning and its row in the family's file, its cases in that family's test.
extern const std::span<const Op> integer_ops, bit_ops, logic_ops, compare_ops, float_ops, half_ops,
    math_ops, convert_ops, move_ops, memory_ops, atomic_ops, warp_ops, control_ops, async_ops;

// All rows of that opcode (add is in the integer, float and half families); decode takes
// the first whose bind answers with a Run, or whose `leaves` is not straight.
std::span<const Op* const> ops_named(std::string_view opcode);
std::span<const Op* const> all_ops();

// ---- helpers for families -------------------------------------------------------------

// The lane type that holds T: 4-byte slots for everything up to 32 bits, else 8-byte.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// Value of type T in a lane's bits, and back: low bytes, zero above.
template <class T>
using LaneBits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                 std::conditional_t<sizeof(T) == 4, std::uint32_t,
                 std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
template <class T>
inline T from_lane(Lane<T> bits) {
    return std::bit_cast<T>(static_cast<LaneBits<T>>(bits));
}
template <class T>
inline Lane<T> to_lane(T value) {
    return std::bit_cast<LaneBits<T>>(value);
}

// d[lane] = f(lane) for the lanes of mask; two loops, so that a full warp vectorises.
template <class T, class F>
inline void write_lanes(Warp& warp, std::int32_t slot, LaneMask mask, F&& f) {
    auto* d = lanes<Lane<T>>(warp, slot);
    if (mask == all_lanes) {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane) d[lane] = to_lane<T>(f(lane));
    } else {
#pragma GCC ivdep
        for (int lane = 0; lane < warp_size; ++lane)
            d[lane] = has_lane(mask, lane) ? to_lane<T>(f(lane)) : d[lane];
    }
}

}  // namespace emu
