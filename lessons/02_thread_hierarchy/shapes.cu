// One kernel under many grids and blocks: what stays right, and what it costs.
#include <cuda_runtime.h>

#include <optional>
#include <set>
#include <vector>

#include "kit/arguments.h"
#include "kit/check.h"
#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/grid.h"
#include "kit/random.h"
#include "kit/timer.h"
#include "thread_hierarchy.h"

namespace metric = kit::metric;

// #region stride
// Right for any number of threads: each takes every `threads`-th element.
__global__ void scale(const float* in, float* out, std::size_t size, float factor) {
    const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
         i += threads)
        out[i] = factor * in[i];
}
// #endregion

class Scaling {
public:
    explicit Scaling(std::size_t size)
        : in_(kit::random_floats(size, 3)), d_in_(in_), d_out_(size) {
        expected_.reserve(size);
        // The product of two floats is exact in double; rounded once, it is the answer.
        for (float value : in_)
            expected_.push_back(float(double(factor) * double(value)));
    }

    struct Run {
        kit::Counted counted;
        std::optional<double> ms;
    };
    Run run(unsigned blocks, unsigned threads) {
        auto work = [&] {
            scale<<<blocks, threads>>>(d_in_.data(), d_out_.data(), in_.size(), factor);
        };
        CUDA_CHECK(cudaMemset(d_out_.data(), kit::poison_byte, d_out_.bytes()));
        Run result;
        result.counted = kit::count(work);
        kit::check_launch("scale");
        kit::require_equal("scale", kit::first_difference(d_out_.copy_out(), expected_,
                                                          {}, {0, 0, threads}));
        if (!kit::on_emulator()) result.ms = kit::time_device(work).median;
        return result;
    }

private:
    static constexpr float factor = 0.7f;
    std::vector<float> in_, expected_;
    kit::DeviceBuffer<float> d_in_, d_out_;
};

kit::Table grid_stride(Setting setting) {
    Scaling scaling(setting.size);
    int sms = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    kit::Table table(
        "One loop, any grid",
        {kit::count_column("blocks"), kit::count_column("threads"),
         kit::count_column("elements a thread"), kit::count_column("load requests"),
         kit::text_column("result"), kit::number_column("time", "ms", 3)});
    const unsigned whole = kit::blocks_for(setting.size, setting.block);
    for (unsigned blocks :
         std::set<unsigned>{1, unsigned(sms), 8 * unsigned(sms), whole}) {
        const Scaling::Run run = scaling.run(blocks, setting.block);
        const std::size_t threads = std::size_t(blocks) * setting.block;
        table.row({blocks, threads, (setting.size + threads - 1) / threads,
                   run.counted[metric::load_requests], "right", run.ms});
    }
    return table;
}

kit::Table block_sizes(Setting setting) {
    Scaling scaling(setting.size);
    kit::Table table(
        "Block sizes, and the lanes that they leave idle",
        {kit::count_column("threads"), kit::count_column("warps"),
         kit::number_column("lanes idle", "%", 1), kit::count_column("blocks"),
         kit::count_column("load requests"), kit::number_column("sectors/request", "", 2),
         kit::count_column("threads on an SM"), kit::number_column("time", "ms", 3)});
    for (unsigned block : std::set<unsigned>{1, 31, 32, 33, 64, 100, 128, 256, 1000, 1024,
                                             setting.block}) {
        if (setting.size / block >= kit::most_blocks) continue;
        const unsigned blocks = kit::blocks_for(setting.size, block),
                       warps = (block + 31) / 32;
        const Scaling::Run run = scaling.run(blocks, block);
        int resident = 0;
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scale,
                                                                 int(block), 0));
        table.row({block, warps, 100.0 - 100.0 * block / (32.0 * warps), blocks,
                   run.counted[metric::load_requests],
                   run.counted.ratio(metric::load_sectors, metric::load_requests),
                   unsigned(resident) * block, run.ms});
    }
    return table;
}
