#pragma once
// The figures of the pages, drawn from the numbers that they show: one SVG for light and
// dark, text as text, the same bytes on every machine.
#include <string>

namespace warplings {

// `command` is what a .fig file holds, for instance
//
//     grid --size 10x3 --block 4x2                elements, blocks, threads without work
//     warps --blocks 33,64,100                    the lanes that blocks of these sizes
//     use turns --blocks 10 --sms 2,4                 which SM runs which block, and when
//     timeline --row "host: launch 1, wait 4"     what happens beside what; . leaves a
//     gap
//
// each with --title "..." and --description "...". Throws Failure(1) on anything else.
std::string figure(const std::string& command);

}  // namespace warplings
