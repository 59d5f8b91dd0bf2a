#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <thread>

#include "emulator/ops/memory_machine.h"

using namespace emu;

namespace {

template <class T>
T bits(auto value) {
    static_assert(sizeof(T) == sizeof(value));
    return std::bit_cast<T>(value);
}

// One 32-bit atomic by lane 0 on a word; what it held and what it returned.
struct Outcome {
    std::uint32_t now, old;
};
Outcome one(const char* text, std::uint32_t held, std::uint32_t b, std::uint32_t c = 0) {
    auto m = std::make_unique<MemoryMachine>();
    const bool shared = std::string_view(text).find("shared") != std::string_view::npos;
    const Allocation* a = m->memory.allocate(4, Kind::device, "cudaMalloc");
    std::byte* at = shared ? m->shared.data() + 8 : a->storage;
    std::memcpy(at, &held, 4);
    const auto base = m->wide([&](int) { return shared ? 8 : a->address; });
    const auto d = m->narrow();
    const auto operand = m->narrow([&](int) { return b; }),
               third = m->narrow([&](int) { return c; });
    const Inst in = m->inst(atomic_ops, text, {d, base, operand, third}, 2);
    REQUIRE(bool(in.run));
    in.run(m->warp, in, 1);
    CHECK(m->findings().empty());
    Outcome outcome{0, m->n(d, 0)};
    std::memcpy(&outcome.now, at, 4);
    return outcome;
}

}  // namespace

TEST_CASE(
    "each operation gives the new value that the manual defines and returns the old") {
    const std::uint32_t minus = 0xfffffffbu;  // -5
    struct Case {
        const char* text;
        std::uint32_t held, b, c, now;
    };
    for (const Case& c :
         {Case{"atom.global.add.u32", minus, 7, 0, 2},
          Case{"atom.global.min.s32", minus, 3, 0, minus},
          Case{"atom.global.min.u32", minus, 3, 0, 3},
          Case{"atom.global.max.s32", minus, 3, 0, 3},
          Case{"atom.shared.max.u32", minus, 3, 0, minus},
          Case{"atom.shared.and.b32", 0xff0fu, 0x0ff0u, 0, 0x0f00u},
          Case{"atom.global.or.b32", 0xff0fu, 0x0ff0u, 0, 0xffffu},
          Case{"atom.global.xor.b32", 0xff0fu, 0x0ff0u, 0, 0xf0ffu},
          Case{"atom.global.exch.b32", 12, 34, 0, 34},
          Case{"atom.global.cas.b32", 12, 12, 56, 56},
          Case{"atom.acquire.gpu.global.cas.b32", 12, 13, 56, 12},
          Case{"atom.global.inc.u32", 4, 5, 0, 5},
          Case{"atom.global.inc.u32", 5, 5, 0, 0},
          Case{"atom.global.inc.u32", 9, 5, 0, 0},
          Case{"atom.shared.dec.u32", 4, 5, 0, 3},
          Case{"atom.global.dec.u32", 0, 5, 0, 5},
          Case{"atom.global.dec.u32", 9, 5, 0, 5},
          // Subnormals: kept in shared memory, flushed in global.
          Case{"atom.shared.add.f32", 0x00000003u, 0x00000004u, 0, 0x00000007u},
          Case{"atom.global.add.f32", 0x00000003u, 0x80000004u, 0, 0x00000000u},
          Case{"atom.global.add.f32", 0x3fc00000u, 0x40200000u, 0, 0x40800000u},
          // f16: 1.5 + 2.25 = 3.75, -2 + 0.5 = -1.5
          Case{"atom.global.add.noftz.f16x2", 0xc0003e00u, 0x38004080u, 0, 0xbe004380u},
          Case{"atom.global.add.noftz.bf16x2", 0x3fc04000u, 0x40203f80u, 0,
               0x40804040u}}) {
        CAPTURE(c.text);
        CAPTURE(c.held);
        const Outcome outcome = one(c.text, c.held, c.b, c.c);
        CHECK(outcome.now == c.now);
        CHECK(outcome.old == c.held);
    }
}

TEST_CASE("lanes act in ascending order, and a half beside another is left alone") {
    auto m = std::make_unique<MemoryMachine>();
    const Allocation* a = m->memory.allocate(8, Kind::device, "cudaMalloc");
    const std::uint16_t held[2] = {0x3c00, 0x1234};  // 1.0 and something
    std::memcpy(a->storage, held, 4);
    const auto base = m->wide([&](int) { return a->address; });
    const auto one_half = m->narrow([](int) { return 0x3c00; }), d = m->narrow();
    const Inst add =
        m->inst(atomic_ops, "atom.global.add.noftz.f16", {d, base, one_half}, 2);
    add.run(m->warp, add, 0x7u);
    CHECK(m->n(d, 0) == 0x3c00);
    CHECK(m->n(d, 1) == 0x4000);
    CHECK(m->n(d, 2) == 0x4200);
    std::uint16_t now[2];
    std::memcpy(now, a->storage, 4);
    CHECK(now[0] == 0x4400);
    CHECK(now[1] == 0x1234);
}

