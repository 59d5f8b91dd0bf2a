// The calls that need no kernel. Expected codes: what an H200 with CUDA 13.0 answered.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "emulator/runtime/host_fault.h"
#include "emulator/runtime/state.h"
#include "kit/emulator_table.h"

namespace {

[[maybe_unused]] const int quiet = setenv("WARPLINGS_REPORT", "quiet", 1);

const kit::EmulatorTable& table() {
    const void* found = nullptr;
    REQUIRE(cudaGetExportTable(&found, &kit::emulator_table_id) == cudaSuccess);
    return *static_cast<const kit::EmulatorTable*>(found);
}

// The kind of the only finding since the last call, or of how many there were.
std::string found() {
    kit::FindingView view;
    std::uint64_t count = table().findings();
    std::string kind = count == 0 ? "" : std::to_string(count) + " findings";
    if (count == 1 && table().finding(0, &view)) kind = view.kind;
    table().clear();
    return kind;
}

std::vector<int> ramp(int n) {
    std::vector<int> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 7);
    return values;
}

struct Buffer {
    int* d = nullptr;
    explicit Buffer(std::size_t bytes) { REQUIRE(cudaMalloc(&d, bytes) == cudaSuccess); }
    ~Buffer() { cudaFree(d); }
};

}  // namespace

