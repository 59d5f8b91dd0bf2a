#include <doctest/doctest.h>

#include <cstring>
#include <memory>

#include "emulator/ops/memory_machine.h"

using namespace emu;

TEST_CASE("cp.async copies at once and fills with zero what it is told not to read") {
    auto m = std::make_unique<MemoryMachine>();
    // 31 full chunks and one of 4 bytes: what lies behind belongs to nobody.
    const Allocation* a = m->memory.allocate(31 * 16 + 4, Kind::device, "cudaMalloc");
    for (std::uint64_t k = 0; k < a->bytes; ++k) a->storage[k] = std::byte(k * 7 + 3);
    m->shared.fill(std::byte{0xee});
    const auto to = m->narrow([](int lane) { return 16u * (31 - lane); });
    const auto from = m->wide([&](int lane) { return a->address + 16 * lane; });
    const auto size = m->narrow([](int) { return 16; });
    const auto read = m->narrow([](int lane) {
        return lane == 31 ? 4 : lane == 8 ? 0 : 16;
    });
    const Inst copy =
        m->inst(async_ops, "cp.async.cg.shared.global", {to, from, size, read}, 2);
    REQUIRE(bool(copy.run));
    copy.run(m->warp, copy, all_lanes & ~lane_bit(5));
    CHECK(m->findings().empty());
    for (int lane = 0; lane < warp_size; ++lane)
        for (int k = 0; k < 16; ++k) {
            const int bytes = lane == 31 ? 4 : lane == 8 ? 0 : 16;
            const std::byte expected = lane == 5   ? std::byte{0xee}
                                       : k < bytes ? std::byte((16 * lane + k) * 7 + 3)
                                                   : std::byte{0};
            CHECK(m->shared[16 * (31 - lane) + k] == expected);
        }
}

TEST_CASE("an mbarrier's phase ends with the last arrival and starts the next") {
    auto m = std::make_unique<MemoryMachine>();
    const auto at = m->narrow([](int) { return 64; });
    const auto needed = m->narrow([](int) { return 32 + 2; });
    const Inst init = m->inst(async_ops, "mbarrier.init.shared.b64", {at, needed}, 0);
    const auto state = m->wide(), later = m->wide();
    Inst arrive = m->inst(async_ops, "mbarrier.arrive.shared.b64", {state, at, -1}, 1);
    const Inst test =
        m->inst(async_ops, "mbarrier.test_wait.shared.b64", {128, at, state, -1}, 4);
    const auto parity = m->narrow([](int) { return 0; });
    const Inst by_parity = m->inst(async_ops, "mbarrier.try_wait.parity.shared.b64",
                                   {132, at, parity, -1}, 0);
    REQUIRE(bool(init.run));
    init.run(m->warp, init, 1);
    arrive.run(m->warp, arrive, all_lanes);
    test.run(m->warp, test, all_lanes);
    by_parity.run(m->warp, by_parity, all_lanes);
    CHECK(predicate(m->warp, 128) == 0);
    CHECK(predicate(m->warp, 132) == 0);
    arrive.slot[0] = later;
    arrive.run(m->warp, arrive, 3);  // the two that were missing
    test.run(m->warp, test, all_lanes);
    by_parity.run(m->warp, by_parity, all_lanes);
    CHECK(predicate(m->warp, 128) == all_lanes);
    CHECK(predicate(m->warp, 132) == all_lanes);
    arrive.run(m->warp, arrive, all_lanes);  // into the next phase
    by_parity.run(m->warp, by_parity, all_lanes);
    CHECK(predicate(m->warp, 132) == all_lanes);
    lanes<std::uint32_t>(m->warp, parity)[7] = 1;
    by_parity.run(m->warp, by_parity, all_lanes);
    CHECK(predicate(m->warp, 132) == (all_lanes & ~lane_bit(7)));
}

TEST_CASE("fences and waits do nothing; bulk copies are not supported") {
    MemoryMachine m;
    for (const char* text :
         {"cp.async.commit_group", "cp.async.wait_all", "cp.async.wait_group",
          "fence.acq_rel.gpu", "fence.proxy.async", "membar.gl", "griddepcontrol.wait"})
        CHECK(bool(m.inst(async_ops, text, {}, 0).run));
    for (const char* text : {"cp.async.bulk.shared::cluster.global.mbarrier",
                             "cp.reduce.async", "mbarrier.arrive.expect_tx.shared.b64"})
        CHECK_FALSE(bool(m.inst(async_ops, text, {0, 0, 0}, 0).run));
}
