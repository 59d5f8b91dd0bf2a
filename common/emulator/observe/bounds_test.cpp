// What is said about bad accesses.
#include <doctest/doctest.h>

#include <memory>

#include "emulator/ops/memory_machine.h"

using namespace emu;

namespace {

struct Bad {
    std::unique_ptr<MemoryMachine> m = std::make_unique<MemoryMachine>();

    // The findings of one access by all lanes.
    std::vector<Finding> of(const char* text,
                            const std::function<std::uint64_t(int)>& address) {
        const auto base = m->wide(address), value = m->wide([](int) { return 1; });
        const bool store = std::string_view(text).starts_with("st");
        const Inst in = store ? m->inst(memory_ops, text, {base, value}, 3)
                              : m->inst(memory_ops, text, {value, base}, 3);
        in.run(m->warp, in, all_lanes);
        value_slot = value;
        return m->findings();
    }
    std::int32_t value_slot = 0;
};

}  // namespace

TEST_CASE(
    "an access past the end names thread, offset, index and the allocation's length") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(360, Kind::device, "cudaMalloc");
    const_cast<Allocation*>(a)->place = "negate.cu:31";
    const auto found =
        bad.of("st.global.u32", [&](int lane) { return a->address + 256 + 4 * lane; });
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "out-of-bounds");
    CHECK(found[0].message ==
          "thread (26,0,0) of block (5,0,0) writes 4 bytes at offset 360 of a 360-byte "
          "allocation (cudaMalloc at negate.cu:31), index 90 of length 90");
    CHECK(found[0].count == 6);
    CHECK(found[0].error == 700);
    CHECK(found[0].address == a->address + 360);
    CHECK(found[0].remedy.find("if (i < n)") != std::string::npos);
    // The good lanes' stores were done, and counted alone.
    CHECK(a->storage[4 * 25 + 256] == std::byte{1});
    CHECK(bad.m->counting.counters.global_store_sectors == 4);
}

TEST_CASE("a size that is no whole number of elements is told as one") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(31, Kind::device, "cudaMalloc");
    const auto found =
        bad.of("st.global.u32", [&](int lane) { return a->address + 4 * (lane % 8); });
    REQUIRE(found.size() == 1);
    CHECK(found[0].remedy.find("sizeof") != std::string::npos);
}

TEST_CASE("an index that came out negative is told as one") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(4000, Kind::device, "cudaMalloc");
    const auto found = bad.of("ld.global.u32", [&](int lane) {
        return lane == 3 ? a->address - 212 * 4 : a->address + lane;
    });
    bool told = false;
    for (const Finding& f : found)
        if (f.kind == "out-of-bounds") {
            told = true;
            CHECK(f.message.find("offset -848") != std::string::npos);
            CHECK(f.message.find("index -212 of length 1000") != std::string::npos);
            CHECK(f.remedy.find("overflows int") != std::string::npos);
        }
    CHECK(told);
}

TEST_CASE("null, freed, host and unknown addresses each have their kind; loads give 0") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(128, Kind::device, "cudaMalloc");
    const std::uint64_t address = a->address;
    bad.m->memory.release(address);
    int here[32] = {};
    struct Case {
        std::uint64_t at;
        const char* kind;
        const char* says;
    };
    for (const Case& c :
         {Case{0, "null-pointer", "through a null pointer"},
          Case{address, "use-after-free", "has been freed"},
          Case{reinterpret_cast<std::uint64_t>(here), "host-pointer",
               "is a host pointer"},
          Case{shared_window + 64, "illegal-address", "shared or local"},
          Case{device_base + (40ull << 20), "illegal-address", "where no memory is"}}) {
        CAPTURE(c.kind);
        const auto found =
            bad.of("ld.global.u32", [&](int lane) { return c.at + 4 * lane; });
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == c.kind);
        CHECK(found[0].message.find(c.says) != std::string::npos);
        CHECK(found[0].count == 32);
        CHECK_FALSE(found[0].remedy.empty());
        CHECK(bad.m->w(bad.value_slot, 9) == 0);
    }
    CHECK(bad.m->counting.counters.global_load_requests == 0);
}

TEST_CASE("a misaligned access is told with its width and ends with its own error") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(1024, Kind::device, "cudaMalloc");
    const auto found =
        bad.of("ld.global.f64", [&](int lane) { return a->address + 4 + 8 * lane; });
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "misaligned-access");
    CHECK(found[0].error == 716);
    CHECK(found[0].message.find("no multiple of 8") != std::string::npos);
    CHECK(found[0].count == 32);
}

TEST_CASE("constants can be read and not written") {
    Bad bad;
    const Allocation* a = bad.m->memory.allocate(256, Kind::constant, "weights");
    CHECK(
        bad.of("ld.const.u32", [&](int lane) { return a->address + 4 * lane; }).empty());
    CHECK(bad.m->counting.counters.constant_requests == 32);
    const auto found = bad.of("st.global.u32", [&](int) { return a->address; });
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "read-only-write");
    CHECK(found[0].message.find("'weights'") != std::string::npos);
    CHECK(a->storage[0] == std::byte{0xcd});
}

TEST_CASE("shared accesses beyond the block's arrays name the array and the index") {
    Bad bad;
    bad.m->block.shared_bytes = 256;
    bad.m->launch.shared_arrays = {{"_ZZ4blurPKiPiiE4tile", 0, 256}};
    auto found = bad.of("ld.shared.u32", [](int lane) { return 4 * (lane + 33); });
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "shared-out-of-bounds");
    CHECK(found[0].message.find("thread (31,0,0)") == 0);
    CHECK(found[0].message.find("'tile', which has 256 bytes, index 64 of length 64") !=
          std::string::npos);
    found =
        bad.of("ld.shared.u32", [](int lane) { return std::uint32_t(4 * (lane - 1)); });
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("index -1 of length 64") != std::string::npos);
}

TEST_CASE("the earliest thread is the example, whatever order findings come in") {
    auto m = std::make_unique<MemoryMachine>();
    const Allocation* a = m->memory.allocate(64, Kind::device, "cudaMalloc");
    const auto base = m->wide([&](int) { return a->address + 64; });
    const Inst in = m->inst(memory_ops, "ld.global.u32", {m->narrow(), base}, 2);
    FindingSink other;
    for (const std::uint64_t number : {9, 4, 7}) {
        m->worker.findings = number == 4 ? &other : &m->sink;
        m->block.number = number;
        m->block.index = {std::uint32_t(number), 0, 0};
        in.run(m->warp, in, number == 7 ? 0xf0u : all_lanes);
    }
    m->sink.join(std::move(other));
    const auto found = m->findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].block == Dim3{4, 0, 0});
    CHECK(found[0].count == 68);
}
