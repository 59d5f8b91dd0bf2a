#pragma once
// What a check says about an answer: a value first, its text second.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "warplings/files.h"

namespace warplings {

// In order of precedence: a finding explains a wrong value, a crash hides both.
enum class VerdictClass {
    passed, compile_error, crash, time_limit, output_limit, finding, wrong_answer, budget,
};
std::string_view name_of(VerdictClass verdict);   // "wrong-answer"

struct FailedCase {
    std::string name;                 // of the doctest case
    std::string message;              // what was compared, in words
    std::string file;
    int line = 0;
};

struct FoundMistake {                 // one finding line of the emulator's JSON
    std::string kind, severity, kernel, file, message, remedy;
    int line = 0;
    std::uint64_t count = 0;
};

struct Verdict {
    VerdictClass verdict = VerdictClass::passed;
    std::string what;                 // finding kind, case name, or signal
    std::string file;
    int line = 0;                     // 0 where no line is to blame
    std::string message;              // one sentence
    std::string remedy;               // one sentence, may be empty
    std::vector<FailedCase> cases;
    std::vector<FoundMistake> findings;
    std::string output;               // what the program printed itself
    int cases_passed = 0;
    std::uint64_t launches = 0;
    double build_seconds = 0, run_seconds = 0;
    bool our_fault = false;           // the emulator could not do it; not held against anyone

    bool passed() const { return verdict == VerdictClass::passed; }
};

// The first line, then the details. `name` is the exercise's slug.
std::string text_of(const Verdict& verdict, std::string_view name);
nlohmann::json json_of(const Verdict& verdict, std::string_view name);

struct Judged {
    fs::path count_build, check_build;   // check_build may be empty
    bool on_gpu = false;                 // with the toolkit's runtime instead of the emulator
    double seconds = 10;                 // wall-clock limit for each run
};

// Runs a check's executables and reads what they and the emulator wrote.
Verdict judge(const Judged& program);

}  // namespace warplings
