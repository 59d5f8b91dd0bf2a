// rejected: wrong-answer "6 rows: warp 1 spans as many rows", line 13: a warp does not end where a row does
#include "who_am_i.h"

namespace exercise {

WhoAmI predicted() {
    WhoAmI me{};
    me.linear = 1 * 48 + 20;
    me.warp = 68 / 32;
    me.lane = 68 % 32;
    me.warps = (48 * 3 + 31) / 32;
    me.idle_lanes = 5 * 32 - 48 * 3;
    me.rows = 1;  // mended: me.rows = 2;
    me.blocks_x = (100 + 47) / 48;
    me.blocks_y = (50 + 2) / 3;
    me.idle_threads = 3 * 17 * 144 - 5000;
    return me;
}

}  // namespace exercise
