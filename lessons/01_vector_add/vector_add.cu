// Vector add: the smallest useful kernel, and what it costs to have it run.
//
// Notice three things. The grid is rounded up, so the last block has threads without
// work. A launch returns before its work is done. And moving the numbers to the GPU and
// back costs far more than adding them there.
//
//   ./warplings run vector_add
#include <cstddef>
#include <functional>
#include <optional>
#include <set>

#include "kit/counters.h"
#include "kit/grid.h"
#include "kit/random.h"
#include "kit/timer.h"
#include "vector_add.h"

// ---- kernels: these run on the device, once per thread ------------------------------

// #region add
__global__ void add(const float* a, const float* b, float* sum, std::size_t size) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < size) sum[i] = a[i] + b[i];  // the last block has threads past the end
}
// #endregion

// #region add_float4
// Four neighbours per thread: a quarter of the threads, each moving 16 bytes at once.
__global__ void add_float4(const float* a, const float* b, float* sum, std::size_t size) {
    const std::size_t quad = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t i = 4 * quad;
    if (i + 3 < size) {
        const float4 x = reinterpret_cast<const float4*>(a)[quad];
        const float4 y = reinterpret_cast<const float4*>(b)[quad];
        reinterpret_cast<float4*>(sum)[quad] =
            make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    } else {
        for (; i < size; ++i) sum[i] = a[i] + b[i];  // at most three are left over
    }
}
// #endregion

__global__ void nothing() {}

// ---- host ---------------------------------------------------------------------------

// In double, then rounded once: what a float addition must give to the last bit.
Floats reference(const Floats& a, const Floats& b) {
    Floats sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        sum[i] = float(double(a[i]) + double(b[i]));
    return sum;
}

Problem::Problem(std::size_t n, std::size_t threads)
    : size(n),
      block(unsigned(threads)),
      a(kit::random_floats(n, 1)),
      b(kit::random_floats(n, 2)),
      expected(reference(a, b)),
      d_a(a),
      d_b(b),
      d_sum(n) {}

// #region launch
void Problem::launch_add(std::size_t n, const float* x, float* sum) {
    const unsigned blocks = kit::blocks_for(n, block);  // rounded up
    add<<<blocks, block>>>(x, d_b.data(), sum, n);
}
// #endregion

void Problem::launch_add_float4() {
    const unsigned blocks = kit::blocks_for(size, 4 * std::size_t(block));
    add_float4<<<blocks, block>>>(d_a.data(), d_b.data(), d_sum.data(), size);
}

// Poisons the result, runs `launch`, and stops the lesson unless all of it is right: a
// wrong kernel's time is worth nothing.
void Problem::verify(const char* version, std::size_t n,
                     const std::function<void()>& launch) {
    CUDA_CHECK(cudaMemset(d_sum.data(), kit::poison_byte, d_sum.bytes()));
    launch();
    kit::check_launch(version);
    Floats got = d_sum.copy_out();
    got.resize(n);
    const Floats right(expected.begin(), expected.begin() + std::ptrdiff_t(n));
    kit::require_equal(version, kit::first_difference(got, right, {}, {0, 0, block}));
}

kit::Table rounding_up(Problem& p) {
    kit::Table table("The grid is rounded up",
                     {kit::count_column("elements"), kit::count_column("blocks"),
                      kit::count_column("threads"), kit::count_column("without work"),
                      kit::text_column("result")});
    for (std::size_t n : std::set<std::size_t>{1, p.size / 2, p.size - 1, p.size}) {
        if (n == 0) continue;
        p.verify("add", n, [&] { p.launch_add(n, p.d_a.data(), p.d_sum.data()); });
        const std::size_t blocks = kit::blocks_for(n, p.block);
        table.row({n, blocks, blocks * p.block, blocks * p.block - n, "right"});
    }
    return table;
}

