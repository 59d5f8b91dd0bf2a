#include "emulator/ptx/flow.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace emu::ptx;

namespace {

constexpr int exit_block = -1;

struct Read {
    Module module;
    Flow flow;
    const Function& function() const { return *module.function("k"); }

    // The block that begins at a label, or that holds instruction `at`.
    int at(const char* label) const {
        const int position = function().labels.at(label);
        return position < static_cast<int>(flow.block_of.size()) ? flow.block_of[position]
                                                                 : exit_block;
    }
    int meet(const char* label) const { return flow.blocks.at(at(label)).meet; }
    std::vector<int> next(const char* label) const {
        std::vector<int> next = flow.blocks.at(at(label)).next;
        std::ranges::sort(next);
        return next;
    }
};

// Every instruction "x;" stands for some work.
Read flow_of_body(const std::string& body) {
    Read read;
    read.module = parse(
        ".version 9.0\n.target sm_90\n.extern .func stop() .noreturn;\n"
        ".entry k() { .reg .pred p, q; .reg .b32 r;\n" +
        body + "}");
    for (const Problem& problem : read.module.problems) MESSAGE(problem.message);
    REQUIRE(read.module.problems.empty());
    read.flow = flow_of(read.function(), &read.module);
    return read;
}

}  // namespace

TEST_CASE("straight code is one block that meets at the exit") {
    const Read f = flow_of_body("A: x; UNUSED: x; ret;");
    REQUIRE(f.flow.blocks.size() == 1);
    CHECK(f.flow.blocks[0].first == 0);
    CHECK(f.flow.blocks[0].last == 3);
    CHECK(f.next("A") == std::vector{exit_block});
    CHECK(f.meet("A") == exit_block);
}

TEST_CASE("an empty body has no blocks, and one without ret runs off its end") {
    CHECK(flow_of_body("").flow.blocks.empty());
    CHECK(flow_of_body("A: x;").next("A") == std::vector{exit_block});
    const Read f = flow_of_body("A: @p bra END; B: x; END:");
    CHECK(f.next("A") == std::vector{exit_block, f.at("B")});
}

TEST_CASE("both arms of an if meet after it") {
    const Read f = flow_of_body("A: @p bra C; B: x; bra D; C: x; D: x; ret;");
    CHECK(f.flow.blocks.size() == 4);
    CHECK(f.next("A") == std::vector{f.at("B"), f.at("C")});
    CHECK(f.meet("A") == f.at("D"));
    CHECK(f.meet("B") == f.at("D"));
    CHECK(f.meet("C") == f.at("D"));
    CHECK(f.meet("D") == exit_block);
}

TEST_CASE("a branch to the next instruction has one way on") {
    const Read f = flow_of_body("A: @p bra B; B: ret;");
    CHECK(f.next("A") == std::vector{f.at("B")});
    CHECK(f.meet("A") == f.at("B"));
}

TEST_CASE("nested loops with a break meet where each is left") {
    // for (...) { for (...) { if (q) goto NEXT (break); BODY } NEXT }  OUT
    const Read f = flow_of_body(
        "START: x;\n"
        "OUTER: x; @p bra OUT;\n"
        "INNER: x; @p bra NEXT;\n"
        "TEST: x; @q bra NEXT;\n"
        "BODY: x; bra INNER;\n"
        "NEXT: x; bra OUTER;\n"
        "OUT: ret;");
    CHECK(f.meet("START") == f.at("OUTER"));
    CHECK(f.meet("OUTER") == f.at("OUT"));
    CHECK(f.meet("INNER") == f.at("NEXT"));
    CHECK(f.meet("TEST") == f.at("NEXT"));
    CHECK(f.meet("BODY") == f.at("INNER"));
    CHECK(f.meet("NEXT") == f.at("OUTER"));
}

TEST_CASE("a loop that tests at its end meets behind it") {
    const Read f = flow_of_body("A: x; L: x; @p bra L; B: ret;");
    CHECK(f.next("L") == std::vector{f.at("L"), f.at("B")});
    CHECK(f.meet("L") == f.at("B"));
}

