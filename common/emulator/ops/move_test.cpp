#include "emulator/mem/memory.h"
#include "emulator/ops/one_op.h"

namespace emu {
namespace {

TEST_CASE("mov copies values and predicates") {
    const Case cases[] = {
        {"mov.u32", {0xdeadbeef}, 0xdeadbeef},
        {"mov.b16", {0x1234abcd}, 0xabcd},
        {"mov.f64", {0x1234'5678'9abc'def0}, 0x1234'5678'9abc'def0},
        {"mov.u32", {0x1234'5678'9abc'def0}, 0x9abc'def0, {.wide = 2}},
        {"mov.pred", {1}, 1},
        {"mov.pred", {0}, 0},
    };
    check_all(cases);
}

// Elements of a vector are "operands" 8, 9, ... of OneOp, read and written as raw memory.
std::uint64_t element(OneOp& op, int k, bool wide, int lane) {
    return wide ? lanes<std::uint64_t>(op.warp(), 1024 * (8 + k))[lane]
                : lanes<std::uint32_t>(op.warp(), 1024 * (8 + k))[lane];
}
void set_element(OneOp& op, int k, bool wide, int lane, std::uint64_t bits) {
    if (wide)
        lanes<std::uint64_t>(op.warp(), 1024 * (8 + k))[lane] = bits;
    else
        lanes<std::uint32_t>(op.warp(), 1024 * (8 + k))[lane] = std::uint32_t(bits);
}

TEST_CASE("mov packs the first element lowest, and unpacks it again") {
    struct Packing {
        const char* text;
        int elements;
        int bits;
    };
    for (const Packing& p : {Packing{"mov.b64", 2, 32},
                             {"mov.b32", 2, 16},
                             {"mov.b64", 4, 16},
                             {"mov.b32", 4, 8},
                             {"mov.b128", 2, 64}}) {
        CAPTURE(p.text);
        CAPTURE(p.elements);
        const bool wide = p.bits == 64;
        OneOp pack(p.text, {.vector = p.elements, .vector_at = 1});
        OneOp unpack(p.text, {.vector = p.elements, .vector_at = 0});
        REQUIRE(pack.bound());
        REQUIRE(unpack.bound());
        std::mt19937_64 random(41);
        std::uint64_t parts[4] = {};
        for (int k = 0; k < p.elements; ++k) {
            const std::uint64_t raw =
                random();  // what lies above an element must not leak
            parts[k] = wide ? raw : raw & ((1ull << p.bits) - 1);
            set_element(pack, k, wide, 11, raw);
        }
        pack.run(lane_bit(11) | lane_bit(2));
        std::uint64_t low = 0;
        for (int k = 0; k < p.elements && p.bits * k < 64; ++k)
            low |= parts[k] << p.bits * k;
        const bool wide_whole = p.bits * p.elements > 32;
        const void* packed = pack.warp().frame;
        const std::uint64_t got = wide_whole
                                      ? static_cast<const std::uint64_t*>(packed)[11]
                                      : static_cast<const std::uint32_t*>(packed)[11];
        CHECK(got == low);
        std::memcpy(unpack.warp().frame + 1024, packed, 1024);
        set_element(unpack, 1, wide, 12, 99);
        unpack.run(lane_bit(11));
        for (int k = 0; k < p.elements; ++k)
            CHECK(element(unpack, k, wide, 11) == parts[k]);
        CHECK(element(unpack, 1, wide, 12) == 99);
    }
}

TEST_CASE("addresses move between spaces and the generic one") {
    const Case cases[] = {
        {"cvta.shared.u64", {0x40}, shared_window + 0x40},
        {"cvta.to.shared.u64", {shared_window + 0x40}, 0x40},
        {"cvta.to.shared::cta.u64", {shared_window + 0x48}, 0x48},
        {"cvta.local.u64", {0x10}, local_window + 0x10},
        {"cvta.to.local.u64", {local_window + 0x10}, 0x10},
        {"cvta.to.global.u64", {device_base + 256}, device_base + 256},
        {"isspacep.shared", {shared_window + 4}, 1},
        {"isspacep.shared", {local_window}, 0},
        {"isspacep.local", {local_window + 4}, 1},
        {"isspacep.global", {device_base + 4}, 1},
        {"isspacep.global", {shared_window + 4}, 0},
    };
    check_all(cases);
}

}  // namespace
}  // namespace emu
