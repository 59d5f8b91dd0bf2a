#include <doctest/doctest.h>

#include <cstring>
#include <memory>

#include "emulator/observe/access_cost.h"
#include "emulator/ops/memory_machine.h"

using namespace emu;

namespace {

std::unique_ptr<MemoryMachine> machine() { return std::make_unique<MemoryMachine>(); }

// An allocation whose byte k holds k * 7 + 3, so that no two neighbours are alike.
const Allocation* patterned(MemoryMachine& m, std::uint64_t bytes) {
    const Allocation* a = m.memory.allocate(bytes, Kind::device, "cudaMalloc");
    for (std::uint64_t k = 0; k < bytes; ++k) a->storage[k] = std::byte(k * 7 + 3);
    return a;
}

template <class T>
T at(const Allocation* a, std::uint64_t offset) {
    T value;
    std::memcpy(&value, a->storage + offset, sizeof(T));
    return value;
}

}  // namespace

TEST_CASE("loads of every width and sign extend into narrow and wide registers") {
    auto m = machine();
    const Allocation* a = patterned(*m, 4096);
    struct Case {
        const char* text;
        int bytes;
        bool wide;
    };
    for (const Case& c :
         {Case{"ld.global.u8", 1, false}, Case{"ld.global.s8", 1, false},
          Case{"ld.global.u16", 2, false}, Case{"ld.global.s16", 2, false},
          Case{"ld.global.nc.b32", 4, false}, Case{"ld.global.s8", 1, true},
          Case{"ld.global.s16", 2, true}, Case{"ld.global.s32", 4, true},
          Case{"ld.global.u32", 4, true}, Case{"ld.global.f64", 8, true}})
        for (const int stride : {1, 0, 3}) {  // contiguous, broadcast, neither
            CAPTURE(c.text);
            CAPTURE(stride);
            auto offset = [&](int lane) { return 64u + lane * stride * c.bytes; };
            const auto base =
                m->wide([&](int lane) { return a->address + offset(lane); });
            const auto d = c.wide ? m->wide() : m->narrow();
            m->next_slot = 256;  // the next case uses the frame again
            const Inst in =
                m->inst(memory_ops, c.text, {d, base}, 2u | (c.wide ? 1u : 0u));
            REQUIRE(bool(in.run));
            in.run(m->warp, in, all_lanes);
            for (int lane = 0; lane < warp_size; ++lane) {
                std::uint64_t expected = 0;
                std::memcpy(&expected, a->storage + offset(lane), c.bytes);
                if (std::strchr(c.text, 's') && c.bytes < 8) {
                    const int unused = 64 - 8 * c.bytes;
                    if (std::string_view(c.text).find(".s") != std::string_view::npos)
                        expected = static_cast<std::uint64_t>(
                            static_cast<std::int64_t>(expected << unused) >> unused);
                }
                if (c.wide)
                    CHECK(m->w(d, lane) == expected);
                else
                    CHECK(m->n(d, lane) == static_cast<std::uint32_t>(expected));
            }
        }
    CHECK(m->findings().empty());
}

TEST_CASE(
    "stores truncate, leave other lanes and bytes alone, and the highest lane wins") {
    auto m = machine();
    const Allocation* a = patterned(*m, 512);
    const auto base = m->wide([&](int lane) { return a->address + 2u * lane; });
    const auto value =
        m->wide([](int lane) { return 0xabcd0000ull * 65536 + 1000 + lane; });
    const Inst in = m->inst(memory_ops, "st.global.u16", {base, value}, 3);
    in.run(m->warp, in, 0xffff0001u);
    for (int lane = 0; lane < warp_size; ++lane) {
        std::uint16_t before = 0;
        const std::byte bytes[2] = {std::byte(lane * 14 + 3), std::byte(lane * 14 + 10)};
        std::memcpy(&before, bytes, 2);
        CHECK(at<std::uint16_t>(a, 2 * lane) ==
              (lane == 0 || lane >= 16 ? 1000 + lane : before));
    }
    const auto same = m->wide([&](int) { return a->address + 400; });
    const auto v32 = m->narrow([](int lane) { return 70u + lane; });
    const Inst all = m->inst(memory_ops, "st.global.b32", {same, v32}, 1);
    all.run(m->warp, all, all_lanes);
    CHECK(at<std::uint32_t>(a, 400) == 101);
    all.run(m->warp, all, 0x0000ff00u);
    CHECK(at<std::uint32_t>(a, 400) == 85);
}

