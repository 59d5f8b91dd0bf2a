// The host's side of vector add: calls that return before their work is done, memory that
// copies faster, and memory that needs no copy.
#include <algorithm>
#include <cstddef>

#include "kit/timer.h"
#include "vector_add.h"

kit::Table returning_early(Problem& p) {
    kit::Table table(
        "When the call returns, and when the work is done",
        {kit::text_column("call"), kit::number_column("returns after", "ms", 4),
         kit::number_column("done after", "ms", 4)});
    auto row = [&](const char* name, const std::function<void()>& call) {
        const kit::Timing returned = kit::time_host(call);
        const kit::Timing done = kit::time_host([&] {
            call();
            CUDA_CHECK(cudaDeviceSynchronize());
        });
        table.row({name, returned.median, done.median});
    };
    row("kernel launch", [&] { p.launch_add(); });
    row("cudaMemcpy, device to device", [&] {
        CUDA_CHECK(cudaMemcpy(p.d_sum.data(), p.d_a.data(), p.d_a.bytes(),
                              cudaMemcpyDeviceToDevice));
    });
    row("cudaMemcpy, host to device", [&] { p.d_a.copy_in(p.a); });
    return table;
}

kit::Table host_memory(Problem& p) {
    kit::Table table(
        "Pageable and pinned host memory",
        {kit::text_column("copy"), kit::count_column("bytes"),
         kit::number_column("time", "ms", 3), kit::number_column("", "GB/s", 1)});
    Floats pageable = p.a;
    float* pinned = nullptr;
    CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&pinned), p.d_a.bytes()));
    std::copy(p.a.begin(), p.a.end(), pinned);
    auto row = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
        auto copy = [&] { CUDA_CHECK(cudaMemcpy(to, from, p.d_a.bytes(), kind)); };
        const auto ms = kit::time_host(copy, {1, 5}).median;
        table.row({name, p.d_a.bytes(), ms, kit::gigabytes_per_second(p.bytes(), ms)});
    };
    row("pageable to device", p.d_a.data(), pageable.data(), cudaMemcpyHostToDevice);
    row("pinned to device", p.d_a.data(), pinned, cudaMemcpyHostToDevice);
    row("device to pageable", pageable.data(), p.d_a.data(), cudaMemcpyDeviceToHost);
    row("device to pinned", pinned, p.d_a.data(), cudaMemcpyDeviceToHost);
    CUDA_CHECK(cudaFreeHost(pinned));
    return table;
}

// Adds through pointers of each kind: `a` and `sum` are of it, and no copy is made.
kit::Table pointers(Problem& p) {
    kit::Table table("Which pointers a kernel may follow",
                     {kit::text_column("memory"), kit::text_column("result")});
    const std::size_t n = std::min<std::size_t>(p.size, 1000);
    const Floats right(p.expected.begin(), p.expected.begin() + std::ptrdiff_t(n));
    auto row = [&](const char* name, float* a, float* sum, float* host_sum) {
        p.launch_add(n, a, sum);
        kit::check_launch(name);
        kit::require_equal(name,
                           kit::first_difference(Floats(host_sum, host_sum + n), right));
        table.row({name, "right, without a copy"});
    };
    float *mapped = nullptr, *managed = nullptr, *d_mapped = nullptr;
    const std::size_t bytes = 2 * n * sizeof(float);
    CUDA_CHECK(
        cudaHostAlloc(reinterpret_cast<void**>(&mapped), bytes, cudaHostAllocMapped));
    CUDA_CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&d_mapped), mapped, 0));
    CUDA_CHECK(cudaMallocManaged(reinterpret_cast<void**>(&managed), bytes));
    for (float* host : {mapped, managed}) std::copy_n(p.a.begin(), n, host);
    row("pinned and mapped (cudaHostAlloc)", d_mapped, d_mapped + n, mapped + n);
    row("managed (cudaMallocManaged)", managed, managed + n, managed + n);
    int pageable_access = 0;
    CUDA_CHECK(
        cudaDeviceGetAttribute(&pageable_access, cudaDevAttrPageableMemoryAccess, 0));
    Floats plain(2 * n);
    std::copy_n(p.a.begin(), n, plain.begin());
    if (pageable_access)
        row("plain (new, std::vector)", plain.data(), plain.data() + n, plain.data() + n);
    else
        table.row({"plain (new, std::vector)", "not on this device: an illegal access"});
    CUDA_CHECK(cudaFreeHost(mapped));
    CUDA_CHECK(cudaFree(managed));
    return table;
}
