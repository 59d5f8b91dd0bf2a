// What the runtime's manual says of stream attributes and of the L2 set-aside.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

namespace {

struct NewStream {
    cudaStream_t handle = nullptr;
    NewStream() { REQUIRE(cudaStreamCreate(&handle) == cudaSuccess); }
    ~NewStream() { cudaStreamDestroy(handle); }
};

cudaStreamAttrValue window(float hit_ratio) {
    cudaStreamAttrValue value{};
    value.accessPolicyWindow.num_bytes = 4096;
    value.accessPolicyWindow.hitRatio = hit_ratio;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    return value;
}

constexpr auto policy = cudaStreamAttributeAccessPolicyWindow;

}  // namespace

TEST_CASE("a stream's attributes are kept, copied and checked") {
    NewStream a, b;
    cudaStreamAttrValue set = window(0.5f), got{};
    CHECK(cudaStreamSetAttribute(a.handle, policy, &set) == cudaSuccess);
    CHECK(cudaStreamGetAttribute(a.handle, policy, &got) == cudaSuccess);
    CHECK(got.accessPolicyWindow.num_bytes == 4096);
    CHECK(got.accessPolicyWindow.hitRatio == 0.5f);

    CHECK(cudaStreamGetAttribute(b.handle, policy, &got) == cudaSuccess);
    CHECK(got.accessPolicyWindow.num_bytes == 0);
    CHECK(cudaStreamCopyAttributes(b.handle, a.handle) == cudaSuccess);
    CHECK(cudaStreamGetAttribute(b.handle, policy, &got) == cudaSuccess);
    CHECK(got.accessPolicyWindow.num_bytes == 4096);

    set = window(1.5f);
    CHECK(cudaStreamSetAttribute(a.handle, policy, &set) == cudaErrorInvalidValue);
    CHECK(cudaStreamSetAttribute(a.handle, cudaLaunchAttributeCooperative, &set) ==
          cudaErrorInvalidValue);
}

TEST_CASE("part of L2 can be set aside, until the device starts afresh") {
    std::size_t bytes = 1;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
    CHECK(bytes == 0);
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
    CHECK(bytes == 1 << 20);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
    CHECK(bytes == 0);
}
