#include "emulator/mem/memory.h"

#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <vector>

using namespace emu;

namespace {
constexpr std::uint64_t mib = 1 << 20;
}

TEST_CASE(
    "allocations are 256-byte aligned, apart, poisoned, and at repeatable addresses") {
    std::vector<std::uint64_t> first;
    for (int round = 0; round < 2; ++round) {
        Memory memory(64 * mib);
        std::vector<std::uint64_t> addresses;
        std::uint64_t end = 0;
        for (std::uint64_t bytes : {1ul, 255ul, 256ul, 1000ul, 0ul, 3 * mib}) {
            const Allocation* a = memory.allocate(bytes, Kind::device, "cudaMalloc");
            REQUIRE(a);
            CHECK(a->address % 256 == 0);
            CHECK(a->address >= end + 256);
            CHECK(Memory::is_device_address(a->address));
            for (std::uint64_t at = 0; at < bytes; at += 97)
                CHECK(a->storage[at] == std::byte{0xcd});
            end = a->address + bytes;
            addresses.push_back(a->address);
        }
        if (round == 0) first = addresses;
        CHECK(addresses == first);
    }
}

TEST_CASE("find sees whole accesses within live allocations only") {
    Memory memory(mib);
    const Allocation* a = memory.allocate(100, Kind::device, "cudaMalloc");
    const std::uint64_t at = a->address;
    CHECK(memory.find(at, 100) == a);
    CHECK(memory.find(at + 96, 4) == a);
    CHECK(memory.find(at + 97, 4) == nullptr);
    CHECK(memory.find(at + 100) == nullptr);
    CHECK(memory.find(at - 1) == nullptr);
    CHECK(memory.find(at, ~0ull) == nullptr);
    CHECK(memory.nearest(at + 200) == a);
    CHECK(memory.nearest(at - 40) == a);
    CHECK(memory.nearest(at + 10 * mib) == nullptr);
    const std::uint64_t before = memory.generation();
    CHECK(memory.release(at));
    CHECK(memory.generation() != before);
    CHECK(memory.find(at) == nullptr);
    CHECK(memory.nearest(at)->freed);
    CHECK_FALSE(memory.release(at));
    CHECK_FALSE(memory.release(at + 4));
}

TEST_CASE("the capacity is a limit, and what is freed can be had again") {
    Memory memory(10 * mib);
    const Allocation* big = memory.allocate(8 * mib, Kind::device, "cudaMalloc");
    REQUIRE(big);
    CHECK(memory.used() == 8 * mib);
    CHECK(memory.allocate(3 * mib, Kind::device, "cudaMalloc") == nullptr);
    CHECK(memory.allocate(~0ull, Kind::device, "cudaMalloc") == nullptr);
    CHECK(memory.release(big->address));
    CHECK(memory.used() == 0);
    // Many times the range's size in all: quarantine gives way.
    for (int round = 0; round < 40; ++round) {
        const Allocation* a = memory.allocate(9 * mib, Kind::device, "cudaMalloc");
        REQUIRE(a);
        CHECK(a->storage[9 * mib - 1] == std::byte{0xcd});
        a->storage[9 * mib - 1] = std::byte{1};
        CHECK(memory.release(a->address));
    }
}

TEST_CASE("a freed address is not handed out while it is in quarantine") {
    Memory memory(64 * mib);
    std::set<std::uint64_t> seen;
    for (int round = 0; round < 500; ++round) {
        const Allocation* a = memory.allocate(1000, Kind::device, "cudaMalloc");
        CHECK(seen.insert(a->address).second);
        memory.release(a->address);
    }
}

TEST_CASE(
    "large allocations are poisoned throughout and cost nothing until they are used") {
    Memory memory(140ull << 30);
    const Allocation* a = memory.allocate(100ull << 30, Kind::device, "cudaMalloc");
    if (!a) return;  // the host limits address space
    for (std::uint64_t at = 12345; at < a->bytes; at += 9ull << 30)
        CHECK(a->storage[at] == std::byte{0xcd});
    CHECK(a->storage[a->bytes - 1] == std::byte{0xcd});
}

TEST_CASE(
    "host memory is known under its own address and replaces what was freed there") {
    Memory memory(mib);
    std::vector<std::byte> host(4096);
    const Allocation* a = memory.adopt(host.data(), 4096, Kind::pinned, "cudaMallocHost");
    REQUIRE(a);
    const auto at = reinterpret_cast<std::uint64_t>(host.data());
    CHECK(memory.find(at + 4095) == a);
    CHECK(memory.find(at)->storage == host.data());
    CHECK(memory.used() == 0);
    CHECK_FALSE(Memory::is_device_address(at));
    CHECK(memory.adopt(host.data() + 8, 16, Kind::pinned, "again") == nullptr);
    CHECK(memory.release(at));
    const Allocation* b =
        memory.adopt(host.data() + 8, 16, Kind::managed, "cudaMallocManaged");
    REQUIRE(b);
    CHECK(memory.find(at + 8) == b);
    CHECK(memory.find(at) == nullptr);
}

TEST_CASE("plain host addresses are told from addresses where nothing is") {
    Memory memory(mib);
    int here = 3;
    CHECK(Memory::is_host_address(reinterpret_cast<std::uint64_t>(&here)));
    CHECK_FALSE(Memory::is_host_address(8));
    const Allocation* a = memory.allocate(64, Kind::device, "cudaMalloc");
    CHECK_FALSE(Memory::is_host_address(a->address));
}

TEST_CASE("host threads may allocate at the same time") {
    Memory memory(256 * mib);
    std::vector<std::vector<std::uint64_t>> got(4);
    std::vector<std::thread> threads;
    for (auto& mine : got)
        threads.emplace_back([&] {
            for (int k = 0; k < 300; ++k)
                mine.push_back(
                    memory.allocate(100 + k, Kind::device, "cudaMalloc")->address);
        });
    for (auto& thread : threads) thread.join();
    std::set<std::uint64_t> all;
    for (auto& mine : got)
        for (std::uint64_t at : mine) CHECK(all.insert(at).second);
}
