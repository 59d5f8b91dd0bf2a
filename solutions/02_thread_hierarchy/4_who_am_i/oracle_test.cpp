// The stated numbers against counting on the CPU: threads in the order of the programming
// guide (section "Thread Hierarchy": thread (x, y, z) has the number x + y*Dx + z*Dx*Dy).
#include <doctest/doctest.h>

#include <set>

#include "who_am_i.h"

TEST_CASE("the stated numbers are what counting gives") {
    const WhoAmI stated = solution::predicted();
    int number = 0;
    std::set<int> warps, rows;
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 48; ++x, ++number) {
            warps.insert(number / 32);
            if (number / 32 == 1) rows.insert(y);
            if (x == 20 && y == 1) {
                CHECK(stated.linear == number);
                CHECK(stated.warp == number / 32);
                CHECK(stated.lane == number % 32);
            }
        }
    CHECK(stated.warps == int(warps.size()));
    CHECK(stated.idle_lanes == int(warps.size()) * 32 - number);
    CHECK(stated.rows == int(rows.size()));
}

TEST_CASE("the stated grid covers the image, and a smaller one does not") {
    const WhoAmI stated = solution::predicted();
    CHECK(stated.blocks_x * 48 >= 100);
    CHECK((stated.blocks_x - 1) * 48 < 100);
    CHECK(stated.blocks_y * 3 >= 50);
    CHECK((stated.blocks_y - 1) * 3 < 50);
    int idle = 0;
    for (int row = 0; row < stated.blocks_y * 3; ++row)
        for (int col = 0; col < stated.blocks_x * 48; ++col)
            idle += row >= 50 || col >= 100;
    CHECK(stated.idle_threads == idle);
}
