#pragma once
// Any number of elements with a grid of a given size: each thread takes several.

namespace exercise {

// Advances n random number generators by one step, each exactly once.
//   n         number of generators, 0 or more; may be smaller or larger than the grid
//   state     n states in device memory, updated in place
//   blocks    blocks of the grid, 1 or more
//   threads   threads of a block, 1..1024
// Launches one kernel, with exactly that grid.
void advance(int n, unsigned* state, int blocks, int threads);

}  // namespace exercise

namespace solution {
void advance(int n, unsigned* state, int blocks, int threads);
}
