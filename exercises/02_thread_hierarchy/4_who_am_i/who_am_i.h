#pragma once
// Predictions about a block of 48 x 3 threads. A kernel (given.cu) looks up what is true.
//
// Questions 1 to 6 are about the block, dim3(48, 3). "You" are thread (20, 1):
// threadIdx.x is 20 and threadIdx.y is 1. Questions 7 to 9: such blocks, one thread a
// pixel, cover an image that is 100 pixels wide and 50 high.

struct WhoAmI {
    int linear;        // 1  your number in the block, counted from 0
    int warp;          // 2  the warp that you are in, counted from 0
    int lane;          // 3  your lane in that warp, 0..31
    int warps;         // 4  warps that the block consists of
    int idle_lanes;    // 5  lanes in all of these warps that hold no thread
    int rows;          // 6  different threadIdx.y among the threads of warp 1
    int blocks_x;      // 7  blocks in x
    int blocks_y;      // 8  blocks in y
    int idle_threads;  // 9  threads of the whole grid that get no pixel
};

namespace exercise {
WhoAmI predicted();
}

namespace solution {
WhoAmI predicted();
}

namespace given {
WhoAmI measured();  // launches the block and the grid, and reports
}
