#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "kit/counters.h"
#include "who_am_i.h"

namespace {

const WhoAmI& truth() {
    static const WhoAmI measured = given::measured();
    return measured;
}

// What the prediction should have been is not shown: it would end the exercise.
std::string difference(int WhoAmI::*number) {
    const int predicted = exercise::predicted().*number;
    if (predicted == truth().*number) return "";
    if (predicted == -1) return "not predicted yet: it is still -1";
    return "you predicted " + std::to_string(predicted) +
           ", and the device says otherwise";
}

void hold(int WhoAmI::*number) { CHECK(difference(number) == ""); }

}  // namespace

TEST_CASE("1 linear: your number in the block is as predicted") { hold(&WhoAmI::linear); }
TEST_CASE("2 warp: you are in the predicted warp") { hold(&WhoAmI::warp); }
TEST_CASE("3 lane: you are in the predicted lane") { hold(&WhoAmI::lane); }
TEST_CASE("4 warps: the block has as many warps as predicted") { hold(&WhoAmI::warps); }
TEST_CASE("5 idle_lanes: as many lanes hold no thread") { hold(&WhoAmI::idle_lanes); }
TEST_CASE("6 rows: warp 1 spans as many rows") { hold(&WhoAmI::rows); }
TEST_CASE("7 blocks_x: the image is covered in x") { hold(&WhoAmI::blocks_x); }
TEST_CASE("8 blocks_y: the image is covered in y") { hold(&WhoAmI::blocks_y); }
TEST_CASE("9 idle_threads: as many threads get no pixel") { hold(&WhoAmI::idle_threads); }

TEST_CASE("the reference agrees with the device") {
    const WhoAmI reference = solution::predicted();
    for (int WhoAmI::*number :
         {&WhoAmI::linear, &WhoAmI::warp, &WhoAmI::lane, &WhoAmI::warps,
          &WhoAmI::idle_lanes, &WhoAmI::rows, &WhoAmI::blocks_x, &WhoAmI::blocks_y,
          &WhoAmI::idle_threads})
        CHECK(reference.*number == truth().*number);
}

TEST_CASE("the predictions are made on paper: the device is not asked") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const kit::Counted counted = kit::count([] { exercise::predicted(); });
    CHECK(counted.launches().empty());
}
