#include <doctest/doctest.h>

#include "emulator/ptx/program.h"

using namespace emu::ptx;

namespace {

// inner() is inlined in outer() at line 20, which is inlined in the kernel at line 30.
const char* const nested = R"(.version 9.0
.target sm_90
.visible .entry k() {
    bar.sync 0;
    .loc 1 30 5
    bar.sync 1;
    .loc 1 20 9, function_name $L__info_string1, inlined_at 1 30 5
    bar.sync 2;
    .loc 2 10 1, function_name $L__info_string0+2, inlined_at 1 20 9
    bar.sync 3;
    .loc 1 20 9, function_name $L__info_string1, inlined_at 1 30 5
    bar.sync 4;
    .loc 1 31 5
    ret;
}
.visible .entry other() { ret; }
.file 1 "course/kernel.cu"
.file 2 "/include/math.h", 1234, 99
.section .debug_abbrev
{
.b8 1
.b32 .debug_info
.b64 $L__tmp0-1
}
.section .debug_str
{
$L__info_string0:
.b8 120,120,105,110,110,101
.b8 114,0
$L__info_string1:
.b8 111,117,116,101,114,0
}
)";

}  // namespace

TEST_CASE("instructions know their file, line and column") {
    const Module module = parse(nested);
    CHECK(module.problems.empty());
    CHECK(module.files.at(1) == "course/kernel.cu");
    CHECK(module.files.at(2) == "/include/math.h");
    const Function& k = module.functions.at(0);
    REQUIRE(k.body.size() == 6);
    CHECK(k.body[0].location.line == 0);
    CHECK(k.body[0].location.file == -1);
    CHECK(k.body[1].location.file == 1);
    CHECK(k.body[1].location.line == 30);
    CHECK(k.body[1].location.column == 5);
    CHECK(k.body[3].location.file == 2);
    CHECK(k.body[5].location.line == 31);
    CHECK(k.body[5].inlined == -1);
}

TEST_CASE("locations do not leak into the next function") {
    CHECK(parse(nested).functions.at(1).body.at(0).location.line == 0);
}

TEST_CASE("a chain of inlined calls ends at the kernel's own line") {
    const Module module = parse(nested);
    const Function& k = module.functions.at(0);
    REQUIRE(module.inlines.size() == 2);
    const Inline& inner = module.inlines.at(k.body[3].inlined);
    CHECK(inner.function == "inner");
    CHECK(inner.at.line == 20);
    const Inline& outer = module.inlines.at(inner.outer);
    CHECK(outer.function == "outer");
    CHECK(outer.at.line == 30);
    CHECK(outer.at.column == 5);
    CHECK(outer.outer == -1);
    CHECK(k.body[2].inlined == k.body[4].inlined);
    CHECK(k.body[2].inlined == inner.outer);
}

TEST_CASE("names of inlined functions stay labels where the strings are missing") {
    const std::string text = nested;
    const Module module = parse(text.substr(0, text.find(".section .debug_str")));
    CHECK(module.inlines.at(0).function == "$L__info_string1");
}
