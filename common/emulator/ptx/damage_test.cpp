// Damaged text: cut off, bytes changed, pieces moved. Whatever comes in, parse answers,
// and what it answers holds together.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "emulator/ptx/flow.h"

using namespace emu::ptx;

namespace {

const std::string sound = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 8 .u64 table[3] = {f, generic(text)+4, 0xFF(f)};
.global .align 1 .b8 text[4] = {104, 105, 10};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 r) f (.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; ret; }
.visible .entry k(.param .u64 .ptr .align 1 a, .param .align 8 .b8 s[24])
.maxntid 128, 2, 1
{
    .local .align 16 .b8 depot[32];
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    .loc 1 10 3
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, %tid.x;
    setp.ge.s32 %p1|%p2, %r1, 0x20;
    @!%p1 bra $L__BB0_2;
    .pragma "nounroll";
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
    { .reg .b32 t; mov.b32 t, -7; L: @%p1 bra L; }
    .loc 2 5 1, function_name $L__info_string0, inlined_at 1 10 3
    cases: .branchtargets $L__BB0_1, $L__BB0_2;
    brx.idx %r1, cases;
$L__BB0_1:
    { // callseq
    .param .b32 param0;
    st.param.b32 [param0+0], %r1;
    .param .b32 retval0;
    proto : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (retval0), %rd2, (param0), proto;
    ld.param.b32 %r2, [retval0+0];
    }
    fma.rn.f32 %f1, %f2, 0f3F800000, 0dC004000000000000;
$L__BB0_2:
    ret;
}
.file 1 "k.cu"
.section .debug_str
{
$L__info_string0:
.b8 105,110,0
}
)";

void check_operand(const Function& function, const Operand& operand) {
    const auto registers = static_cast<int>(function.registers.size());
    if (operand.kind == Operand::Kind::reg &&
        (operand.index < 0 || operand.index >= registers))
        FAIL("a register that does not exist");
    for (const Operand& item : operand.items) check_operand(function, item);
}

void check_whole(const std::string& text) {
    const int lines = 1 + static_cast<int>(std::ranges::count(text, '\n'));
    const Module module = parse(text);
    REQUIRE(module.problems.size() <= 101);
    for (const Problem& problem : module.problems) {
        REQUIRE(problem.ptx_line >= 1);
        REQUIRE(problem.ptx_line <= lines);
        REQUIRE_FALSE(problem.message.empty());
    }
    for (const Function& function : module.functions) {
        const auto size = static_cast<int>(function.body.size());
        for (const auto& [label, at] : function.labels) REQUIRE((at >= 0 && at <= size));
        for (const Instruction& instruction : function.body) {
            check_operand(function, instruction.guard);
            for (const Operand& operand : instruction.operands)
                check_operand(function, operand);
        }
        const Flow flow = flow_of(function, &module);
        int reached = 0;
        for (const BasicBlock& block : flow.blocks) {
            REQUIRE(block.first == reached);
            REQUIRE(block.last > block.first);
            reached = block.last;
        }
        REQUIRE(reached == size);
    }
}

}  // namespace

TEST_CASE("the sound text has no problems") {
    const Module module = parse(sound);
    for (const Problem& problem : module.problems) MESSAGE(problem.message);
    CHECK(module.problems.empty());
    CHECK(module.function("k")->body.size() == 13);
    check_whole(sound);
}

TEST_CASE("text cut off anywhere is read as far as it goes") {
    for (std::size_t length = 0; length < sound.size(); ++length)
        check_whole(sound.substr(0, length));
}

TEST_CASE("text with changed, doubled and missing pieces is read to its end") {
    std::mt19937 random(20240607);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::string spice = "{}()[]<>;,.:@!%$|+-=\"/*\n 09afxL_\0\xff";
    for (int round = 0; round < 3000; ++round) {
        std::string text = sound;
        for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
            const std::size_t at = below(text.size()), length = below(40);
            switch (below(4)) {
                case 0:
                    text[at] = spice[below(spice.size())];
                    break;
                case 1:
                    text.erase(at, length);
                    break;
                case 2:
                    text.insert(below(text.size()), text.substr(at, length));
                    break;
                default:
                    text.insert(at, 1, spice[below(spice.size())]);
            }
        }
        check_whole(text);
    }
}

TEST_CASE("bytes without any sense are read to their end") {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::string text(1 + random() % 3000, ' ');
        for (char& c : text) c = static_cast<char>(random());
        check_whole(text);
        check_whole(".version 9.0\n.entry k() {" + text);
    }
}

TEST_CASE("deep nesting takes no deep stack") {
    for (const char* piece : {"{", "[", "(", "-", "~(", "mov.b32 a, {", "{ L:"}) {
        std::string text = ".version 9.0\n.entry k() { mov.b32 a, ";
        for (int i = 0; i < 100000; ++i) text += piece;
        check_whole(text);
        check_whole(".global .u32 v = " + text);
    }
}