TEST_CASE("vector loads and stores move elements in order and may drop some") {
    auto m = machine();
    const Allocation* a = patterned(*m, 1024);
    const Allocation* b = patterned(*m, 2048);
    for (const bool reversed : {false, true}) {
        auto place = [&](int lane) { return 16u * (reversed ? 31 - lane : lane); };
        const auto from = m->wide([&](int lane) { return a->address + place(lane); });
        const auto to = m->wide([&](int lane) { return b->address + 32 + place(lane); });
        VectorSlots v{4, {m->narrow(), -1, m->narrow(), m->narrow()}, {}, 0};
        Inst load = m->inst(memory_ops, "ld.global.v4.f32", {v.slot[0], from}, 2);
        load.extra = &v;
        load.run(m->warp, load, all_lanes);
        for (int lane = 0; lane < warp_size; ++lane)
            for (const int k : {0, 2, 3})
                CHECK(m->n(v.slot[k], lane) == at<std::uint32_t>(a, place(lane) + 4 * k));
        v.slot[1] = m->narrow([](int lane) { return 5u + lane; });
        Inst store = m->inst(memory_ops, "st.global.v4.f32", {to, v.slot[0]}, 1);
        store.extra = &v;
        store.imm = static_cast<std::uint64_t>(-16);
        store.run(m->warp, store, all_lanes);
        for (int lane = 0; lane < warp_size; ++lane) {
            CHECK(at<std::uint32_t>(b, 16 + place(lane) + 4) == 5u + lane);
            CHECK(at<std::uint32_t>(b, 16 + place(lane) + 12) ==
                  at<std::uint32_t>(a, place(lane) + 12));
        }
    }
    CHECK(m->counting.counters.global_load_sectors == 2 * 16);
    CHECK(m->counting.counters.global_store_sectors == 2 * 17);  // 16 bytes off a sector
}

TEST_CASE("shared addresses are 32 bits wide and local memory is each lane's own") {
    auto m = machine();
    const auto base = m->narrow([](int lane) { return 128u + 4 * (31 - lane); });
    const auto value = m->narrow([](int lane) { return 9000u + lane; });
    const Inst st = m->inst(memory_ops, "st.shared.u32", {base, value}, 0);
    st.run(m->warp, st, all_lanes);
    Inst ld = m->inst(memory_ops, "ld.shared::cta.u32", {m->narrow(), base}, 0);
    ld.imm = static_cast<std::uint64_t>(-4);
    ld.run(m->warp, ld, 0x7fffffffu);
    for (int lane = 0; lane < 31; ++lane) CHECK(m->n(ld.slot[0], lane) == 9001u + lane);
    CHECK(m->n(ld.slot[0], 31) == 0xeeeeeeeeu);

    const auto offset = m->wide([](int) { return 40; });
    const Inst put = m->inst(memory_ops, "st.local.u32", {offset, value}, 1);
    put.run(m->warp, put, all_lanes);
    const Inst get = m->inst(memory_ops, "ld.local.u32", {m->narrow(), offset}, 2);
    get.run(m->warp, get, all_lanes);
    for (int lane = 0; lane < warp_size; ++lane)
        CHECK(m->n(get.slot[0], lane) == 9000u + lane);
    CHECK(m->counting.counters.local_load_sectors == 4);
    CHECK(m->findings().empty());
}

TEST_CASE("a generic access goes to the space of each lane's address") {
    auto m = machine();
    const Allocation* a = patterned(*m, 256);
    const auto base = m->wide([&](int lane) -> std::uint64_t {
        return lane % 3 == 0   ? a->address + 4 * lane
               : lane % 3 == 1 ? shared_window + 8 * lane
                               : local_window + 16;
    });
    const auto value = m->narrow([](int lane) { return 400u + lane; });
    const Inst st = m->inst(memory_ops, "st.u32", {base, value}, 1);
    st.run(m->warp, st, all_lanes);
    const Inst ld = m->inst(memory_ops, "ld.u32", {m->narrow(), base}, 2);
    ld.run(m->warp, ld, all_lanes);
    for (int lane = 0; lane < warp_size; ++lane)
        CHECK(m->n(ld.slot[0], lane) == 400u + lane);
    std::uint32_t word;
    std::memcpy(&word, m->shared.data() + 8 * 4, 4);
    CHECK(word == 404);
    std::memcpy(&word, m->local.data() + 5 * MemoryMachine::local_bytes + 16, 4);
    CHECK(word == 405);
    CHECK(m->counting.counters.global_load_requests == 1);
    CHECK(m->counting.counters.shared_load_requests == 1);
    CHECK(m->counting.counters.local_load_requests == 1);
}

