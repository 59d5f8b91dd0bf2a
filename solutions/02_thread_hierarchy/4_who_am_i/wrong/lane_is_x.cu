// rejected: wrong-answer "3 lane: you are in the predicted lane", line 10: takes the lane from threadIdx.x alone
#include "who_am_i.h"

namespace exercise {

WhoAmI predicted() {
    WhoAmI me{};
    me.linear = 1 * 48 + 20;
    me.warp = 68 / 32;
    me.lane = 20 % 32;  // mended: me.lane = 68 % 32;
    me.warps = (48 * 3 + 31) / 32;
    me.idle_lanes = 5 * 32 - 48 * 3;
    me.rows = 2;
    me.blocks_x = (100 + 47) / 48;
    me.blocks_y = (50 + 2) / 3;
    me.idle_threads = 3 * 17 * 144 - 5000;
    return me;
}

}  // namespace exercise
