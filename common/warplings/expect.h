#pragma once
// The first line of a wrong answer: how a check must reject it.
//   // rejected: wrong-answer "sizes that ...", line 12: the guard is off by one
//   // rejected: finding out-of-bounds, line 12: no guard
// Line 12 of that file ends in `// mended: CODE`; with CODE in its place the file passes.
#include <string>
#include <string_view>

#include "warplings/verdict.h"

namespace warplings {

struct Expectation {
    VerdictClass verdict = VerdictClass::wrong_answer;
    std::string what;                 // case name or finding kind; may be empty for others
    int line = 0;
    std::string reason;
};

// Throws Failure(2) naming what the line lacks, or where line N is not marked.
Expectation expectation_of(std::string_view text, const std::string& name);

// What differs between the two, a sentence; empty where the verdict is as expected.
std::string difference(const Expectation& expected, const Verdict& got);

}  // namespace warplings
