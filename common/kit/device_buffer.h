#pragma once
// Owns an array in device memory: allocated when made, freed when it goes out of scope.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kit/check.h"

namespace kit {

// What a poisoned buffer is filled with. As a float it is -4.3e8, as an int -842150451:
// a result that still holds it was never written.
inline constexpr unsigned char poison_byte = 0xCD;

enum class Fill { none, poison };

template <class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t size, Fill fill = Fill::none) : size_(size) {
        if (size == 0) return;  // kernels are not launched on nothing; no pointer needed
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
        if (fill == Fill::poison) CUDA_CHECK(cudaMemset(data_, poison_byte, bytes()));
    }
    explicit DeviceBuffer(const std::vector<T>& values) : DeviceBuffer(values.size()) {
        copy_in(values);
    }
    // A failing free has no caller that could act on it, so its status is dropped.
    ~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }

    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

    void copy_in(std::span<const T> values) {
        if (values.size() != size_)
            throw std::invalid_argument(
                "DeviceBuffer::copy_in: " + std::to_string(values.size()) +
                " values for " + std::to_string(size_) + " places");
        if (size_ > 0)
            CUDA_CHECK(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<T> copy_out() const {
        std::vector<T> values(size_);
        if (size_ > 0)
            CUDA_CHECK(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t size_;
};

}  // namespace kit
