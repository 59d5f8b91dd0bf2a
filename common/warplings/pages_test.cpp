// The course's own pages: a source, an output or a figure changed, and a page did not.
#include <doctest/doctest.h>

#include "warplings/docsync.h"

TEST_CASE("every page, figure and local link of the course is in step with its source") {
    CHECK(warplings::docsync(WARPLINGS_SOURCE_DIR, true) == 0);
}
