#pragma once
// Turns CUDA status codes into exceptions that say where, what, and what to look at.
#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>

namespace kit {

class CudaError : public std::runtime_error {
public:
    CudaError(cudaError_t code, const char* call, const std::source_location& at);
    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

// What usually causes this error and what to do; empty for codes that explain themselves.
const char* remedy(cudaError_t code);

// Throws CudaError unless `code` is success; `call` is the source text of the call.
void check(cudaError_t code, const char* call,
           std::source_location at = std::source_location::current());

// A launch returns nothing, so its errors surface in two later places: bad geometry at
// once, faults inside the kernel only when the device is waited for. This asks both.
void check_launch(const char* kernel,
                  std::source_location at = std::source_location::current());

}  // namespace kit

#define CUDA_CHECK(call) ::kit::check((call), #call)
