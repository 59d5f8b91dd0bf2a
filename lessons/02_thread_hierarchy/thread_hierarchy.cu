// Thread hierarchy: every thread runs the same code and works out from its numbers which
// element is its own.
//
// Notice in the drawings that the numbers start again in every block, and that the blocks
// at the edge have threads without an element (·). The second command has the blocks run
// in another order:
//
//   ./warplings run thread_hierarchy
//   ./warplings emulate --schedule 7 build/default/bin/thread_hierarchy
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "kit/arguments.h"
#include "kit/check.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/grid.h"
#include "thread_hierarchy.h"

struct Who {
    unsigned block, thread;  // counted through x, then y, then z
    unsigned warp, lane;     // the lane as the hardware has it
};

// ---- kernels ------------------------------------------------------------------------

// #region linear
// x runs fastest, as in the address of a C array [z][y][x].
__device__ unsigned linear(uint3 index, dim3 extent) {
    return index.x + extent.x * (index.y + extent.y * index.z);
}

__global__ void who_am_i(Who* element, dim3 size) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= size.x || y >= size.y || z >= size.z) return;  // past the edge
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    const unsigned thread = linear(threadIdx, blockDim);
    element[(z * size.y + y) * size.x + x] = {linear(blockIdx, gridDim), thread,
                                              thread / warpSize, lane};
}
// #endregion

// The first thread of each block draws a number when the block starts.
__global__ void take_ticket(unsigned* next, unsigned* block_with_ticket) {
    // atomic: many blocks draw at the same time, and no number may be given twice
    if (threadIdx.x == 0) block_with_ticket[atomicAdd(next, 1u)] = blockIdx.x;
}

__device__ __noinline__ unsigned fibonacci(unsigned n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void print_and_recurse() {
    printf("  thread %u says fibonacci(%u) = %u\n", threadIdx.x, 5 * threadIdx.x,
           fibonacci(5 * threadIdx.x));
}

// ---- host ---------------------------------------------------------------------------

dim3 grid_for(dim3 size, dim3 block) {
    return dim3(kit::blocks_for(size.x, block.x), kit::blocks_for(size.y, block.y),
                kit::blocks_for(size.z, block.z));
}

std::vector<Who> ask(dim3 size, dim3 block) {
    kit::DeviceBuffer<Who> answers(std::size_t(size.x) * size.y * size.z,
                                   kit::Fill::poison);
    who_am_i<<<grid_for(size, block), block>>>(answers.data(), size);
    kit::check_launch("who_am_i");
    const std::vector<Who> who = answers.copy_out();
    // The other way round: from the element to the thread that should have answered.
    std::size_t i = 0;
    for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y)
            for (unsigned x = 0; x < size.x; ++x, ++i) {
                const unsigned thread =
                    ((z % block.z) * block.y + y % block.y) * block.x + x % block.x;
                if (who[i].thread != thread || who[i].warp != thread / 32 ||
                    who[i].lane != thread % 32)
                    kit::require_equal("who_am_i", "element " + std::to_string(i) +
                                                       " has another thread");
            }
    return who;
}

// One line of block numbers, or of a plain border, then the threads' numbers row by row.
std::string drawing(const char* title, dim3 size, dim3 block) {
    const std::vector<Who> who = ask(size, block);
    const dim3 grid = grid_for(size, block);
    std::string text = std::string("## ") + title + "\n";
    for (unsigned z = 0; z < size.z; ++z) {
        if (size.z > 1) text += "\nz = " + std::to_string(z);
        for (unsigned y = 0; y < grid.y * block.y; ++y) {
            std::string border = "\n", row = "\n";
            for (unsigned x = 0; x < grid.x * block.x; ++x) {
                const bool inside = x < size.x && y < size.y;
                const Who& w = who[inside ? (z * size.y + y) * size.x + x : 0];
                std::string number = inside ? std::to_string(w.thread) : "·";
                if (x % block.x == 0) {
                    const unsigned of =
                        ((z / block.z) * grid.y + y / block.y) * grid.x + x / block.x;
                    std::string name = "+- block " + std::to_string(of) + " ";
                    name.resize(std::max<std::size_t>(name.size(), 3 * block.x + 2), '-');
                    border += name;
                    row += "|";
                }
                row += std::string(inside ? 3 - number.size() : 2, ' ') + number;
                if (x % block.x == block.x - 1) row += " ";
            }
            text += (y % block.y == 0 ? border + "+" : "") + row + "|";
        }
        text += "\n";
    }
    text.pop_back();  // the report ends the line
    return text;
}

