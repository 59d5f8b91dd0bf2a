// Work these out on paper before you run anything: the check tells right from wrong only.
#include "who_am_i.h"

namespace exercise {

WhoAmI predicted() {
    WhoAmI me{};
    // TODO: replace each -1 by your prediction. who_am_i.h has the questions.
    me.linear = -1;
    me.warp = -1;
    me.lane = -1;
    me.warps = -1;
    me.idle_lanes = -1;
    me.rows = -1;
    me.blocks_x = -1;
    me.blocks_y = -1;
    me.idle_threads = -1;
    return me;
}

}  // namespace exercise
