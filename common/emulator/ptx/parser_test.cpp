#include <doctest/doctest.h>

#include "emulator/ptx/program.h"

using namespace emu::ptx;

namespace {

const std::string header = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n";

Module read(const std::string& text) {
    Module module = parse(header + text);
    for (const Problem& problem : module.problems) MESSAGE(problem.message);
    CHECK(module.problems.empty());
    return module;
}

}  // namespace

TEST_CASE("types and spaces have the names that PTX gives them") {
    CHECK(size_of(Type::pred) == 0);
    CHECK(size_of(Type::bf16x2) == 4);
    CHECK(size_of(Type::b128) == 16);
    for (int i = 1; i <= static_cast<int>(Type::surfref); ++i) {
        const Type type{static_cast<std::uint8_t>(i)};
        CHECK(type_named(name_of(type)) == type);
    }
    CHECK(name_of(Type::tf32) == "tf32");
    CHECK(type_named("rn") == Type::none);
    CHECK(name_of(Space::constant) == "const");
    CHECK(name_of(Space::shared) == "shared");
}

TEST_CASE("the header says version, target and address size") {
    const Module module = read("");
    CHECK(module.version_major == 9);
    CHECK(module.version_minor == 0);
    CHECK(module.target == "sm_90a");
    CHECK(module.target_number == 90);
    CHECK(module.target_specific);
    CHECK(module.address_size == 64);
    CHECK_FALSE(parse(".version 7.8\n.target sm_75\n").target_specific);
}

TEST_CASE("a newer version is told and read all the same") {
    const Module module =
        parse("// new\n.version 9.3\n.target sm_90\n.visible .entry k() { ret; }");
    REQUIRE(module.problems.size() == 1);
    CHECK(module.problems[0].ptx_line == 2);
    CHECK(module.problems[0].message.find("9.3") != std::string::npos);
    REQUIRE(module.function("k"));
    CHECK(module.function("k")->body.size() == 1);
}

TEST_CASE("parameters keep type, size and alignment, and pointees do not change them") {
    const Module module = read(
        ".visible .entry k(\n.param .u64 .ptr .global .align 16 a,\n.param .align 8 .b8 "
        "s[24],\n"
        ".param .u16 n\n)\n{ ret; }");
    const Function* k = module.function("k");
    REQUIRE(k);
    CHECK(k->is_entry);
    CHECK(k->is_visible);
    CHECK(k->ptx_line == 4);
    REQUIRE(k->params.size() == 3);
    CHECK(k->params[0].space == Space::param);
    CHECK(k->params[0].align == 8);
    CHECK(k->params[0].bytes == 8);
    CHECK(k->params[1].align == 8);
    CHECK(k->params[1].bytes == 24);
    CHECK(k->params[2].type == Type::u16);
    CHECK(k->params[2].align == 2);
}

TEST_CASE("launch bounds and clusters of an entry are read") {
    const Module module = read(
        ".entry k()\n.maxntid 32, 4, 2\n.minnctapersm 3\n.maxnreg 40\n.explicitcluster\n"
        ".reqnctapercluster 2, 1, 1\n.pragma \"nounroll\";\n{ ret; }\n"
        ".weak .entry r .reqntid 8, 2 { ret; }");
    const Function* k = module.function("k");
    REQUIRE(k);
    CHECK(k->max_threads == 256);
    CHECK(k->min_blocks == 3);
    CHECK(k->max_registers == 40);
    CHECK(k->cluster[0] == 2);
    CHECK(k->cluster[1] == 1);
    const Function* r = module.function("r");
    REQUIRE(r);
    CHECK(r->is_weak);
    CHECK_FALSE(r->is_visible);
    CHECK(r->required_threads[0] == 8);
    CHECK(r->required_threads[1] == 2);
    CHECK(r->required_threads[2] == 1);
    CHECK(r->max_threads == 0);
}

TEST_CASE("a definition takes the place of its declaration") {
    const Module module = read(
        ".extern .func (.param .b32 r) print (.param .b64 a, .param .b64 b);\n"
        ".visible .func (.param .b32 r) f (.param .b32 x);\n"
        ".func stop () .noreturn ;\n"
        ".func (.param .b32 r) f (.param .b32 x) { ret; }\n");
    REQUIRE(module.functions.size() == 3);
    CHECK(module.function("print")->is_extern);
    CHECK(module.function("print")->params.size() == 2);
    CHECK(module.function("print")->returns.size() == 1);
    CHECK_FALSE(module.function("f")->is_extern);
    CHECK(module.function("f")->is_visible);
    CHECK(module.function("f")->body.size() == 1);
    CHECK(module.function("stop")->no_return);
    CHECK(module.function("nothing") == nullptr);
}

TEST_CASE("an alias has the body of its function") {
    const Module module = read(".func a();\n.func b() { trap; ret; }\n.alias a, b;\n");
    REQUIRE(module.function("a"));
    CHECK_FALSE(module.function("a")->is_extern);
    CHECK(module.function("a")->name == "a");
    CHECK(module.function("a")->body.size() == 2);
}

TEST_CASE("variables know space, shape and linkage") {
    const Module module = read(
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".global .attribute(.managed) .align 4 .u32 m = 5;\n"
        ".visible .const .f64 c[3][2];\n.weak .global .v4 .f32 v;\n"
        ".common .global .b8 one, two[3];\n.global .texref t;\n"
        ".global .attribute(.unified(7, 9)) .u16 u;\n");
    REQUIRE(module.variables.size() == 8);
    const auto& v = module.variables;
    CHECK(v[0].is_extern);
    CHECK(v[0].space == Space::shared);
    CHECK(v[0].bytes == 0);
    CHECK(v[0].align == 16);
    CHECK(v[1].is_managed);
    CHECK(v[1].initial.size() == 1);
    CHECK(v[2].is_visible);
    CHECK(v[2].space == Space::constant);
    CHECK(v[2].bytes == 48);
    CHECK(v[2].align == 8);
    CHECK(v[3].is_weak);
    CHECK(v[3].bytes == 16);
    CHECK(v[3].align == 16);
    CHECK(v[4].name == "one");
    CHECK(v[5].name == "two");
    CHECK(v[5].bytes == 3);
    CHECK(v[6].type == Type::texref);
    CHECK(v[7].name == "u");
    CHECK_FALSE(v[7].is_managed);
}

TEST_CASE("what cannot be read outside functions is told, and the rest is kept") {
    const Module module = parse(header +
                                ".nonsense 1 2 3\n.global .u32 a;\n.global .u33 b;\n"
                                ".visible .entry bad(.param .what x) { ret; }\n"
                                ".visible .entry good() { ret; }\n");
    REQUIRE(module.problems.size() == 3);
    CHECK(module.problems[0].ptx_line == 4);
    CHECK(module.problems[0].message.find(".nonsense 1 2 3") != std::string::npos);
    CHECK(module.problems[1].ptx_line == 6);
    CHECK(module.problems[1].message.find("u33") != std::string::npos);
    CHECK(module.problems[2].ptx_line == 7);
    REQUIRE(module.variables.size() == 1);
    CHECK(module.variables[0].name == "a");
    REQUIRE(module.functions.size() == 1);
    CHECK(module.functions[0].name == "good");
}