TEST_CASE("kernel parameters and those of calls are read without being counted") {
    auto m = machine();
    m->launch.arguments.resize(16);
    const std::uint32_t n = 77;
    std::memcpy(m->launch.arguments.data() + 8, &n, 4);
    VectorSlots v{1, {m->narrow()}, {}, 0};
    Inst ld = m->inst(memory_ops, "ld.param.u32", {v.slot[0], -1}, 2);
    ld.imm = 8;
    ld.extra = &v;
    ld.run(m->warp, ld, 0xfu);
    CHECK(m->n(v.slot[0], 3) == 77);
    CHECK(m->n(v.slot[0], 4) == 0xeeeeeeeeu);

    const std::int32_t storage = m->slot(24);
    VectorSlots value{
        1, {m->wide([](int lane) { return 1ull << 40 | lane; })}, {true}, 24};
    Inst put = m->inst(memory_ops, "st.param.b64", {storage, value.slot[0]}, 3);
    put.imm = 16;
    put.extra = &value;
    put.run(m->warp, put, all_lanes);
    VectorSlots back{1, {m->wide()}, {true}, 24};
    Inst get = m->inst(memory_ops, "ld.param.b64", {back.slot[0], storage}, 3);
    get.imm = 16;
    get.extra = &back;
    get.run(m->warp, get, all_lanes);
    for (int lane = 0; lane < warp_size; ++lane)
        CHECK(m->w(back.slot[0], lane) == (1ull << 40 | lane));
    CHECK(m->counting.counters.constant_requests == 0);
    CHECK(m->counting.counters.local_load_requests == 0);
}

TEST_CASE("lanes in different allocations and host memory are served in one access") {
    auto m = machine();
    const Allocation* a = patterned(*m, 128);
    std::vector<std::uint32_t> host(32);
    for (std::uint32_t k = 0; k < 32; ++k) host[k] = 100 + k;
    m->memory.adopt(host.data(), 128, Kind::managed, "cudaMallocManaged");
    const auto base = m->wide([&](int lane) {
        return lane & 1 ? a->address + 4 * lane
                        : reinterpret_cast<std::uint64_t>(&host[lane]);
    });
    const Inst ld = m->inst(memory_ops, "ld.global.u32", {m->narrow(), base}, 2);
    for (int round = 0; round < 2; ++round) {
        ld.run(m->warp, ld, all_lanes);
        for (int lane = 0; lane < warp_size; ++lane)
            CHECK(m->n(ld.slot[0], lane) ==
                  (lane & 1 ? at<std::uint32_t>(a, 4 * lane) : 100u + lane));
    }
    CHECK(m->findings().empty());
    CHECK(m->counting.counters.global_load_requests == 2);
}

// The memo must change nothing: costs and values as computed afresh, pattern after
// pattern through the same instruction.
TEST_CASE("what a site remembers never shows: costs and values as if computed afresh") {
    auto m = machine();
    const Allocation* a = patterned(*m, 1 << 16);
    std::memcpy(m->shared.data(), a->storage, MemoryMachine::shared_bytes);
    unsigned r = 4711;
    auto next = [&] { return (r = r * 1664525u + 1013904223u) >> 8; };
    const auto base = m->wide(), d = m->narrow();
    for (const bool shared : {false, true}) {
        const Inst in =
            m->inst(memory_ops, shared ? "ld.shared.u32" : "ld.global.u32", {d, base}, 2);
        unsigned scatter[32];
        for (int round = 0; round < 4000; ++round) {
            if (round % 5 == 0)
                for (unsigned& s : scatter) s = next() % 200;
            const unsigned shape = next() % 4, from = next() % 700;
            const LaneMask mask =
                next() % 2 ? all_lanes : (next() | lane_bit(next() % 32));
            alignas(64) std::uint64_t address[32];
            std::uint64_t* operand = lanes<std::uint64_t>(m->warp, base);
            for (int lane = 0; lane < warp_size; ++lane) {
                const unsigned index = shape == 0   ? lane
                                       : shape == 1 ? 0
                                       : shape == 2 ? 5u * lane
                                                    : scatter[lane];
                address[lane] = (shared ? 0 : a->address) + 4 * (from + index);
                operand[lane] = has_lane(mask, lane) ? address[lane] : next();
                lanes<std::uint32_t>(m->warp, d)[lane] = 0xeeeeeeeeu;
            }
            m->counting.counters = {};
            in.run(m->warp, in, mask);
            const AccessCost cost =
                access_cost(shared ? ptx::Space::shared : ptx::Space::global, Does::load,
                            address, mask, 4);
            const Counters& c = m->counting.counters;
            CHECK(c.global_load_sectors == cost.sectors);
            CHECK(c.shared_load_wavefronts == cost.wavefronts);
            CHECK(c.shared_load_conflicts == cost.conflicts);
            for (int lane = 0; lane < warp_size; ++lane)
                CHECK(
                    m->n(d, lane) ==
                    (has_lane(mask, lane)
                         ? at<std::uint32_t>(a, address[lane] - (shared ? 0 : a->address))
                         : 0xeeeeeeeeu));
        }
    }
    CHECK(m->findings().empty());
}