kit::Table where_time_goes(Problem& p) {
    kit::Table table(
        "Where the time goes",
        {kit::text_column("step"), kit::count_column("bytes"),
         kit::number_column("time", "ms", 4), kit::number_column("", "GB/s", 1)});
    auto row = [&](const char* name, double arrays, std::optional<double> ms) {
        const double bytes = arrays * p.bytes();
        table.row({name, std::size_t(bytes), ms, kit::gigabytes_per_second(bytes, ms)});
        return ms;
    };
    Floats out(p.size);
    row("launch of an empty kernel", 0,
        kit::time_device([] { nothing<<<1, 1>>>(); }).median);
    auto copy_in = [&] {
        p.d_a.copy_in(p.a);
        p.d_b.copy_in(p.b);
    };
    auto copy_out = [&] {
        CUDA_CHECK(cudaMemcpy(out.data(), p.d_sum.data(), p.d_sum.bytes(),
                              cudaMemcpyDeviceToHost));
    };
    auto add_on_cpu = [&] {
        for (std::size_t i = 0; i < p.size; ++i) out[i] = p.a[i] + p.b[i];
    };
    const auto in = row("copy a and b in", 2, kit::time_host(copy_in, {1, 5}).median);
    const auto kernel = row("add", 3, kit::time_device([&] { p.launch_add(); }).median);
    const auto back = row("copy the sum out", 1, kit::time_host(copy_out, {1, 5}).median);
    kit::require_equal("the round trip", kit::first_difference(out, p.expected));
    row("all of it on the GPU", 6,
        in ? std::optional(*in + *kernel + *back) : std::nullopt);
    row("one CPU thread", 3, kit::time_host(add_on_cpu, {1, 5}).median);
    kit::require_equal("the CPU", kit::first_difference(out, p.expected));
    return table;
}

kit::Table one_or_four(Problem& p) {
    namespace metric = kit::metric;
    kit::Table table(
        "One float or four for each thread",
        {kit::text_column("variant"), kit::number_column("time", "ms", 4),
         kit::number_column("", "GB/s", 1), kit::number_column("of copy", "%", 1),
         kit::count_column("load requests"), kit::number_column("sectors/request", "", 1),
         kit::count_column("store requests")});
    std::optional<double> limit;  // what a copy reaches, same device, same run
    auto row = [&](const char* name, double arrays, const std::function<void()>& work) {
        const kit::Counted counted = kit::count(work);
        const auto ms = kit::time_device(work).median;
        const auto rate = kit::gigabytes_per_second(arrays * p.bytes(), ms);
        if (!limit) limit = rate;
        table.row({name, ms, rate, kit::percent(rate, limit),
                   counted[metric::load_requests],
                   counted.ratio(metric::load_sectors, metric::load_requests),
                   counted[metric::store_requests]});
    };
    row("cudaMemcpy on the device", 2, [&] {
        CUDA_CHECK(cudaMemcpyAsync(p.d_sum.data(), p.d_a.data(), p.d_a.bytes(),
                                   cudaMemcpyDeviceToDevice));
    });
    p.verify("add_float4", p.size, [&] { p.launch_add_float4(); });
    row("one float", 3, [&] { p.launch_add(); });
    row("one float4", 3, [&] { p.launch_add_float4(); });
    kit::check_launch("add_float4");
    return table;
}

int main(int argc, char** argv) {
    return kit::run_lesson([&] {
        std::size_t size = kit::on_emulator() ? 1'000'000 : 1u << 26, block = 256;
        kit::Arguments arguments("vector_add",
                                 "What is a kernel, and when is a GPU worth it?");
        arguments.size("size", size, 1, std::size_t(1) << 38, "elements of each array");
        arguments.size("block", block, 1, 1024, "threads in a block");
        arguments.parse(argc, argv);
        const double array = double(size) * sizeof(float);
        kit::require_memory("size", 3 * array, 7 * array);

        kit::Report report("vector_add", arguments.format());
        Problem problem(size, block);
        report.show(rounding_up(problem));
        report.show(returning_early(problem));
        report.show(where_time_goes(problem));
        report.show(host_memory(problem));
        report.show(one_or_four(problem));
        report.show(pointers(problem));
    });
}
