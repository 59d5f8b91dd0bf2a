#pragma once
// The experiments of this lesson, each a table.
#include <cstddef>

#include "kit/table.h"

struct Setting {
    std::size_t size;  // elements
    unsigned block;    // threads in a block
};

// limits.cu
kit::Table device_limits();
kit::Table launches_tried();
kit::Table resident_blocks(Setting setting);

// shapes.cu
kit::Table grid_stride(Setting setting);
kit::Table block_sizes(Setting setting);
