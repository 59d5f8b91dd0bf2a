#include <doctest/doctest.h>

#include "emulator/ptx/program.h"

using namespace emu::ptx;
using Kind = Operand::Kind;

namespace {

Module module_of(const std::string& body) {
    return parse(".version 9.0\n.target sm_90\n.visible .entry k(.param .u64 a) {\n" +
                 body + "\n}");
}

Function read(const std::string& body) {
    Module module = module_of(body);
    for (const Problem& problem : module.problems) MESSAGE(problem.message);
    REQUIRE(module.problems.empty());
    REQUIRE(module.functions.size() == 1);
    return module.functions[0];
}

const Register& reg(const Function& function, const Operand& operand) {
    REQUIRE(operand.kind == Kind::reg);
    return function.registers.at(operand.index);
}

const std::string registers =
    ".reg .pred %p<4>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 "
    "%rd<9>;\n";

}  // namespace

TEST_CASE("an instruction has opcode, modifiers, operands, guard and line") {
    const Function k = read(registers + "@!%p2 ld.global.v2.f32 {%f1, _}, [%rd3+-8];");
    REQUIRE(k.body.size() == 1);
    const Instruction& ld = k.body[0];
    CHECK(ld.opcode == "ld");
    CHECK(ld.modifiers == std::vector<std::string>{"global", "v2", "f32"});
    CHECK(ld.has("v2"));
    CHECK_FALSE(ld.has("v4"));
    CHECK(ld.ptx_line == 5);
    CHECK(reg(k, ld.guard).name == "%p2");
    CHECK(reg(k, ld.guard).type == Type::pred);
    CHECK(ld.guard.negated);
    REQUIRE(ld.operands.size() == 2);
    REQUIRE(ld.operands[0].kind == Kind::vector);
    CHECK(reg(k, ld.operands[0].items[0]).name == "%f1");
    CHECK(ld.operands[0].items[1].kind == Kind::none);
    REQUIRE(ld.operands[1].kind == Kind::address);
    CHECK(reg(k, ld.operands[1].items[0]).type == Type::b64);
    CHECK(ld.operands[1].offset == -8);
}

TEST_CASE("every kind of operand is told apart") {
    const Function k = read(
        registers +
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, -7;\nmov.f32 %f1, 0fC0200000;\n"
        "mov.f64 %rd1, -0d3FF0000000000000;\nmov.u64 %rd2, table+16;\n"
        "setp.lt.and.s32 %p1|%p2, %r1, 0x1F, !%p3;\nld.const.u32 %r3, [4096];\n"
        "ld.param.u64 %rd4, [a];\nmov.u32 %r4, WARP_SZ;\nmov.u64 %rd5, generic(table);\n"
        "mov.u32 %r5, %clock;\nadd.s32 %r6, %r5, (2+3)*4;");
    CHECK(k.body[0].operands[1].kind == Kind::special);
    CHECK(k.body[0].operands[1].name == "%tid.x");
    CHECK(k.body[1].operands[1].kind == Kind::integer);
    CHECK(static_cast<std::int64_t>(k.body[1].operands[1].bits) == -7);
    CHECK(k.body[2].operands[1].kind == Kind::real);
    CHECK(k.body[2].operands[1].single);
    CHECK(k.body[2].operands[1].bits == 0xC0200000);
    CHECK_FALSE(k.body[3].operands[1].single);
    CHECK(k.body[3].operands[1].bits == 0xBFF0000000000000);
    CHECK(k.body[4].operands[1].kind == Kind::symbol);
    CHECK(k.body[4].operands[1].name == "table");
    CHECK(k.body[4].operands[1].offset == 16);
    const Instruction& setp = k.body[5];
    REQUIRE(setp.operands.size() == 4);
    CHECK(setp.operands[0].kind == Kind::pair);
    CHECK(reg(k, setp.operands[0].items[1]).name == "%p2");
    CHECK(setp.operands[2].bits == 31);
    CHECK(setp.operands[3].negated);
    CHECK(k.body[6].operands[1].items[0].kind == Kind::integer);
    CHECK(k.body[6].operands[1].items[0].bits == 4096);
    CHECK(k.body[7].operands[1].items[0].name == "a");
    CHECK(k.body[8].operands[1].bits == 32);
    CHECK(k.body[9].operands[1].name == "table");
    CHECK(k.body[10].operands[1].name == "%clock");
    CHECK(k.body[11].operands[2].bits == 20);
}

TEST_CASE("textures, video, matrix and asynchronous forms are read") {
    const Function k =
        read(registers +
             "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f5, %f6}];\n"
             "tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [image, sampler, {%f5, %f6}];\n"
             "vadd.s32.s32.u32.sat.add %r1, %r2.h1, %r3.b0, %r4;\n"
             "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, "
             "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};\n"
             "cp.async.cg.shared.global.L2::128B [%r1], [%rd2], 16;\n"
             "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;\n"
             "shfl.sync.down.b32 %r1|%p1, %r2, 0x10, 31, -1;\nbar.sync 0;\n"
             "bar.red.popc.u32 %r1, 0, !%p1;\nmembar.gl;");
    CHECK(k.body[0].operands[0].kind == Kind::pair);
    CHECK(k.body[0].operands[0].items[0].items.size() == 4);
    CHECK(k.body[0].operands[1].items.size() == 2);
    CHECK(k.body[0].operands[1].items[1].kind == Kind::vector);
    CHECK(k.body[1].operands[1].items.size() == 3);
    CHECK(k.body[1].operands[1].items[1].name == "sampler");
    CHECK(k.body[2].operands[1].name == "h1");
    CHECK(k.body[2].operands[2].name == "b0");
    CHECK(k.body[3].operands.size() == 4);
    CHECK(k.body[3].operands[2].items.size() == 2);
    CHECK(k.body[4].has("L2::128B"));
    CHECK(k.body[5].has("shared::cta"));
    CHECK(k.body[6].operands[0].items.size() == 2);
    CHECK(k.body[7].operands[0].bits == 0);
    CHECK(k.body[8].operands[2].negated);
    CHECK(k.body[9].operands.empty());
}

