#include "warplings/build.h"

#include <doctest/doctest.h>

using namespace warplings;

TEST_CASE("the first error of each compiler is found among its warnings") {
    const auto nvcc = first_error(
        "[1/2] Building\na/saxpy.cu(4): warning #177-D: unused\n"
        "a/saxpy.cu(5): error: no operator \"+\" matches these operands\nb.cu(9): error: x\n");
    REQUIRE(nvcc);
    CHECK(nvcc->file == "a/saxpy.cu");
    CHECK(nvcc->line == 5);
    CHECK(nvcc->message == "no operator \"+\" matches these operands");
    const auto host = first_error("x/check.cpp:12:7: error: 'y' was not declared\n");
    REQUIRE(host);
    CHECK(host->line == 12);
    const auto linker = first_error(
        "/usr/bin/ld: check.o: in function `f()':\n"
        "check.cpp:(.text+0x1): undefined reference to `exercise::saxpy(int)'\n");
    REQUIRE(linker);
    CHECK(linker->message == "undefined reference to `exercise::saxpy(int)'");
    CHECK(!first_error("ninja: no work to do.\n"));
}

TEST_CASE("a line of any length is looked at, and a line number of any size") {
    const std::string endless(2'000'000, '+');
    const auto found = first_error(endless + "\na.cu(7): error: " + endless + "\n");
    REQUIRE(found);
    CHECK(found->line == 7);
    CHECK(usual_meaning(*found).empty());
    CHECK(!first_error("a.cu(99999999999999999999): error: x\n"));
}

TEST_CASE("of a failed build the compiler's own lines are shown, once") {
    const std::string twice =
        "[1/4] Building a.o\nFAILED: a.o \nnvcc -c a.cu\na.cu(5): error: x\n\n1 error\n"
        "[2/4] Building b.o\nFAILED: b.o \nnvcc -O0 -c a.cu\na.cu(5): error: x\n"
        "ninja: build stopped: subcommand failed.\n";
    CHECK(what_the_compiler_said(twice) == "a.cu(5): error: x\n\n1 error\n");
    CHECK(what_the_compiler_said("FAILED: a.o\nnvcc\nerror\n[seats] said\n") ==
          "error\n[seats] said\n");
    CHECK(what_the_compiler_said("ninja: error: no such file\n") ==
          "ninja: error: no such file\n");
}

TEST_CASE("errors that learners meet are explained") {
    CHECK(usual_meaning({"", 0, "no instance of overloaded function \"cudaMalloc\" matches the "
                                "argument list"}).find("&pointer") != std::string::npos);
    CHECK(usual_meaning({"", 0, "argument of type \"const float *\" is incompatible with parameter "
                                "of type \"void *\""}).find("destination first") !=
          std::string::npos);
    CHECK(usual_meaning({"", 0, "no operator \"+\" matches these operands"}).find("threadIdx.x") !=
          std::string::npos);
    CHECK(usual_meaning({"", 0, "undefined reference to `exercise::saxpy(int)'"}).find("header") !=
          std::string::npos);
    CHECK(usual_meaning({"", 0, "something new"}).empty());
}
