#pragma once
// Asks CMake for what a command needs, and reads what the compilers say when it fails.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warplings/files.h"

namespace warplings {

// Where this program was configured; told to it by CMake.
struct BuildTree {
    fs::path source, binary;
    std::string backend;              // "gpu" or "emulator"

    fs::path emulator_library() const;   // the drop-in libcudart.so.N
    // Where a unit's target `name` lands. Throws Failure(3) if CMake knows no such target.
    fs::path executable(const std::string& target) const;
};

const BuildTree& build_tree();

struct CompileError {
    std::string file;
    int line = 0;
    std::string message;              // the first one, without the position
};

struct BuildResult {
    bool succeeded = false;
    double seconds = 0;
    std::string log;
    std::optional<CompileError> error;   // where a compiler or linker said one
};

BuildResult build(const std::vector<std::string>& targets);

// The first error in what nvcc, g++ or the linker printed.
std::optional<CompileError> first_error(std::string_view log);

// What stands below the first target that failed, without the commands: with two builds of
// one file, the second says it all again. The whole log where nothing of that is found.
std::string what_the_compiler_said(std::string_view log);

// What an error of nvcc usually means, for those that learners meet; empty if unknown.
std::string usual_meaning(const CompileError& error);

}  // namespace warplings
