#pragma once
// Two arrays, their sum on the host and on the device: what every experiment works on.
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "kit/arguments.h"
#include "kit/check.h"
#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/table.h"

using Floats = std::vector<float>;

struct Problem {
    Problem(std::size_t n, std::size_t threads);

    double bytes() const { return double(size) * sizeof(float); }  // of one array
    // x[0..n) + b[0..n) into sum, all pointers that a kernel can follow.
    void launch_add(std::size_t n, const float* x, float* sum);
    void launch_add() { launch_add(size, d_a.data(), d_sum.data()); }
    void launch_add_float4();
    void verify(const char* version, std::size_t n, const std::function<void()>& launch);

    std::size_t size;
    unsigned block;         // threads in a block
    Floats a, b, expected;  // on the host
    kit::DeviceBuffer<float> d_a, d_b, d_sum;
};

// copies.cu
kit::Table returning_early(Problem& p);
kit::Table host_memory(Problem& p);
kit::Table pointers(Problem& p);
