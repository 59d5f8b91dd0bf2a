#include <doctest/doctest.h>

#include <cstdlib>

#include "emulator/runtime/cubin.h"
#include "emulator/runtime/link.h"
#include "emulator/runtime/options.h"
#include "emulator/runtime/report.h"

using namespace emu;

TEST_CASE("a finding is one line of JSON, whatever its text holds") {
    Finding f;
    f.kind = "out-of-bounds";
    f.kernel = "k<int>(int *)";
    f.file = "a \"b\"\\c.cu";
    f.line = 7;
    f.has_thread = true;
    f.block = {1, 2, 3};
    f.thread = {31, 0, 0};
    f.address = 0x200000010000;
    f.message = "one\ntwo";
    f.count = 5;
    CHECK(json_of(f) ==
          "{\"finding\":\"out-of-bounds\",\"severity\":\"error\",\"kernel\":\"k<int>(int *)\","
          "\"file\":\"a \\\"b\\\"\\\\c.cu\",\"line\":7,\"block\":[1,2,3],\"thread\":[31,0,0],"
          "\"address\":\"0x200000010000\",\"message\":\"one\\u000atwo\",\"remedy\":\"\","
          "\"count\":5}");
    f.has_thread = false;
    f.address = 0;
    CHECK(json_of(f).find("\"block\":null,\"thread\":null,\"address\":null") !=
          std::string::npos);
}

TEST_CASE("on a terminal a finding shows kind, kernel, place, message and remedy") {
    Finding f;
    f.kind = "leak";
    f.severity = Severity::warning;
    f.file = "a.cu";
    f.line = 3;
    f.message = "12 bytes are never freed";
    f.remedy = "call cudaFree";
    CHECK(text_of(f) ==
          "warning: leak  a.cu:3\n  12 bytes are never freed\n  remedy: call cudaFree");
}

TEST_CASE("a kernel's name loses its parameters, not its template arguments") {
    CHECK(without_parameters("fill(int *, int)") == "fill");
    CHECK(without_parameters("void apply<void (*)(int)>(int *)") == "apply<void (*)(int)>");
    CHECK(without_parameters("fill") == "fill");
}

TEST_CASE("linked texts have one header, and file numbers that do not meet") {
    std::string a = ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n.loc 1 5 3";
    std::string b = ".version 9.0\n.target sm_90\n.address_size 64\n.file 2 \"b.cu\"\n"
                    "\t.loc 2 7 1, function_name $L, inlined_at 2 9 4";
    CHECK(link_texts({a, b}) ==
          ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"a.cu\"\n.loc 1 5 3\n"
          ".file 10002 \"b.cu\"\n\t.loc 10002 7 1, function_name $L, inlined_at 10002 9 4\n");
}

TEST_CASE("what is no cubin has no kernels") {
    CHECK(read_cubin("").empty());
    CHECK(read_cubin("\x7f" "ELF").empty());
    std::string noise = "\x7f" "ELF";
    for (int i = 0; i < 500; ++i) noise += char(i * 37 + 11);
    CHECK(read_cubin(noise).empty());
}

TEST_CASE("options are read from the environment; a wrong value is named") {
    setenv("WARPLINGS_DEVICE", "rtx 4090", 1);
    setenv("WARPLINGS_CHECK", "memory,leak", 1);
    setenv("WARPLINGS_SCHEDULE", "17", 1);
    Options o = options_from_environment();
    CHECK(o.device == "rtx 4090");
    CHECK(o.schedule == 17);
    CHECK(o.checks_group("leak"));
    CHECK_FALSE(o.checks_group("sync"));
    CHECK(o.problem == "");

    setenv("WARPLINGS_DEVICE", "H20", 1);
    setenv("WARPLINGS_SCHEDULE", "x", 1);
    o = options_from_environment();
    CHECK(o.device == "H200");
    CHECK(o.problem.find("WARPLINGS_SCHEDULE='x'") != std::string::npos);
    unsetenv("WARPLINGS_DEVICE");
    unsetenv("WARPLINGS_CHECK");
    unsetenv("WARPLINGS_SCHEDULE");
    CHECK(options_from_environment().checks_group("sync"));
}