TEST_CASE("calls name their parameters, and calls one after the other share them") {
    const std::string call =
        "{ .reg .b32 temp_param_reg; .param .b32 param0; st.param.b32 [param0+0], %r1;\n"
        ".param .b32 retval0; call.uni (retval0), f, (param0); ld.param.b32 %r2, "
        "[retval0+0]; }\n";
    const Function k = read(registers + call + call + "call.uni g, (); call g;");
    CHECK(k.locals.size() == 2);
    const Instruction& first = k.body[1];
    REQUIRE(first.operands.size() == 3);
    CHECK(first.operands[0].kind == Kind::list);
    CHECK(first.operands[0].items[0].name == "retval0");
    CHECK(first.operands[1].name == "f");
    CHECK(first.operands[2].items[0].name == "param0");
    CHECK(k.body[4].operands[2].items[0].name == "param0");
    REQUIRE(k.body[6].operands.size() == 2);
    CHECK(k.body[6].operands[0].name == "g");
    CHECK(k.body[6].operands[1].kind == Kind::list);
    CHECK(k.body[6].operands[1].items.empty());
    CHECK(k.body[7].operands.size() == 1);
}

TEST_CASE("indirect calls and branches have their tables") {
    const Function k =
        read(registers +
             "cases: .branchtargets A, B, A;\nbrx.idx %r1, cases;\nA: B:\n"
             "{ proto : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 "
             ".b8 _[12]);\n"
             "call (r), %rd1, (p, q), proto; }\nnone : .callprototype ()_ () .noreturn;\n"
             "fs: .calltargets f, g;\ncall %rd2, (), fs;");
    REQUIRE(k.targets.size() == 2);
    CHECK(k.targets[0].name == "cases");
    CHECK(k.targets[0].entries == std::vector<std::string>{"A", "B", "A"});
    CHECK(k.targets[1].entries.size() == 2);
    REQUIRE(k.prototypes.size() == 2);
    CHECK(k.prototypes[0].returns.size() == 1);
    CHECK(k.prototypes[0].params[1].bytes == 12);
    CHECK(k.body[1].operands[3].name == k.prototypes[0].name);
    CHECK(k.prototypes[1].params.empty());
    CHECK(k.body[2].operands[2].name == "fs");
}

TEST_CASE("a statement that cannot be read becomes a question mark with its text") {
    const Module module = module_of(registers +
                                    "mov.b32 %r1, 1;\n@%p1 what.ever %r1, <2>;\n"
                                    ".strange 1\nmov.b32 %r2, {%r1;\nret;");
    REQUIRE(module.problems.size() == 3);
    CHECK(module.problems[0].ptx_line == 6);
    CHECK(module.problems[0].message.find("what.ever %r1, <2>;") != std::string::npos);
    CHECK(module.problems[1].message.find(".strange 1") != std::string::npos);
    CHECK(module.problems[2].ptx_line == 8);
    const Function& k = module.functions.at(0);
    REQUIRE(k.body.size() == 4);
    CHECK(k.body[1].opcode == "?");
    CHECK(k.body[1].operands[0].name == "@%p1 what.ever %r1, <2>;");
    CHECK(k.body[1].ptx_line == 6);
    CHECK(k.body[1].guard.kind == Kind::reg);
    CHECK(k.body[2].opcode == "?");
    CHECK(k.body.back().opcode == "ret");
}

TEST_CASE("a scope after what cannot be read is still a scope") {
    const Module module = module_of(registers + "broken <1>\n{ mov.b32 %r1, 2; }\nret;");
    CHECK(module.problems.size() == 1);
    const Function& k = module.functions.at(0);
    REQUIRE(k.body.size() == 3);
    CHECK(k.body[1].opcode == "mov");
}

TEST_CASE("signs of reals and offsets of symbols end up where they belong") {
    const Function k =
        read(registers + "mov.f32 %f1, -0f40000000;\nld.global.f32 %f2, [table+8];");
    CHECK(k.body[0].operands[1].bits == 0xC0000000);
    const Operand& address = k.body[1].operands[1];
    CHECK(address.offset == 8);
    CHECK(address.items[0].name == "table");
    CHECK(address.items[0].offset == 0);
}

TEST_CASE("a branch to nowhere is told with its line") {
    const Module module = module_of(registers +
                                    "@%p1 bra gone;\nt: .branchtargets lost;\n"
                                    "brx.idx %r1, t;");
    REQUIRE(module.problems.size() == 2);
    CHECK(module.problems[0].ptx_line == 5);
    CHECK(module.problems[0].message.find("gone") != std::string::npos);
    CHECK(module.problems[1].message.find("lost") != std::string::npos);
}

TEST_CASE("a label declared twice is told, and the first counts") {
    const Module module = module_of("L: bra L;\nL: ret;");
    CHECK(module.problems.size() == 1);
    CHECK(module.functions.at(0).labels.at("L") == 0);
}

TEST_CASE("a body that breaks off keeps what was read") {
    const Module module =
        parse(".version 9.0\n.target sm_90\n.entry k() {\nbar.sync 0;\nadd.s");
    CHECK_FALSE(module.problems.empty());
    REQUIRE(module.functions.size() == 1);
    CHECK(module.functions[0].body.at(0).opcode == "bar");
}