TEST_CASE("bytes come back as they went, whole, in rows and in boxes") {
    std::vector<int> in = ramp(60), out(60, -1);
    Buffer b(240);
    CHECK(cudaMemcpy(b.d, in.data(), 240, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(out.data(), b.d, 240, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(in == out);

    std::size_t pitch = 0;
    void* rows = nullptr;
    CHECK(cudaMallocPitch(&rows, &pitch, 513, 4) == cudaSuccess);
    CHECK(pitch == 1024);
    CHECK(cudaMemcpy2D(rows, pitch, in.data(), 40, 40, 4, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    out.assign(60, -1);
    CHECK(cudaMemcpy2D(out.data(), 48, rows, pitch, 40, 4, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CHECK(out[9] == in[9]);
    CHECK(out[10] == -1);             // the rows are 48 bytes apart, 40 are copied
    CHECK(out[12] == in[10]);
    CHECK(out[45] == in[39]);
    CHECK(cudaFree(rows) == cudaSuccess);

    cudaPitchedPtr box{};
    CHECK(cudaMalloc3D(&box, {12, 2, 3}) == cudaSuccess);
    cudaMemcpy3DParms p{};
    p.srcPtr = {in.data(), 12, 12, 2};
    p.dstPtr = box;
    p.extent = {12, 2, 3};
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p) == cudaSuccess);
    out.assign(60, -1);
    p.srcPtr = box;
    p.srcPos = {4, 1, 1};             // one int in, second row, second layer
    p.dstPtr = {out.data(), 8, 8, 1};
    p.extent = {8, 1, 2};
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&p) == cudaSuccess);
    CHECK(out[0] == in[10]);          // (layer 1 * 2 rows + row 1) * 3 ints + 1
    CHECK(out[1] == in[11]);
    CHECK(out[2] == in[16]);
    CHECK(cudaFree(box.ptr) == cudaSuccess);
    CHECK(found() == "");
}

TEST_CASE("a copy's direction is held against its pointers as a GPU does") {
    Buffer a(400), b(400);
    int h[100] = {}, g[100] = {};
    CHECK(cudaMemcpy(a.d, h, 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(found() == "host-device-mixup");
    CHECK(cudaMemcpy(h, a.d, 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h, a.d, 64, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h, g, 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h, g, 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(found() == "4 findings");
    CHECK(cudaMemcpy(a.d, b.d, 400, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy(a.d, b.d, 400, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(h, a.d, 64, cudaMemcpyHostToHost) == cudaSuccess);
    CHECK(cudaMemcpy(a.d, h, 64, cudaMemcpyDefault) == cudaSuccess);
    CHECK(cudaMemcpy(a.d, h, 64, cudaMemcpyKind(9)) == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemset(h, 0, 64) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaSuccess);
    found();
}

TEST_CASE("copies and fills beyond an allocation are refused and named") {
    Buffer a(400);
    std::vector<char> h(1 << 20);
    CHECK(cudaMemcpy(a.d, h.data(), 404, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(found() == "copy-out-of-bounds");
    CHECK(cudaMemcpy(h.data(), a.d + 1, 400, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(found() == "copy-out-of-bounds");
    CHECK(cudaMemset(a.d, 0, 404) == cudaErrorInvalidValue);
    CHECK(found() == "copy-out-of-bounds");
    CHECK(cudaMemcpy(a.d, nullptr, 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(found() == "invalid-call");
    CHECK(cudaMemcpy(nullptr, h.data(), 0, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy2D(h.data(), 8, a.d, 4, 8, 2, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
    CHECK(cudaMemset2D(a.d, 4, 0, 8, 2) == cudaErrorInvalidValue);
    found();
    cudaGetLastError();
}

TEST_CASE("freeing what is not there, twice, or with the wrong call is refused and named") {
    int on_stack[4];
    int *d = nullptr, *pinned = nullptr;
    CHECK(cudaMalloc(&d, 400) == cudaSuccess);
    CHECK(cudaFree(on_stack) == cudaErrorInvalidValue);
    CHECK(found() == "invalid-free");
    CHECK(cudaFree(d + 1) == cudaErrorInvalidValue);
    CHECK(found() == "invalid-free");
    CHECK(cudaFreeHost(d) == cudaErrorInvalidValue);
    CHECK(found() == "invalid-free");
    CHECK(cudaFree(d) == cudaSuccess);
    CHECK(cudaFree(d) == cudaErrorInvalidValue);
    CHECK(found() == "double-free");
    CHECK(cudaMemcpy(on_stack, d, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(found() == "use-after-free");
    CHECK(cudaMallocHost(&pinned, 100) == cudaSuccess);
    CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);
    CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
    CHECK(cudaFree(nullptr) == cudaSuccess);
    CHECK(cudaFreeHost(nullptr) == cudaSuccess);
    found();
    cudaGetLastError();
}

TEST_CASE("sizes of zero, too much, and nowhere to put the pointer") {
    void* p = reinterpret_cast<void*>(5);
    CHECK(cudaMalloc(&p, 0) == cudaSuccess);
    CHECK(p == nullptr);
    CHECK(cudaMalloc(&p, 1ull << 44) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
    CHECK(std::string(cudaGetErrorString(cudaGetLastError())) == "invalid argument");
    std::size_t before, after, total;
    CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
    CHECK(total == 150109880320);
    Buffer b(1 << 20);
    CHECK(cudaMemGetInfo(&after, &total) == cudaSuccess);
    CHECK(before - after == 1 << 20);
}

TEST_CASE("a pointer's attributes say whose memory it is") {
    Buffer b(64);
    int on_stack = 0;
    void *managed = nullptr, *pinned = nullptr;
    CHECK(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal) == cudaSuccess);
    CHECK(cudaMallocHost(&pinned, 64) == cudaSuccess);
    cudaPointerAttributes a;
    CHECK(cudaPointerGetAttributes(&a, b.d) == cudaSuccess);
    CHECK(a.type == cudaMemoryTypeDevice);
    CHECK(a.devicePointer == b.d);
    CHECK(a.hostPointer == nullptr);
    CHECK(cudaPointerGetAttributes(&a, &on_stack) == cudaSuccess);
    CHECK(a.type == cudaMemoryTypeUnregistered);
    CHECK(a.device == -2);
    CHECK(a.hostPointer == &on_stack);
    CHECK(cudaPointerGetAttributes(&a, managed) == cudaSuccess);
    CHECK(a.type == cudaMemoryTypeManaged);
    CHECK(cudaPointerGetAttributes(&a, pinned) == cudaSuccess);
    CHECK(a.type == cudaMemoryTypeHost);
    static_cast<int*>(managed)[15] = 3;   // ordinary memory to the host
    CHECK(cudaFree(managed) == cudaSuccess);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);

    std::vector<char> own(4096);
    CHECK(cudaHostRegister(own.data(), 4096, 0) == cudaSuccess);
    CHECK(cudaHostRegister(own.data(), 4096, 0) == cudaErrorHostMemoryAlreadyRegistered);
    void* seen = nullptr;
    CHECK(cudaHostGetDevicePointer(&seen, own.data(), 0) == cudaSuccess);
    CHECK(seen == own.data());
    CHECK(cudaHostUnregister(own.data()) == cudaSuccess);
    CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
    cudaGetLastError();
}

TEST_CASE("events: order of calls, and what is not an error to be remembered") {
    cudaEvent_t a, b, untimed;
    float ms = -1;
    CHECK(cudaEventCreate(&a) == cudaSuccess);
    CHECK(cudaEventCreate(&b) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventQuery(a) == cudaSuccess);
    CHECK(cudaEventSynchronize(a) == cudaSuccess);
    CHECK(cudaEventRecord(a, nullptr) == cudaSuccess);
    CHECK(cudaEventRecord(b, nullptr) == cudaSuccess);
    cudaGetLastError();
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaErrorNotReady);
    CHECK(found() == "event-not-ready");
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    CHECK(cudaEventQuery(b) == cudaErrorNotReady);
    CHECK(cudaEventQuery(b) == cudaSuccess);      // a program that polls goes on
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaSuccess);
    CHECK(ms >= 0);
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
    CHECK(cudaEventRecord(untimed, nullptr) == cudaSuccess);
    CHECK(cudaEventSynchronize(untimed) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, a, untimed) == cudaErrorInvalidResourceHandle);
    cudaEvent_t none;
    CHECK(cudaEventCreateWithFlags(&none, 99) == cudaErrorInvalidValue);
    CHECK(cudaEventRecord(nullptr, nullptr) == cudaErrorInvalidResourceHandle);
    for (cudaEvent_t e : {a, b, untimed}) CHECK(cudaEventDestroy(e) == cudaSuccess);
    CHECK(cudaEventDestroy(a) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("an asynchronous copy to pinned memory lands when its stream has been waited for") {
    emu::watch_host_accesses();       // doctest put its own handler in front
    Buffer b(8192);
    std::vector<int> in = ramp(2048);
    CHECK(cudaMemcpy(b.d, in.data(), 8192, cudaMemcpyHostToDevice) == cudaSuccess);
    cudaStream_t s, other;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
    int* pinned = nullptr;
    CHECK(cudaMallocHost(&pinned, 8192) == cudaSuccess);
    pinned[0] = pinned[2047] = -1;
    CHECK(cudaMemcpyAsync(pinned, b.d, 8192, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaStreamSynchronize(other) == cudaSuccess);
    CHECK(*static_cast<volatile int*>(pinned + 2047) == -1);
    CHECK(found() == "copy-not-awaited");
    CHECK(cudaStreamSynchronize(s) == cudaSuccess);
    CHECK(pinned[0] == 7);
    CHECK(pinned[2047] == 2054);

    // The other stream waits for an event of the first: then so does who waits for it.
    pinned[0] = -1;
    cudaEvent_t e;
    CHECK(cudaEventCreate(&e) == cudaSuccess);
    CHECK(cudaMemcpyAsync(pinned, b.d, 8192, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(other, e, 0) == cudaSuccess);
    CHECK(cudaStreamSynchronize(other) == cudaSuccess);
    CHECK(pinned[0] == 7);
    CHECK(found() == "");
    CHECK(cudaEventDestroy(e) == cudaSuccess);
    CHECK(cudaFreeHost(pinned) == cudaSuccess);
    CHECK(cudaStreamDestroy(s) == cudaSuccess);
    CHECK(cudaStreamDestroy(other) == cudaSuccess);
    CHECK(cudaStreamDestroy(s) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("the default stream's events wait for other streams, and later copies stay on top") {
    emu::watch_host_accesses();
    Buffer b(4096);
    std::vector<int> first(1024, 11), second(1024, 22);
    cudaStream_t s, t;
    cudaEvent_t e;
    int* pinned = nullptr;
    CHECK(cudaStreamCreate(&s) == cudaSuccess);
    CHECK(cudaStreamCreate(&t) == cudaSuccess);
    CHECK(cudaEventCreate(&e) == cudaSuccess);
    CHECK(cudaMallocHost(&pinned, 4096) == cudaSuccess);

    CHECK(cudaMemcpy(b.d, first.data(), 4096, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpyAsync(pinned, b.d, 4096, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaEventRecord(e, nullptr) == cudaSuccess);
    CHECK(cudaEventSynchronize(e) == cudaSuccess);
    CHECK(pinned[1023] == 11);
    CHECK(found() == "");

    CHECK(cudaMemcpyAsync(pinned, b.d, 4096, cudaMemcpyDeviceToHost, s) == cudaSuccess);
    CHECK(cudaEventRecord(e, s) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(t, e, 0) == cudaSuccess);
    CHECK(cudaMemcpyAsync(b.d, second.data(), 4096, cudaMemcpyHostToDevice, t) == cudaSuccess);
    CHECK(cudaMemcpyAsync(pinned, b.d, 4096, cudaMemcpyDeviceToHost, t) == cudaSuccess);
    CHECK(cudaStreamSynchronize(t) == cudaSuccess);
    CHECK(pinned[0] == 22);
    CHECK(found() == "");
    cudaFreeHost(pinned);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

TEST_CASE("a host function runs in its stream's order, and may not call the runtime") {
    struct Seen {
        int calls = 0;
        cudaError_t inside = cudaSuccess;
    } seen;
    auto function = [](void* data) {
        auto& s = *static_cast<Seen*>(data);
        ++s.calls;
        void* p = nullptr;
        s.inside = cudaMalloc(&p, 4);
    };
    CHECK(cudaLaunchHostFunc(nullptr, function, &seen) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(seen.calls == 1);
    CHECK(seen.inside == cudaErrorNotPermitted);
}

TEST_CASE("devices: there is number 0") {
    int value = 0;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceCount(&value) == cudaSuccess);
    CHECK(value == 1);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    CHECK(cudaGetDeviceProperties(&p, 9) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetAttribute(&value, cudaDeviceAttr(9999), 0) == cudaErrorInvalidValue);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, 0) == cudaSuccess);
    CHECK(value == 0);
    CHECK(cudaDeviceCanAccessPeer(&value, 0, 1) == cudaErrorInvalidDevice);
    char bus[32];
    CHECK(cudaDeviceGetPCIBusId(bus, 4, 0) == cudaErrorInvalidValue);
    CHECK(cudaDeviceGetPCIBusId(bus, 32, 0) == cudaSuccess);
    CHECK(cudaDeviceGetByPCIBusId(&value, bus) == cudaSuccess);
    std::size_t limit = 0;
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize) == cudaSuccess);
    CHECK(limit == 1024);
    CHECK(cudaDeviceSetLimit(cudaLimit(77), 1) == cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST_CASE("an error belongs to the thread that met it") {
    CHECK(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
    cudaError_t elsewhere = cudaErrorUnknown;
    std::thread([&] { elsewhere = cudaGetLastError(); }).join();
    CHECK(elsewhere == cudaSuccess);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    found();
}

TEST_CASE("codes have the toolkit's names, and the wordings that people search for") {
    CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
    CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
          "an illegal memory access was encountered");
    CHECK(std::string(cudaGetErrorString(cudaErrorGraphExecUpdateFailure)) ==
          "graph exec update failure");
    CHECK(std::string(cudaGetErrorName(cudaError_t(1234))) == "unrecognized error code");
    CHECK(std::string(cudaGetErrorString(cudaError_t(1234))) == "unrecognized error code");
}

TEST_CASE("what has no device variable is no symbol; no kernel is no kernel") {
    int on_stack = 0;
    CHECK(cudaMemcpyToSymbol(&on_stack, &on_stack, 4, 0, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidSymbol);
    CHECK(found() == "invalid-symbol");
    void* arguments[] = {&on_stack};
    CHECK(cudaLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr) ==
          cudaErrorInvalidDeviceFunction);
    CHECK(cudaLaunchKernel(&on_stack, dim3(1), dim3(1), arguments, 0, nullptr) ==
          cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("the child of a fork is told that the device is not its own") {
    Buffer b(16);
    pid_t child = fork();
    if (child == 0) {
        void* p = nullptr;
        _exit(cudaMalloc(&p, 4) == cudaErrorInitializationError ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    void* p = nullptr;
    CHECK(cudaMalloc(&p, 4) == cudaSuccess);
    CHECK(cudaFree(p) == cudaSuccess);
}
