#include "emulator/ops/convert.h"

#include <bit>
#include <cmath>

#include "emulator/ops/one_op.h"

namespace emu {
namespace {

std::uint64_t f(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t d(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr std::uint64_t nan = 0x7fffffff;

TEST_CASE("integers: truncation, extension, saturation, registers wider than the type") {
    const Case cases[] = {
        {"cvt.s64.s32", {0xffff'fffe}, ~1ull},
        {"cvt.u64.u32", {0xffff'fffe}, 0xffff'fffe},
        {"cvt.u32.u64", {0x1234'5678'9abc'def0}, 0x9abc'def0},
        {"cvt.s32.s8", {0x1280}, 0xffff'ff80},
        {"cvt.u32.u8", {0x1280}, 0x80},
        {"cvt.s32.s16", {0x1'8000}, 0xffff'8000},
        {"cvt.u16.u32", {0x1'8765}, 0x8765},
        {"cvt.u32.u16", {0xabcd'8765}, 0x8765},
        {"cvt.s64.s8", {0x80}, ~0x7full},
        {"cvt.s8.s32", {0x1ff}, 0xffff'ffff},  // extended to the register
        {"cvt.u8.u32", {0x1ff}, 0xff},
        {"cvt.u16.s8", {0x80}, 0xff80},
        {"cvt.sat.u8.s32", {0xffff'fff0}, 0},
        {"cvt.sat.u8.s32", {300}, 255},
        {"cvt.sat.s8.s32", {0xffff'ff00}, 0xffff'ff80},
        {"cvt.sat.s16.u32", {0xffff'ffff}, 0x7fff},
        {"cvt.sat.u32.s64", {~0ull}, 0},
        {"cvt.sat.s32.s64", {1ull << 40}, 0x7fff'ffff},
        {"cvt.u32.u16", {0xabcd'8765}, 0x8765, {.wide = 3}},
        {"cvt.s16.s64", {0x1'8000}, 0xffff'8000, {.wide = 2}},
        {"cvt.s16.s32", {0x1'8000}, ~0x7fffull, {.wide = 1}},
    };
    check_all(cases);
}

TEST_CASE("floats to integers: rounding, range, NaN") {
    const Case cases[] = {
        {"cvt.rzi.s32.f32", {f(-2.75f)}, 0xffff'fffe},
        {"cvt.rni.s32.f32", {f(2.5f)}, 2},
        {"cvt.rni.s32.f32", {f(-3.5f)}, 0xffff'fffc},
        {"cvt.rmi.s32.f32", {f(-2.25f)}, 0xffff'fffd},
        {"cvt.rpi.s32.f32", {f(2.25f)}, 3},
        {"cvt.rpi.s32.f32", {1}, 1},
        {"cvt.rpi.ftz.s32.f32", {1}, 0},
        {"cvt.rzi.s32.f32", {f(3e9f)}, 0x7fff'ffff},
        {"cvt.rzi.s32.f32", {f(-3e9f)}, 0x8000'0000},
        {"cvt.rzi.u32.f32", {f(-1)}, 0},
        {"cvt.rzi.u32.f32", {f(4e9f)}, 4'000'000'000},
        {"cvt.rzi.u32.f32", {f(5e9f)}, 0xffff'ffff},
        {"cvt.rzi.s32.f32", {nan}, 0},
        {"cvt.rzi.s64.f32", {nan}, 1ull << 63},
        {"cvt.rzi.u64.f32", {f(1e19f)}, 9999999980506447872ull},
        {"cvt.rzi.s64.f64", {d(-1e30)}, 1ull << 63},
        {"cvt.rzi.u64.f64", {d(1e30)}, ~0ull},
        {"cvt.rzi.u32.f64", {d(std::nan(""))}, 0x8000'0000},
        {"cvt.rni.s64.f64", {d(4503599627370497.5)}, 4503599627370498},
        {"cvt.rzi.u8.f32", {f(300)}, 255},
        {"cvt.rzi.s8.f32", {f(-300)}, 0xffff'ff80},
        {"cvt.rni.u16.f64", {d(6.5)}, 6},
        {"cvt.rzi.s32.f16", {0xc580}, 0xffff'fffb},
        {"cvt.rni.u16.bf16", {0x4020}, 2},  // 2.5
    };
    check_all(cases);
}

TEST_CASE("integers to floats round once, in every direction") {
    const Case cases[] = {
        {"cvt.rn.f32.s32", {0xffff'ffff}, f(-1)},
        {"cvt.rn.f32.u32", {0xffff'ffff}, f(0x1p32f)},
        {"cvt.rz.f32.u32", {0xffff'ffff}, f(0x1.fffffep31f)},
        {"cvt.rp.f32.s32", {16777217}, f(16777218)},
        {"cvt.rm.f32.s32", {16777219}, f(16777218)},
        // Through double this would round twice, to 2^60.
        {"cvt.rn.f32.u64", {(1ull << 60) + (1ull << 36) + 1}, f(0x1.000002p60f)},
        {"cvt.rn.f32.s64", {0 - ((1ull << 60) + (1ull << 36) + 1)}, f(-0x1.000002p60f)},
        {"cvt.rn.f64.u64", {~0ull}, d(0x1p64)},
        {"cvt.rz.f64.u64", {~0ull}, d(0x1.fffffffffffffp63)},
        {"cvt.rn.f64.s32", {0x8000'0000}, d(-0x1p31)},
        {"cvt.rn.f32.s8", {0xff80}, f(-128)},
        {"cvt.rn.f32.u16", {0xffff}, f(65535)},
        {"cvt.rn.f16.s32", {2049}, 0x6800},
        {"cvt.rp.f16.s32", {2049}, 0x6801},
        {"cvt.rn.bf16.u32", {257}, 0x4380},
        {"cvt.rn.f16.u64", {~0ull}, 0x7c00},
    };
    check_all(cases);
}

TEST_CASE("floats to floats") {
    const Case cases[] = {
        {"cvt.rn.f32.f64", {d(0x1.000001p0)}, f(1)},
        {"cvt.rz.f32.f64", {d(0x1.ffffffffp0)}, f(0x1.fffffep0f)},
        {"cvt.rp.f32.f64", {d(0x1.0000000001p0)}, f(0x1.000002p0f)},
        {"cvt.rn.ftz.f32.f64", {d(-0x1p-130)}, f(-0.0f)},
        {"cvt.rn.f32.f64", {d(std::nan(""))}, nan},
        {"cvt.f64.f32", {f(-1.5f)}, d(-1.5)},
        {"cvt.ftz.f64.f32", {1}, 0},
        {"cvt.rni.f32.f32", {f(2.5f)}, f(2)},
        {"cvt.rzi.f32.f32", {f(-2.5f)}, f(-2)},
        {"cvt.rmi.f64.f64", {d(-2.5)}, d(-3)},
        {"cvt.rpi.f32.f32", {f(-0.5f)}, f(-0.0f)},
        {"cvt.sat.f32.f32", {f(1.5f)}, f(1)},
        {"cvt.sat.f32.f32", {nan}, 0},
        {"cvt.rni.sat.f32.f32", {f(0.75f)}, f(1)},
        {"cvt.f32.f16", {0xc100}, f(-2.5f)},
        {"cvt.f32.f16", {0x7e00}, nan},
        {"cvt.f32.bf16", {0xc020}, f(-2.5f)},
        {"cvt.f64.f16", {0x0001}, d(0x1p-24)},
        {"cvt.rn.f16.f32", {f(1.00048828125f)}, 0x3c00},
        {"cvt.rp.f16.f32", {f(1.0001f)}, 0x3c01},
        {"cvt.rz.f16.f32", {f(1e9f)}, 0x7bff},
        {"cvt.rm.f16.f32", {f(-1.0001f)}, 0xbc01},
        // A double just above a tie that a float cannot tell from it.
        {"cvt.rn.f16.f64", {d(0x1.0020000000001p0)}, 0x3c01},
        {"cvt.rn.bf16.f32", {f(-3.14159f)}, 0xc049},
        {"cvt.rn.relu.bf16.f32", {f(-3.14159f)}, 0},
        {"cvt.rn.satfinite.f16.f32", {f(1e9f)}, 0x7bff},
        {"cvt.sat.f16.f16", {0x4000}, 0x3c00},
        {"cvt.rmi.f16.f16", {0xc100}, 0xc200},
        {"cvt.rna.tf32.f32", {f(0x1.002p0f)}, f(0x1.004p0f)},  // tie goes away from zero
        {"cvt.rn.tf32.f32", {f(0x1.002p0f)}, f(1)},            // tie goes to even
        {"cvt.rna.tf32.f32", {f(-0x1.0008p0f)}, f(-1)},
        {"cvt.rz.tf32.f32", {f(0x1.007ffep0f)}, f(0x1.004p0f)},
        {"cvt.rn.f16x2.f32", {f(1), f(-2)}, 0x3c00'c000},
        {"cvt.rn.relu.f16x2.f32", {f(1), f(-2)}, 0x3c00'0000},
        {"cvt.rz.bf16x2.f32", {f(1.999f), f(-1.999f)}, 0x3fff'bfff},
        {"cvt.rn.satfinite.bf16x2.f32", {f(INFINITY), f(2)}, 0x7f7f'4000},
    };
    check_all(cases);
}

TEST_CASE("cvt.pack clamps and shifts in") {
    const Case cases[] = {
        {"cvt.pack.sat.u8.s32.b32", {300, 0xffff'fff0, 0xabcd'1234}, 0x1234'ff00},
        {"cvt.pack.sat.s8.s32.b32", {300, 0xffff'ff00, 0x1234}, 0x1234'7f80},
        {"cvt.pack.sat.u16.s32", {70000, 5}, 0xffff'0005},
        {"cvt.pack.sat.s16.s32", {0xffff'0000, 5}, 0x8000'0005},
        {"cvt.pack.sat.u4.s32.b32", {99, 3, 0x77}, 0x77f3},
    };
    check_all(cases);
}

TEST_CASE(
    "every float and half survives a trip through the slow path like the fast one") {
    std::mt19937 random(29);
    for (const char* type : {"f16", "bf16"})
        for (const char* rounding : {"rz", "rm", "rp"}) {
            OneOp op(std::string("cvt.") + rounding + "." + type + ".f32");
            for (unsigned bits = 0; bits < 0x7c00; bits += 3) {
                const bool f16 = type[0] == 'f';
                const float x = f16 ? to_float(F16{std::uint16_t(bits)})
                                    : to_float(BF16{std::uint16_t(bits)});
                // Exact values stay; a little more goes up or stays, by direction.
                op.set(1, 2, f(x)), op.set(1, 3, f(std::nextafter(x, INFINITY)));
                op.run(all_lanes);
                REQUIRE(op.get(0, 2) == bits);
                REQUIRE(op.get(0, 3) == bits + (rounding[1] == 'p'));
            }
        }
}

}  // namespace
}  // namespace emu
