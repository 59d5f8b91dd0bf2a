#include <doctest/doctest.h>

#include "emulator/ptx/program.h"

using namespace emu::ptx;
using Kind = Operand::Kind;

namespace {

Function read(const std::string& body) {
    Module module =
        parse(".version 9.0\n.target sm_90\n.entry k(.param .u64 a) {\n" + body + "\n}");
    for (const Problem& problem : module.problems) MESSAGE(problem.message);
    REQUIRE(module.problems.empty());
    REQUIRE(module.functions.size() == 1);
    return module.functions[0];
}

const std::string registers =
    ".reg .pred %p<4>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 "
    "%rd<9>;\n";

}  // namespace

TEST_CASE("only registers that are used exist") {
    const Function k =
        read(registers + "add.s32 %r7, %r3, %r7; .reg .b32 temp_param_reg;");
    REQUIRE(k.registers.size() == 2);
    CHECK(k.registers[0].name == "%r7");
    CHECK(k.registers[1].name == "%r3");
}

TEST_CASE("names outside a declared range are not registers") {
    const Function k = read(".reg .b32 %r<5>; mov.b32 %r4, %r5; mov.b32 %r4, %r04;");
    CHECK(k.body[0].operands[0].kind == Kind::reg);
    CHECK(k.body[0].operands[1].kind == Kind::special);
    CHECK(k.body[1].operands[1].kind == Kind::special);
}

TEST_CASE("a register of an inner scope hides the outer one") {
    const Function k = read(
        ".reg .b32 t; mov.b32 t, 1;\n{ .reg .f32 t; mov.b32 t, 2; { .reg .b32 t; mov.b32 "
        "t, 3; }\n"
        "mov.b32 t, 4; }\nmov.b32 t, 5;");
    const auto index = [&](int i) { return k.body[i].operands[0].index; };
    CHECK(k.registers.size() == 3);
    CHECK(index(0) == index(4));
    CHECK(index(1) == index(3));
    CHECK(index(0) != index(1));
    CHECK(index(2) != index(0));
    CHECK(index(2) != index(1));
    CHECK(k.registers[index(1)].type == Type::f32);
}

TEST_CASE("scopes that follow each other share registers of one name and type only") {
    const Function k = read(
        "{ .reg .b32 t; mov.b32 t, 1; } { .reg .b32 t; mov.b32 t, 2; }\n"
        "{ .reg .b64 t; mov.b64 t, 3; }");
    CHECK(k.body[0].operands[0].index == k.body[1].operands[0].index);
    CHECK(k.body[0].operands[0].index != k.body[2].operands[0].index);
}

TEST_CASE("labels of inner scopes stay apart, before and after them") {
    const Function k = read(registers +
                            "bra L;\n{ @%p1 bra L; add.s32 %r1, %r1, 1; L: }\n"
                            "{ L: @%p1 bra L; bra OUT; }\nL: ret; OUT:");
    CHECK(k.labels.size() == 4);
    const auto target = [&](int i) { return k.labels.at(k.body[i].operands[0].name); };
    CHECK(target(0) == 5);
    CHECK(target(1) == 3);
    CHECK(target(3) == 3);
    CHECK(target(4) == 6);
    CHECK(k.labels.at("L") == 5);
}

TEST_CASE("locals are renamed where names collide, and so are their uses") {
    const Function k = read(registers +
                            ".shared .align 4 .b8 s[16]; mov.u32 %r1, s;\n"
                            "{ .shared .f64 s; mov.u32 %r2, s+4; st.shared.f64 [s], "
                            "%rd1; }\nmov.u32 %r3, s;");
    REQUIRE(k.locals.size() == 2);
    CHECK(k.locals[0].name == "s");
    CHECK(k.locals[0].bytes == 16);
    CHECK(k.locals[1].name != "s");
    CHECK(k.locals[1].type == Type::f64);
    CHECK(k.body[0].operands[1].name == "s");
    CHECK(k.body[1].operands[1].name == k.locals[1].name);
    CHECK(k.body[1].operands[1].offset == 4);
    CHECK(k.body[2].operands[0].items[0].name == k.locals[1].name);
    CHECK(k.body[3].operands[1].name == "s");
}

TEST_CASE("parameters of another size are not shared") {
    const Function k = read(
        "{ .param .b8 p[4]; st.param.b32 [p], 1; }\n"
        "{ .param .b8 p[8]; st.param.b64 [p], 2; }");
    REQUIRE(k.locals.size() == 2);
    CHECK(k.body[0].operands[0].items[0].name == k.locals[0].name);
    CHECK(k.body[1].operands[0].items[0].name == k.locals[1].name);
    CHECK(k.locals[0].name != k.locals[1].name);
}

TEST_CASE("vector registers are registers side by side") {
    const Function k =
        read(".reg .v2 .f32 v; ld.global.v2.f32 v, [a]; add.f32 v.x, v.y, v.r;");
    REQUIRE(k.body[0].operands[0].kind == Kind::vector);
    const auto& items = k.body[0].operands[0].items;
    REQUIRE(items.size() == 2);
    CHECK(items[0].index == k.body[1].operands[0].index);
    CHECK(items[1].index == k.body[1].operands[1].index);
    CHECK(items[0].index == k.body[1].operands[2].index);
}