TEST_CASE("leaving both of two nested loops at once moves the meeting out") {
    const Read f = flow_of_body(
        "OUTER: @p bra OUT; INNER: @q bra OUT; TEST: @p bra NEXT; bra INNER;\n"
        "NEXT: bra OUTER; OUT: ret;");
    CHECK(f.meet("TEST") == f.at("OUT"));
    CHECK(f.meet("INNER") == f.at("OUT"));
    CHECK(f.meet("OUTER") == f.at("OUT"));
}

TEST_CASE("a switch meets behind its cases, fall-through included") {
    const Read f = flow_of_body(
        "A: @p bra D;\nts: .branchtargets C0, C1, C2, C1;\nS: brx.idx r, ts;\n"
        "C0: x; bra E;\nC1: x;\nC2: x; bra E;\nD: x;\nE: ret;");
    CHECK(f.next("S") == std::vector{f.at("C0"), f.at("C1"), f.at("C2")});
    CHECK(f.next("C1") == std::vector{f.at("C2")});
    CHECK(f.meet("S") == f.at("E"));
    CHECK(f.meet("C1") == f.at("C2"));
    CHECK(f.meet("A") == f.at("E"));
}

TEST_CASE("an early return makes the branch meet at the exit") {
    const Read f = flow_of_body("A: @p bra R; B: x; @q bra D; C: x; D: x; R: ret;");
    CHECK(f.meet("A") == f.at("R"));
    CHECK(f.meet("B") == f.at("D"));
    const Read g = flow_of_body("A: @p ret; B: x; @q exit; C: ret;");
    CHECK(g.next("A") == std::vector{exit_block, g.at("B")});
    CHECK(g.meet("A") == exit_block);
    CHECK(g.meet("B") == exit_block);
}

TEST_CASE("a way that traps has no say in where the others meet") {
    const Read f = flow_of_body("A: @p bra T; B: x; @q trap; C: bra D; T: trap; D: ret;");
    CHECK(f.next("T").empty());
    CHECK(f.meet("T") == exit_block);
    CHECK(f.next("B") == std::vector{f.at("C")});
    CHECK(f.meet("A") == f.at("B"));
}

TEST_CASE("calls of functions that do not return end a way, where the module is known") {
    const std::string body = "A: @p bra B; N: x; call.uni stop, (); B: x; ret;";
    const Read f = flow_of_body(body);
    CHECK(f.next("N").empty());
    CHECK(f.meet("A") == f.at("B"));
    const Flow alone = flow_of(f.function());
    CHECK(alone.blocks.at(alone.block_of.at(1)).next == std::vector{2});
}

TEST_CASE("an endless loop meets at the exit and leaves the others' meeting alone") {
    const Read f = flow_of_body("A: @p bra L; B: x; bra C; L: x; M: bra L; C: ret;");
    CHECK(f.meet("L") == exit_block);
    CHECK(f.meet("A") == f.at("B"));
    const Read g = flow_of_body("A: x; bra A;");
    CHECK(g.meet("A") == exit_block);
}

TEST_CASE("code that nothing reaches is a block like others") {
    const Read f = flow_of_body("A: bra C; B: x; @p bra B; D: x; C: ret;");
    CHECK(f.meet("A") == f.at("C"));
    CHECK(f.meet("D") == f.at("C"));
}

TEST_CASE("a long chain of ifs takes no deep stack and little time") {
    std::string body;
    for (int i = 0; i < 50000; ++i) {
        const std::string label = "L" + std::to_string(i);
        body += "@p bra " + label + "; x; " + label + ": x;\n";
    }
    const Read f = flow_of_body(body + "ret;");
    CHECK(f.flow.blocks.size() == 100001);
    CHECK(f.flow.blocks[0].meet == 2);
    CHECK(f.flow.blocks[99998].meet == 100000);
}