kit::Table warps_and_lanes() {
    const dim3 block(8, 4, 2);
    const std::vector<Who> who = ask(block, block);
    kit::Table table("Thread, warp and lane in a block of 8 x 4 x 2",
                     {kit::count_column("x"), kit::count_column("y"),
                      kit::count_column("z"), kit::count_column("thread"),
                      kit::count_column("warp"), kit::count_column("lane")});
    for (dim3 at : {dim3(0, 0, 0), dim3(1, 0, 0), dim3(7, 0, 0), dim3(0, 1, 0),
                    dim3(7, 3, 0), dim3(0, 0, 1), dim3(7, 3, 1)}) {
        const Who& w = who[(at.z * block.y + at.y) * block.x + at.x];
        table.row({at.x, at.y, at.z, w.thread, w.warp, w.lane});
    }
    return table;
}

std::string order_of_blocks() {
    constexpr unsigned blocks = 24;
    kit::DeviceBuffer<unsigned> next(std::vector<unsigned>{0}),
        order(blocks, kit::Fill::poison);
    take_ticket<<<blocks, 64>>>(next.data(), order.data());
    kit::check_launch("take_ticket");
    std::vector<unsigned> ran = order.copy_out();
    std::string text = "## In which order 24 blocks started\n\n";
    for (unsigned block : ran) text += std::to_string(block) + " ";
    std::sort(ran.begin(), ran.end());
    for (unsigned i = 0; i < blocks; ++i)
        if (ran[i] != i) kit::require_equal("take_ticket", "a block is missing");
    text.back() = '\n';
    if (kit::on_emulator())
        text +=
            "Another order: ./warplings emulate --schedule 7 "
            "build/default/bin/thread_hierarchy";
    else
        text += "Run it again: nothing promises that the order stays.";
    return text;
}

int main(int argc, char** argv) {
    return kit::run_lesson([&] {
        std::size_t size = kit::on_emulator() ? 100'000 : 1u << 26, block = 256;
        kit::Arguments arguments("thread_hierarchy",
                                 "Who am I, out of a million threads?");
        arguments.size("size", size, 1, std::size_t(1) << 38, "elements");
        arguments.size("block", block, 1, 1024, "threads in a block");
        arguments.parse(argc, argv);
        kit::require_memory("size", double(size) * 4, double(size) * 12);

        kit::Report report("thread_hierarchy", arguments.format());
        report.say(drawing("A line: 20 elements, blocks of 8", {20, 1, 1}, {8, 1, 1}));
        report.say(
            drawing("A plane: 10 x 3 elements, blocks of 4 x 2", {10, 3, 1}, {4, 2, 1}));
        report.say(drawing("A volume: 6 x 2 x 2 elements, blocks of 4 x 2 x 2", {6, 2, 2},
                           {4, 2, 2}));
        report.show(warps_and_lanes());
        report.show(device_limits());
        report.show(launches_tried());
        report.show(grid_stride({size, unsigned(block)}));
        report.say(order_of_blocks());
        report.show(resident_blocks({size, unsigned(block)}));
        report.show(block_sizes({size, unsigned(block)}));
        report.say("## A kernel prints, and a device function calls itself\n");
        if (!report.is_text()) return;
        std::fflush(stdout);  // the kernel's lines come after ours
        print_and_recurse<<<1, 3>>>();
        kit::check_launch("print_and_recurse");
    });
}
