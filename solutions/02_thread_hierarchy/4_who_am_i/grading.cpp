// Further cases: predictions are constants, so they come out the same each time.
#include <doctest/doctest.h>

#include <cstring>

#include "who_am_i.h"

TEST_CASE("a prediction does not change between two questions") {
    const WhoAmI first = exercise::predicted(), second = exercise::predicted();
    CHECK(std::memcmp(&first, &second, sizeof first) == 0);
}

TEST_CASE("the numbers fit together") {
    const WhoAmI me = exercise::predicted();
    CHECK(me.warp * 32 + me.lane == me.linear);
    CHECK(me.warps * 32 - me.idle_lanes == 144);
    CHECK(me.blocks_x * me.blocks_y * 144 - me.idle_threads == 5000);
}
