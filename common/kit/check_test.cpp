#include "kit/check.h"

#include <doctest/doctest.h>

#include <string>

static std::string message_of(cudaError_t code) {
    try {
        kit::check(code, "cudaMalloc(&data, bytes)");
    } catch (const kit::CudaError& error) {
        CHECK(error.code() == code);
        return error.what();
    }
    return "";
}

TEST_CASE("success passes without a word") { CHECK_NOTHROW(CUDA_CHECK(cudaSuccess)); }

TEST_CASE("an error tells the place, the call, the name, the number and the remedy") {
    const std::string text = message_of(cudaErrorMemoryAllocation);
    CHECK(text.find("check_test.cpp:9: cudaMalloc(&data, bytes)") == 0);
    CHECK(text.find("cudaErrorMemoryAllocation (2)") != std::string::npos);
    CHECK(text.find("smaller --size") != std::string::npos);
}

TEST_CASE("the macro hands on the text of the call") {
    try {
        CUDA_CHECK(cudaErrorIllegalAddress);
        FAIL("did not throw");
    } catch (const kit::CudaError& error) {
        CHECK(std::string(error.what()).find("cudaErrorIllegalAddress\n") !=
              std::string::npos);
    }
}

TEST_CASE("an error without a remedy of ours still has CUDA's own words") {
    CHECK(std::string(kit::remedy(cudaErrorUnknown)).empty());
    CHECK(message_of(cudaErrorUnknown).find("cudaErrorUnknown (999)") !=
          std::string::npos);
}
