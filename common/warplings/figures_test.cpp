#include "warplings/figures.h"

#include <doctest/doctest.h>

#include "warplings/files.h"

using warplings::figure;

static const std::string words = " --title \"A title\" --description \"x < y\"";

static int times(const std::string& text, const std::string& what) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += what.size())
        ++found;
    return found;
}

static std::string refusal(const std::string& command) {
    try {
        figure(command);
    } catch (const warplings::Failure& failure) {
        return failure.text;
    }
    return "drawn";
}

TEST_CASE("a figure has a title, a description, and both themes") {
    const std::string svg = figure("grid --size 5 --block 2" + words);
    CHECK(svg.find("<title>A title</title>") != svg.npos);
    CHECK(svg.find("<desc>x &lt; y</desc>") != svg.npos);
    CHECK(svg.find("prefers-color-scheme:dark") != svg.npos);
}

TEST_CASE("a grid has a cell for every thread, dashed where there is no element") {
    // 10 x 3 elements in blocks of 4 x 2: 3 x 2 blocks, 48 threads, 30 of them with work
    const std::string svg = figure("grid --size 10x3 --block 4x2" + words);
    CHECK(times(svg, "width=\"30\" height=\"30\"") == 48);
    CHECK(times(svg, "class=\"idle dashed\"") == 18);
    CHECK(times(svg, ">block (") == 6);
}

TEST_CASE("warps show 32 lanes each, and the idle ones") {
    const std::string svg = figure("warps --blocks 33,64" + words);
    CHECK(times(svg, "width=\"17\"") == 2 * 32 + 2 * 32);
    CHECK(times(svg, "class=\"idle dashed\"") == 31);
    CHECK(svg.find("block of 33: 2 warps, 31 of 64 lanes idle") != svg.npos);
}

TEST_CASE("turns deal the blocks out to the SMs") {
    const std::string svg = figure("turns --blocks 10 --sms 2,4" + words);
    CHECK(times(svg, ">block 9<") == 2);
    CHECK(svg.find("10 blocks on a device of 4 SMs: 3 turns") != svg.npos);
}

TEST_CASE("a timeline has a box for each part that is no gap") {
    const std::string svg = figure(
        "timeline --row \"host: launch 1, wait 4\" --row \"device: . 1, kernel 5\"" +
        words);
    CHECK(times(svg, "height=\"30\"") == 3);
}

TEST_CASE("what a figure cannot draw is named") {
    CHECK(refusal("pie" + words) ==
          "there is no figure 'pie'; known: grid, warps, turns, timeline");
    CHECK(refusal("grid --size 5" + words) == "figure 'grid' needs --block");
    CHECK(refusal("grid --size 5 --block 2") == "figure 'grid' needs --title");
    CHECK(refusal("grid --size 0 --block 2" + words) ==
          "--size takes numbers above 0, not '0'");
    CHECK(refusal("grid --size five --block 2" + words) ==
          "--size takes numbers above 0, not 'five'");
    CHECK(refusal("grid size 5" + words) ==
          "a figure takes --name value pairs, not 'size'");
    CHECK(refusal("timeline --row host" + words).find("--row is") == 0);
    CHECK(refusal("") == "a figure's command is empty or has an open \"");
}
