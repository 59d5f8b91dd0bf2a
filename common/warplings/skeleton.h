#pragma once
// Derives the learner's file from the marked answer, so that the two never drift apart.
//
//     // #solution
//     the answer's lines: left out
//     // #skeleton
//     //| what the learner finds instead: kept, without the mark
//     // #end
//
// Everything else is kept, with `namespace solution` and `solution::` renamed to
// exercise.
#include <stdexcept>
#include <string>
#include <string_view>

namespace warplings {

// what() reads "NAME:LINE: error: TEXT", as compilers say it.
struct SkeletonError : std::runtime_error {
    SkeletonError(const std::string& name, int at, const std::string& text)
        : std::runtime_error(name + ":" + std::to_string(at) + ": error: " + text),
          line(at) {}
    int line;  // in the answer, from 1
};

// `name` is the answer's, for messages. Throws SkeletonError where the marks do not
// balance, or where there are none.
std::string skeleton_of(std::string_view answer, const std::string& name = "answer");

// The answer as a reader wants it: without the marks and what only the learner finds.
std::string answer_of(std::string_view marked, const std::string& name = "answer");

}  // namespace warplings
