#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "emulator/device/device.h"

using namespace emu;

namespace {

const char* const module = R"(
.version 9.0
.target sm_90
.address_size 64
.global .align 4 .u32 numbers[3] = {5, 6, 7};
.global .align 8 .u64 where[2] = {numbers, 0};
.const .align 4 .f32 scale = 0f40400000;
.global .align 1 .b8 text[7] = {104, 105, 32, 37, 100, 10, 0};
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);

.visible .entry _Z5scalePfi(.param .u64 out, .param .u32 n) .maxntid 128, 1, 1
{
    .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<5>; .reg .b64 %rd<9>;
    .shared .align 16 .b8 tile[48];
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra END;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.f32 %f1, [%rd3];
    ld.const.f32 %f2, [scale];
    mul.f32 %f3, %f1, %f2;
    ld.global.u64 %rd4, [where];
    ld.global.u32 %r3, [%rd4+4];
    cvt.rn.f32.u32 %f4, %r3;
    add.f32 %f3, %f3, %f4;
    st.global.f32 [%rd3], %f3;
END:
    ret;
}

.visible .entry speak(.param .u32 base)
{
    .local .align 8 .b8 depot[8];
    .reg .b32 %r<9>; .reg .b64 %rd<9>;
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    ld.param.u32 %r1, [base];
    mov.u32 %r2, %ctaid.x;
    add.u32 %r3, %r1, %r2;
    st.local.u32 [%rd1], %r3;
    mov.u64 %rd3, text;
    cvta.global.u64 %rd4, %rd3;
    {
    .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %rd4;
    st.param.b64 [a], %rd2;
    call.uni (r), vprintf, (f, a);
    ld.param.b32 %r4, [r];
    }
    ret;
}
)";

std::vector<std::byte> bytes_of(std::uint64_t a, std::uint32_t b) {
    std::vector<std::byte> bytes(12);
    std::memcpy(bytes.data(), &a, 8);
    std::memcpy(bytes.data() + 8, &b, 4);
    return bytes;
}

}  // namespace

TEST_CASE("what is known of a kernel before it runs") {
    Device device({});
    const ModuleId id = device.load(module);
    const auto info = device.kernel(id, "_Z5scalePfi");
    REQUIRE(info);
    CHECK(info->static_shared == 48);
    CHECK(info->parameter_bytes == 12);
    CHECK(info->parameters == std::vector<std::pair<int, int>>{{0, 8}, {8, 4}});
    CHECK(info->max_threads == 128);
    CHECK(info->constant_bytes == 4);
    CHECK(info->ptx_version == 90);
    CHECK(device.kernel(id, "speak")->local_bytes == 16);
    CHECK(!device.kernel(id, "absent"));
    CHECK(!device.kernel(id + 1, "speak"));
}

TEST_CASE("variables hold their initial values, addresses of others too") {
    Device device({});
    const ModuleId id = device.load(module);
    const auto scale = device.symbol(id, "scale"), numbers = device.symbol(id, "numbers"),
               where = device.symbol(id, "where");
    REQUIRE(scale);
    CHECK(scale->constant);
    CHECK(scale->bytes == 4);
    CHECK(numbers->bytes == 12);
    std::uint64_t pointed = 0;
    std::memcpy(&pointed, device.memory().find(where->address)->storage, 8);
    CHECK(pointed == numbers->address);
    CHECK(!device.symbol(id, "absent"));
    device.unload(id);
    CHECK(!device.symbol(id, "scale"));
    CHECK(device.memory().find(numbers->address) == nullptr);
}

TEST_CASE("a launch reports results, counters and the kernel's name") {
    Device device({});
    const ModuleId id = device.load(module);
    const Allocation* a = device.memory().allocate(400, Kind::device, "a");
    auto* values = reinterpret_cast<float*>(a->storage);
    for (int i = 0; i < 100; ++i) values[i] = static_cast<float>(i);
    const LaunchReport report =
        device.launch({id, "_Z5scalePfi", {}, {128, 1, 1}, 0, bytes_of(a->address, 100)});
    CHECK(report.error == 0);
    CHECK(report.kernel == "scale(float *, int)");
    CHECK(values[0] == 6.0f);  // 0 * 3 + numbers[1]
    CHECK(values[99] == 303.0f);
    CHECK(report.findings.empty());
    CHECK(report.counters.global_store_requests == 4);
    CHECK(report.counters.global_store_sectors == 13);  // 400 bytes in pieces of 32
}

TEST_CASE("an access beyond the array is dropped and told") {
    Device device({});
    const ModuleId id = device.load(module);
    const Allocation* a = device.memory().allocate(400, Kind::device, "a");
    std::memset(a->storage, 0, 400);
    const LaunchReport report =
        device.launch({id, "_Z5scalePfi", {}, {128, 1, 1}, 0, bytes_of(a->address, 101)});
    CHECK(report.error == 700);
    REQUIRE(!report.findings.empty());
    CHECK(report.findings[0].kind == "out-of-bounds");
    CHECK(report.findings[0].thread == Dim3{100, 0, 0});
    CHECK(report.findings[0].kernel == "scale(float *, int)");
    CHECK(report.findings[0].ptx_line > 0);
}

TEST_CASE("a kernel that is not there") {
    Device device({});
    const ModuleId id = device.load(module);
    CHECK(device.launch({id, "absent", {}, {}, 0, {}}).error == 98);
    CHECK(device.launch({id + 7, "speak", {}, {}, 0, {}}).error == 98);
}

TEST_CASE("a kernel whose text ends half-way, and PTX that is newer, are named") {
    Device device({});
    const std::string text = module;
    const ModuleId cut = device.load(text.substr(0, text.find(".reg .pred")));
    const LaunchReport no_code = device.launch({cut, "_Z5scalePfi", {}, {}, 0, {}});
    CHECK(no_code.error == 98);
    REQUIRE(no_code.findings.size() == 1);
    CHECK(no_code.findings[0].kind == "bad-image");

    std::string newer = text;
    newer.replace(newer.find("9.0"), 3, "9.9");
    newer.replace(newer.find("mul.f32"), 7, "mul.f99");
    const LaunchReport unknown =
        device.launch({device.load(newer), "_Z5scalePfi", {}, {1, 1, 1}, 0, bytes_of(0, 1)});
    const bool told = std::ranges::any_of(unknown.findings, [](const Finding& f) {
        return f.kind == "unsupported-instruction" &&
               f.message.find("9.9 is newer than 9.0") != f.message.npos;
    });
    CHECK(told);
}

TEST_CASE("printed lines come in the order of the blocks; the oldest are lost") {
    DeviceOptions options;
    options.host_threads = 3;
    Device device(options);
    const ModuleId id = device.load(module);
    std::vector<std::byte> base(4);
    const std::uint32_t first = 40;
    std::memcpy(base.data(), &first, 4);
    const LaunchReport all = device.launch({id, "speak", {5, 1, 1}, {1, 1, 1}, 0, base});
    CHECK(all.printed == "hi 40\nhi 41\nhi 42\nhi 43\nhi 44\n");
    CHECK(all.printed_lost == 0);
    device.options().printf_bytes = 24 * 10;  // a record: header, pattern, one argument
    const LaunchReport some =
        device.launch({id, "speak", {1000, 1, 1}, {1, 1, 1}, 0, base});
    CHECK(some.printed_lost == 990);
    CHECK(some.printed.substr(0, 8) == "hi 1030\n");
}
