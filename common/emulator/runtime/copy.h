#pragma once
// Copies and fills of boxes of bytes: rows of `width`, `height` rows, `depth` layers.
#include "emulator/runtime/call.h"

namespace emu {

struct Box {
    std::size_t width = 0, height = 1, depth = 1;   // width in bytes
    std::size_t rows() const { return height * depth; }
};

// Where a box lies: row `r` of layer `z` begins at pointer + (z * layer_rows + r) * pitch.
struct Layout {
    void* pointer = nullptr;
    std::size_t pitch = 0, layer_rows = 1;
    // From the first byte of the box to the one after its last.
    std::uint64_t span(const Box& box) const {
        return ((box.depth - 1) * layer_rows + box.height - 1) * pitch + box.width;
    }
};

enum class Waits : bool { no, yes };

cudaError_t copy(Call& call, Layout to, Layout from, Box box, cudaMemcpyKind kind,
                 cudaStream_t stream, Waits waits);
cudaError_t fill(Call& call, Layout to, Box box, int value, cudaStream_t stream);

}  // namespace emu
