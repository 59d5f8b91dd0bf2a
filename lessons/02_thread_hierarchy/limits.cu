// What the device says about itself, and what it does with launches beyond that.
#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kit/arguments.h"
#include "kit/check.h"
#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/timer.h"
#include "thread_hierarchy.h"

__global__ void nothing() {}

// Work of one length for every thread, so that time tells how many blocks ran at once.
__global__ void busy(unsigned* out, unsigned rounds) {
    unsigned value = threadIdx.x;
    for (unsigned i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static std::string text(dim3 d) {
    return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " +
           std::to_string(d.z);
}

kit::Table device_limits() {
    cudaDeviceProp device{};
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    kit::Table table("What this device allows",
                     {kit::text_column("limit"), kit::count_column("value")});
    table.row({"threads in a warp", device.warpSize});
    table.row({"threads in a block", device.maxThreadsPerBlock});
    const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i)
        table.row(
            {std::string("threads in a block, ") + axes[i], device.maxThreadsDim[i]});
    for (int i = 0; i < 3; ++i)
        table.row({std::string("blocks in a grid, ") + axes[i], device.maxGridSize[i]});
    table.row({"multiprocessors (SMs)", device.multiProcessorCount});
    table.row({"threads on an SM at once", device.maxThreadsPerMultiProcessor});
    table.row({"blocks on an SM at once", device.maxBlocksPerMultiProcessor});
    return table;
}

kit::Table launches_tried() {
    kit::Table table(
        "Launches, and what came of them",
        {kit::text_column("grid"), kit::text_column("block"),
         kit::count_column("threads in a block"), kit::text_column("answer")});
    struct Shape {
        dim3 grid, block;
    };
    for (auto [grid, block] :
         {Shape{1, {1024, 1, 1}}, Shape{1, {1, 1024, 1}}, Shape{1, {1, 1, 64}},
          Shape{1, {1, 1, 65}}, Shape{1, {32, 32, 1}}, Shape{1, {32, 32, 2}},
          Shape{1, {1025, 1, 1}}, Shape{{1, 65535, 1}, 1}, Shape{{1, 65536, 1}, 1},
          Shape{{1, 1, 65536}, 1}, Shape{{65536, 1, 1}, 1}}) {
        nothing<<<grid, block>>>();
        const cudaError_t error = cudaGetLastError();  // also forgets it
        CUDA_CHECK(cudaDeviceSynchronize());
        table.row({text(grid), text(block), block.x * block.y * block.z,
                   error == cudaSuccess ? "runs" : "refused"});
    }
    return table;
}

kit::Table resident_blocks(Setting setting) {
    int device_sms = 0, on_one = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&device_sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_one, busy,
                                                             int(setting.block), 0));
    const auto sms = std::size_t(device_sms), resident = sms * std::size_t(on_one);
    kit::Table table("Blocks, SMs and turns",
                     {kit::count_column("blocks"), kit::count_column("SMs"),
                      kit::count_column("fit at once"), kit::count_column("turns"),
                      kit::number_column("SMs with work", "%", 1),
                      kit::number_column("time", "ms", 3)});
    const unsigned rounds = kit::on_emulator() ? 10 : 100'000;
    kit::DeviceBuffer<unsigned> out(4 * resident * setting.block);
    std::vector<unsigned> expected(setting.block);
    for (unsigned thread = 0; thread < setting.block; ++thread) {
        expected[thread] = thread;
        for (unsigned i = 0; i < rounds; ++i)
            expected[thread] = expected[thread] * 1664525u + 1013904223u;
    }
    for (std::size_t blocks :
         {std::size_t(1), sms, resident, resident + 1, 4 * resident}) {
        auto work = [&] {
            busy<<<unsigned(blocks), setting.block>>>(out.data(), rounds);
        };
        CUDA_CHECK(cudaMemset(out.data(), kit::poison_byte, out.bytes()));
        work();
        kit::check_launch("busy");
        std::vector<unsigned> last = out.copy_out();  // the last block's part is enough
        last.resize(blocks * setting.block);
        last.erase(last.begin(), last.end() - std::ptrdiff_t(setting.block));
        kit::require_equal("busy", kit::first_difference(last, expected));
        table.row({blocks, sms, resident, (blocks + resident - 1) / resident,
                   100.0 * double(std::min(blocks, sms)) / double(sms),
                   kit::time_device(work, {1, 5}).median});
    }
    return table;
}
