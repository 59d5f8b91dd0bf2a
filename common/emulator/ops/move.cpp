// mov: copies, and packing or unpacking of vectors; cvta, isspacep: addresses of the
// generic space. PTX ISA 9.0, section 9.7.9.
//
// Special registers and addresses of symbols never arrive here: decode makes slots of
// them.
#include "emulator/mem/memory.h"
#include "emulator/ops/bind.h"

namespace emu {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::int32_t wide_slot_bytes = warp_size * 8;

void move_predicate(Warp& warp, const Inst& in, LaneMask mask) {
    write_predicate(warp, in.slot[0], mask, predicate(warp, in.slot[1]));
}
// Register to register, either of which may be wider than the type: extended with zeros.
template <class To, class From>
void copy(Warp& warp, const Inst& in, LaneMask mask) {
    const From* from = lanes<From>(warp, in.slot[1]);
    const u64 keep = in.imm;
    blend_lanes<To>(warp, in.slot[0], mask,
                    [&](int lane) { return To(from[lane] & keep); });
}
void copy_b128(Warp& warp, const Inst& in, LaneMask mask) {
    for (int half = 0; half < 2; ++half) {
        const u64* from = lanes<u64>(warp, in.slot[1] + half * wide_slot_bytes);
        blend_lanes<u64>(warp, in.slot[0] + half * wide_slot_bytes, mask,
                         [&](int lane) { return from[lane]; });
    }
}

u64 low_bits(int bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

u64 read(const Warp& warp, std::int32_t slot, bool wide, int lane) {
    return wide ? lanes<u64>(warp, slot)[lane] : lanes<u32>(warp, slot)[lane];
}
void write(Warp& warp, std::int32_t slot, bool wide, LaneMask mask, auto&& value) {
    if (wide)
        blend_lanes<u64>(warp, slot, mask, value);
    else
        blend_lanes<u32>(warp, slot, mask, [&](int lane) { return u32(value(lane)); });
}

// imm: bits of an element. The first element is the least significant.
void pack(Warp& warp, const Inst& in, LaneMask mask) {
    const auto& from = *static_cast<const VectorSlots*>(in.extra);
    const int bits = int(in.imm), whole = bits * from.count;
    const int parts = whole > 64 ? 2 : 1, each_part = from.count / parts;
    for (int part = 0; part < parts; ++part) {
        const std::int32_t to = in.slot[0] + part * wide_slot_bytes;
        write(warp, to, whole > 32, mask, [&](int lane) {
            u64 packed = 0;
            for (int k = 0; k < each_part; ++k) {
                const int at = part * each_part + k;
                packed |=
                    (read(warp, from.slot[at], from.wide[at], lane) & low_bits(bits))
                    << (bits * k % 64);
            }
            return packed;
        });
    }
}
void unpack(Warp& warp, const Inst& in, LaneMask mask) {
    const auto& to = *static_cast<const VectorSlots*>(in.extra);
    const int bits = int(in.imm), whole = bits * to.count;
    alignas(64) u64 from[2][warp_size];  // kept: an element may be the source itself
    for (int lane = 0; lane < warp_size; ++lane) {
        from[0][lane] = read(warp, in.slot[1], whole > 32, lane);
        from[1][lane] =
            whole > 64 ? lanes<u64>(warp, in.slot[1] + wide_slot_bytes)[lane] : 0;
    }
    for (int k = 0; k < to.count; ++k) {
        if (to.slot[k] < 0) continue;
        const u64* word = from[bits * k / 64];
        const int shift = bits * k % 64;
        write(warp, to.slot[k], to.wide[k], mask,
              [&](int lane) { return word[lane] >> shift & low_bits(bits); });
    }
}

// The two forms that device code is full of: 64 bits as two 32-bit registers.
void pack_two(Warp& warp, const Inst& in, LaneMask mask) {
    const auto& from = *static_cast<const VectorSlots*>(in.extra);
    const u32* low = lanes<u32>(warp, from.slot[0]);
    const u32* high = lanes<u32>(warp, from.slot[1]);
    blend_lanes<u64>(warp, in.slot[0], mask,
                     [&](int lane) { return u64(high[lane]) << 32 | low[lane]; });
}

bool is_vector(const Form& form, int operand) {
    return operand_count(form) > operand &&
           form.text.operands[operand].kind == ptx::Operand::Kind::vector;
}
int bits_of_element(const Form& form, int operand) {
    return 8 * ptx::size_of(form.type()) / int(form.text.operands[operand].items.size());
}

Bound bind_copy(const Form& form) {
    const ptx::Type type = form.type();
    if (is_vector(form, 0) || is_vector(form, 1)) return {};
    if (type == ptx::Type::pred) return {move_predicate};
    if (type == ptx::Type::b128) return {copy_b128};
    const int bytes = ptx::size_of(type);
    if (bytes == 0) return {};
    const u64 keep = low_bits(8 * bytes);
    if (form.wide(0))
        return {form.wide(1) ? Run(copy<u64, u64>) : Run(copy<u64, u32>), keep};
    return {form.wide(1) ? Run(copy<u32, u64>) : Run(copy<u32, u32>), keep};
}
Bound bind_pack(const Form& form) {
    if (!is_vector(form, 1) || is_vector(form, 0)) return {};
    const int bits = bits_of_element(form, 1);
    for (const auto& item : form.text.operands[1].items)
        if (item.kind == ptx::Operand::Kind::none) return {};
    const bool two = bits == 32 && form.text.operands[1].items.size() == 2;
    return {two ? pack_two : pack, u64(bits)};
}
Bound bind_unpack(const Form& form) {
    if (!is_vector(form, 0) || is_vector(form, 1)) return {};
    return {unpack, u64(bits_of_element(form, 0))};
}

// ---- addresses ------------------------------------------------------------------------
// Global, constant and parameter addresses are generic ones already (mem/memory.h).
struct Plus {
    u64 operator()(u64 a) const { return a + imm; }
    u64 imm;
};

bool names_space(const Form& form, std::string_view space) {
    return std::ranges::any_of(form.text.modifiers, [&](std::string_view modifier) {
        return modifier.substr(0, modifier.find("::")) == space;
    });
}
Bound bind_cvta(const Form& form) {
    if (form.type() != ptx::Type::u64) return {};
    const u64 window = names_space(form, "shared")  ? shared_window
                       : names_space(form, "local") ? local_window
                                                    : 0;
    return {each<Plus, u64, u64>, form.has("to") ? 0 - window : window};
}

bool in_window(u64 a, u64 first, u64 bytes) { return a - first < bytes; }

void in_shared(Warp& warp, const Inst& in, LaneMask mask) {
    const u64* a = lanes<u64>(warp, in.slot[1]);
    write_predicate(warp, in.slot[0], mask, lanes_where([&](int lane) {
                        return in_window(a[lane], shared_window, shared_window_bytes);
                    }));
}
void in_local(Warp& warp, const Inst& in, LaneMask mask) {
    const u64* a = lanes<u64>(warp, in.slot[1]);
    write_predicate(warp, in.slot[0], mask, lanes_where([&](int lane) {
                        return in_window(a[lane], local_window, local_window_bytes);
                    }));
}
void in_global(Warp& warp, const Inst& in, LaneMask mask) {
    const u64* a = lanes<u64>(warp, in.slot[1]);
    write_predicate(warp, in.slot[0], mask, lanes_where([&](int lane) {
                        return !in_window(a[lane], shared_window, shared_window_bytes) &&
                               !in_window(a[lane], local_window, local_window_bytes);
                    }));
}
void in_constant(Warp& warp, const Inst& in, LaneMask mask) {
    const u64* a = lanes<u64>(warp, in.slot[1]);
    const Memory& memory = *warp.block->launch->memory;
    LaneMask found = 0;
    for_each_lane(mask, [&](int lane) {
        const Allocation* at = memory.find(a[lane]);
        if (at && at->kind == Kind::constant) found |= lane_bit(lane);
    });
    write_predicate(warp, in.slot[0], mask, found);
}
Bound bind_isspacep(const Form& form) {
    if (names_space(form, "shared")) return {in_shared};
    if (names_space(form, "local")) return {in_local};
    if (names_space(form, "global")) return {in_global};
    return names_space(form, "const") ? Bound{in_constant} : Bound{};
}

constexpr Op rows[] = {
    {"mov", "d:R, a:R", "Data Movement and Conversion Instructions: mov", bind_copy},
    {"mov", "d:R, a:V", "Data Movement and Conversion Instructions: mov", bind_pack},
    {"mov", "d:V, a:R", "Data Movement and Conversion Instructions: mov", bind_unpack},
    {"cvta", "d:T, a:T", "Data Movement and Conversion Instructions: cvta", bind_cvta},
    {"isspacep", "p:pred, a:b64", "Data Movement and Conversion Instructions: isspacep",
     bind_isspacep},
};

}  // namespace

const std::span<const Op> move_ops = rows;

}  // namespace emu
