#include "emulator/ops/one_op.h"

namespace emu {
namespace {

TEST_CASE("logic and shifts give the manual's results at the edges") {
    const Case cases[] = {
        {"and.b32", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
        {"or.b16", {0xf00f, 0x0330}, 0xf33f},
        {"xor.b64", {0xffff'0000'ffff'0000, 0x1}, 0xffff'0000'ffff'0001},
        {"not.b32", {0x0f0f0f0f}, 0xf0f0f0f0},
        {"not.b16", {0x1}, 0xfffe},
        {"not.b64", {0x1}, ~1ull},
        {"cnot.b32", {0}, 1},
        {"cnot.b32", {12}, 0},
        {"and.pred", {1, 1}, 1},
        {"or.pred", {0, 1}, 1},
        {"xor.pred", {1, 1}, 0},
        {"not.pred", {0}, 1},
        {"shl.b32", {3, 31}, 0x80000000},
        {"shl.b32", {3, 32}, 0},
        {"shl.b64", {3, 63}, 1ull << 63},
        {"shl.b16", {0x8001, 1}, 2},
        {"shr.u32", {0x80000000, 31}, 1},
        {"shr.u32", {0x80000000, 32}, 0},
        {"shr.s32", {0x80000000, 77}, 0xffffffff},
        {"shr.s16", {0x8000, 15}, 0xffff},
        {"shr.b16", {0x8000, 15}, 1},
        {"shr.s64", {1ull << 63, 62}, ~1ull},
        {"shf.l.clamp.b32", {0xaaaaaaaa, 0x0000000f, 8}, 0x00000faa},
        {"shf.l.clamp.b32", {0x12345678, 0x0000000f, 40}, 0x12345678},
        {"shf.l.wrap.b32", {0x12345678, 0x0000000f, 40}, 0x00000f12},
        {"shf.r.clamp.b32", {0x12345678, 0x000000ab, 8}, 0xab123456},
        {"shf.r.clamp.b32", {0x12345678, 0x000000ab, 99}, 0x000000ab},
        {"shf.r.wrap.b32", {0x12345678, 0x000000ab, 36}, 0xb1234567},
        // b:a is bytes 77 66 55 44 33 22 11 88 from 7 down to 0; byte 0 has its top bit
        // set.
        {"prmt.b32", {0x33221188, 0x77665544, 0x7531}, 0x77553311},
        {"prmt.b32", {0x33221188, 0x77665544, 0x8f08}, 0xff0088ff},
        {"prmt.b32.f4e", {0x33221100, 0x77665544, 3}, 0x66554433},
        {"prmt.b32.b4e", {0x33221100, 0x77665544, 1}, 0x66770011},
        {"prmt.b32.rc8", {0x33221100, 0x77665544, 2}, 0x22222222},
        {"prmt.b32.ecl", {0x33221100, 0x77665544, 1}, 0x33221111},
        {"prmt.b32.ecr", {0x33221100, 0x77665544, 2}, 0x22221100},
        {"prmt.b32.rc16", {0x33221100, 0x77665544, 3}, 0x33223322},
    };
    check_all(cases);
}

TEST_CASE("lop3 looks every triple of bits up in its table") {
    // The manual's recipe: the table is the function of 0xf0, 0xcc, 0xaa.
    const std::uint64_t a = 0x1234'5678, b = 0xdead'beef, c = 0x0ff1'ce55;
    check_case({"lop3.b32",
                {a, b, c, 0},
                (a & b) | (~c & 0xffffffff),
                {.table = ((0xf0u & 0xccu) | ~0xaau) & 0xffu}});
    check_case({"lop3.b32", {a, b, c, 0}, a ^ b ^ c, {.table = 0xf0 ^ 0xcc ^ 0xaa}});
    for (unsigned table = 0; table < 256; ++table) {
        std::uint64_t expected = 0;
        for (int bit = 0; bit < 32; ++bit) {
            const unsigned at =
                (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
            expected |= std::uint64_t(table >> at & 1) << bit;
        }
        check_case({"lop3.b32", {a, b, c, 0}, expected, {.table = table}});
    }
}

}  // namespace
}  // namespace emu
