// Bitwise logic, shifts, byte permutation. PTX ISA 9.0, section 9.7.8.
//
// The same names work on predicates, where a register is one LaneMask: those rows are
// plain word operations, blended into the lanes that run.
#include "emulator/ops/bind.h"

namespace emu {
namespace {

using u16 = std::uint16_t; using u32 = std::uint32_t; using u64 = std::uint64_t;
using s16 = std::int16_t;  using s32 = std::int32_t;  using s64 = std::int64_t;

struct And { template <class T> T operator()(T a, T b) const { return a & b; } };
struct Or { template <class T> T operator()(T a, T b) const { return a | b; } };
struct Xor { template <class T> T operator()(T a, T b) const { return a ^ b; } };
struct Not { template <class T> T operator()(T a) const { return T(~a); } };
struct Cnot { template <class T> T operator()(T a) const { return a == 0; } };

// Amounts beyond the width give what shifting one by one would give.
struct Shl {
    template <class T> T operator()(T a, u32 n) const {
        constexpr u32 width = 8 * sizeof(T);
        return n < width ? T(a << (n & (width - 1))) : T(0);
    }
};
struct Shr {
    template <class T> T operator()(T a, u32 n) const {
        constexpr u32 width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>) return T(a >> (n < width ? n : width - 1));
        else return n < width ? T(a >> (n & (width - 1))) : T(0);
    }
};
// Of the 64 bits b:a, the upper word after a shift to the left, or the lower after right.
template <bool left, bool wraps> struct Shf {
    u32 operator()(u32 a, u32 b, u32 c) const {
        const u32 n = wraps ? c & 31u : c < 32u ? c : 32u;
        const u64 both = u64(b) << 32 | a;
        return u32(left ? both << n >> 32 : both >> n);
    }
};

// Any function of three bits: `table` bit 4a + 2b + c, here one word a bit, all or none.
struct Lop3 {
    explicit Lop3(u64 table) {
        for (int k = 0; k < 4; ++k) {
            zero[k] = table >> (2 * k) & 1 ? ~0u : 0u;
            flip[k] = zero[k] ^ (table >> (2 * k + 1) & 1 ? ~0u : 0u);
        }
    }
    u32 operator()(u32 a, u32 b, u32 c) const {
        const u32 low = pick(b, zero[0] ^ (c & flip[0]), zero[1] ^ (c & flip[1]));
        const u32 high = pick(b, zero[2] ^ (c & flip[2]), zero[3] ^ (c & flip[3]));
        return pick(a, low, high);
    }
    static u32 pick(u32 by, u32 clear, u32 set) { return clear ^ (by & (clear ^ set)); }
    u32 zero[4], flip[4];  // by a and b: the result for c = 0, and whether c = 1 differs
};

// Byte k of the result is byte s of b:a, where s is nibble k of the selector; its top bit
// asks for the byte's sign instead.
struct Prmt {
    u32 operator()(u32 a, u32 b, u32 selector) const {
        const u64 both = u64(b) << 32 | a;
        u32 d = 0;
        for (int k = 0; k < 4; ++k) {
            const u32 nibble = selector >> (4 * k);
            const u32 byte = u32(both >> (8 * (nibble & 7u))) & 0xffu;
            const u32 sign = byte >> 7 ? 0xffu : 0u;
            d |= (nibble & 8u ? sign : byte) << (8 * k);
        }
        return d;
    }
};
// The modes name a selector for each of the four values of c's low bits.
struct PrmtMode {
    u32 operator()(u32 a, u32 b, u32 c) const {
        return Prmt{}(a, b, u32(selectors >> (16 * (c & 3u))) & 0xffffu);
    }
    u64 selectors;
};
struct Mode { std::string_view name; u64 selectors; };
constexpr Mode prmt_modes[] = {
    {"f4e", 0x6543'5432'4321'3210},  {"b4e", 0x0123'7012'6701'5670},
    {"rc8", 0x3333'2222'1111'0000},  {"ecl", 0x3333'3222'3211'3210},
    {"ecr", 0x3210'2210'1110'0000},  {"rc16", 0x3232'1010'3232'1010},
};

// ---- predicates -----------------------------------------------------------------------
template <class F>
void predicate_binary(Warp& warp, const Inst& in, LaneMask mask) {
    const LaneMask a = predicate(warp, in.slot[1]), b = predicate(warp, in.slot[2]);
    write_predicate(warp, in.slot[0], mask, F{}(a, b));
}
void predicate_not(Warp& warp, const Inst& in, LaneMask mask) {
    write_predicate(warp, in.slot[0], mask, ~predicate(warp, in.slot[1]));
}

template <class F>
Bound bind_bits(const Form& form) {
    if (form.type() == ptx::Type::pred) return {predicate_binary<F>};
    return binary_of<F, u16, u32, u64>(form.type());
}
Bound bind_not(const Form& form) {
    if (form.type() == ptx::Type::pred) return {predicate_not};
    return unary_of<Not, u16, u32, u64>(form.type());
}
Bound bind_cnot(const Form& form) { return unary_of<Cnot, u16, u32, u64>(form.type()); }

template <class F, class... Ts>
Bound shift_of(ptx::Type type) {
    Bound bound;
    ((is<Ts>(type) ? void(bound.run = each<F, Ts, Ts, u32>) : void()), ...);
    return bound;
}
Bound bind_shl(const Form& form) { return shift_of<Shl, u16, u32, u64>(form.type()); }
Bound bind_shr(const Form& form) {
    return shift_of<Shr, u16, u32, u64, s16, s32, s64>(form.type());
}
template <bool left>
Run shf_run(bool wraps) {
    return wraps ? Run(each<Shf<left, true>, u32, u32, u32, u32>)
                 : Run(each<Shf<left, false>, u32, u32, u32, u32>);
}
Bound bind_shf(const Form& form) {
    const bool wraps = form.has("wrap");
    return {form.has("l") ? shf_run<true>(wraps) : shf_run<false>(wraps)};
}
Bound bind_prmt(const Form& form) {
    for (const Mode& mode : prmt_modes)
        if (form.has(mode.name))
            return {each<PrmtMode, u32, u32, u32, u32>, mode.selectors};
    return {each<Prmt, u32, u32, u32, u32>};
}

// The table of lop3 is a constant of the instruction (PTX ISA: immLut).
bool has_table(const Form& form, int operand) {
    return operand_count(form) > operand &&
           form.text.operands[operand].kind == ptx::Operand::Kind::integer;
}
Bound bind_lop3(const Form& form) {
    if (operand_count(form) != 5 || !has_table(form, 4)) return {};
    return {each<Lop3, u32, u32, u32, u32>, form.text.operands[4].bits & 0xffu};
}

constexpr Op rows[] = {
    {"and", "d:T, a:T, b:T", "Logic and Shift Instructions: and", bind_bits<And>},
    {"or", "d:T, a:T, b:T", "Logic and Shift Instructions: or", bind_bits<Or>},
    {"xor", "d:T, a:T, b:T", "Logic and Shift Instructions: xor", bind_bits<Xor>},
    {"not", "d:T, a:T", "Logic and Shift Instructions: not", bind_not},
    {"cnot", "d:T, a:T", "Logic and Shift Instructions: cnot", bind_cnot},
    {"lop3", "d:b32, a:b32, b:b32, c:b32, table:b32",
     "Logic and Shift Instructions: lop3", bind_lop3},
    {"shf", "d:b32, a:b32, b:b32, c:u32", "Logic and Shift Instructions: shf", bind_shf},
    {"shl", "d:T, a:T, b:u32", "Logic and Shift Instructions: shl", bind_shl},
    {"shr", "d:T, a:T, b:u32", "Logic and Shift Instructions: shr", bind_shr},
    {"prmt", "d:b32, a:b32, b:b32, c:b32",
     "Data Movement and Conversion Instructions: prmt", bind_prmt},
};

}  // namespace

const std::span<const Op> logic_ops = rows;

}  // namespace emu
