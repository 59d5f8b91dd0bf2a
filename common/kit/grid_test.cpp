#include "kit/grid.h"

#include <doctest/doctest.h>

TEST_CASE("the number of blocks is rounded up, and never wraps") {
    CHECK(kit::blocks_for(0, 256) == 0);
    CHECK(kit::blocks_for(1, 256) == 1);
    CHECK(kit::blocks_for(256, 256) == 1);
    CHECK(kit::blocks_for(257, 256) == 2);
    CHECK(kit::blocks_for(2147483647, 1) == 2147483647);
    CHECK_THROWS_AS(kit::blocks_for(2147483648, 1), kit::Usage);
    CHECK_THROWS_AS(kit::blocks_for(std::size_t(-1), 1024), kit::Usage);
}