TEST_CASE("64-bit, double and vector forms reach every element") {
    auto m = std::make_unique<MemoryMachine>();
    const Allocation* a = m->memory.allocate(1024, Kind::device, "cudaMalloc");
    std::memset(a->storage, 0, 1024);
    const auto base = m->wide([&](int lane) { return a->address + 8 * (lane / 2); });
    const auto value = m->wide([](int lane) { return bits<std::uint64_t>(lane + 0.5); });
    const Inst red = m->inst(atomic_ops, "red.global.add.f64", {base, value}, 3);
    red.run(m->warp, red, all_lanes);
    double sum;
    std::memcpy(&sum, a->storage + 8 * 3, 8);
    CHECK(sum == 6.5 + 7.5);

    const auto at = m->wide([&](int) { return a->address + 512; });
    VectorSlots v{4,
                  {m->narrow(), m->narrow(),
                   m->narrow([](int) { return bits<std::uint32_t>(1.f); }),
                   m->narrow([](int lane) { return bits<std::uint32_t>(float(lane)); })},
                  {},
                  0};
    Inst atom =
        m->inst(atomic_ops, "atom.global.v2.f32.add", {v.slot[0], at, v.slot[2]}, 2);
    atom.extra = &v;
    atom.run(m->warp, atom, all_lanes);
    float pair[2];
    std::memcpy(pair, a->storage + 512, 8);
    CHECK(pair[0] == 32.f);
    CHECK(pair[1] == 496.f);
    CHECK(m->n(v.slot[0], 5) == bits<std::uint32_t>(5.f));
    CHECK(m->n(v.slot[1], 5) == bits<std::uint32_t>(10.f));
}

TEST_CASE("host threads that add to one counter lose nothing") {
    MemoryMachine first;
    const Allocation* a = first.memory.allocate(256, Kind::device, "cudaMalloc");
    std::memset(a->storage, 0, 256);
    constexpr int threads = 4, rounds = 500;
    auto work = [&](int t) {
        auto m = std::make_unique<MemoryMachine>();
        m->launch.memory = &first.memory;
        const auto same = m->wide([&](int) { return a->address; });
        const auto pairs =
            m->wide([&](int lane) { return a->address + 64 + 4 * (lane / 2); });
        const auto v = m->narrow([&](int lane) { return std::uint32_t(lane + t); });
        const Inst sum = m->inst(atomic_ops, "red.global.add.u32", {same, v}, 1);
        const Inst most =
            m->inst(atomic_ops, "atom.global.max.u32", {m->narrow(), pairs, v}, 2);
        for (int k = 0; k < rounds; ++k) {
            sum.run(m->warp, sum, k % 2 ? all_lanes : 0xffffu);
            most.run(m->warp, most, all_lanes);
        }
    };
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) pool.emplace_back(work, t);
    for (auto& thread : pool) thread.join();
    std::uint32_t sum, most;
    std::memcpy(&sum, a->storage, 4);
    std::memcpy(&most, a->storage + 64 + 4 * 15, 4);
    // Lanes 0..31 sum to 496, 0..15 to 120; thread t adds t a lane.
    CHECK(sum ==
          threads * rounds / 2 * (496 + 120) + (0 + 1 + 2 + 3) * rounds / 2 * (32 + 16));
    CHECK(most == 31 + 3);
}

TEST_CASE("an atom whose result nobody reads counts as a reduction") {
    auto m = std::make_unique<MemoryMachine>();
    const Allocation* a = m->memory.allocate(128, Kind::device, "cudaMalloc");
    std::memset(a->storage, 0, 128);
    const auto base = m->wide([&](int lane) { return a->address + 4 * (lane % 2); });
    const auto v = m->narrow([](int) { return 2; }), d = m->narrow();
    for (const bool unused : {false, true}) {
        const Inst in =
            m->inst(atomic_ops, "atom.global.add.u32", {d, base, v}, 2, unused);
        in.run(m->warp, in, all_lanes);
    }
    const Counters& c = m->counting.counters;
    CHECK(c.global_atomic_requests == 1);
    CHECK(c.global_reduce_requests == 1);
    CHECK(c.global_atomic_sectors == 16);
    CHECK(c.global_reduce_sectors == 16);
    std::uint32_t word;
    std::memcpy(&word, a->storage, 4);
    CHECK(word == 64);
}

TEST_CASE("forms that are not supported have no row") {
    MemoryMachine m;
    for (const char* text :
         {"atom.global.add.b128", "atom.global.cas.b128", "red.async.add.u32",
          "atom.global.min.f32", "atom.global.exch.u16"})
        CHECK_FALSE(bool(m.inst(atomic_ops, text, {0, 0, 0}, 2).run));
}
