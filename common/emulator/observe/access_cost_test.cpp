// The counting rules against counts from an H200 (truth/), and against tables worked out
// by hand where the profiler was not asked.
#include "emulator/observe/access_cost.h"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <set>

#include "emulator/observe/banks.h"
#include "emulator/observe/coalescing.h"
#include "emulator/observe/constant.h"
#include "emulator/observe/local.h"
#include "emulator/observe/truth/csv.h"

using namespace emu;

namespace {

using Addresses = std::array<std::uint64_t, warp_size>;
using Index = std::function<int(int)>;  // of a lane; negative: inactive

struct Pattern {
    Addresses address{};
    LaneMask mask = 0;
};

Pattern pattern(const Index& index, int bytes, std::uint64_t base = 0) {
    Pattern made;
    for (int lane = 0; lane < warp_size; ++lane) {
        const int i = index(lane);
        if (i < 0) continue;
        made.address[lane] = base + static_cast<std::uint64_t>(i) * bytes;
        made.mask |= lane_bit(lane);
    }
    return made;
}

// The patterns of truth/patterns.cu, by name.
std::map<std::string, Index> named_patterns() {
    std::vector<int> random(32);
    unsigned r = 99;
    for (int& x : random) x = int(((r = r * 1664525u + 1013904223u) >> 9) & 1023);
    std::map<std::string, Index> all = {
        {"identity", [](int t) { return t; }},
        {"broadcast", [](int) { return 5; }},
        {"reverse", [](int t) { return 31 - t; }},
        {"rotate1", [](int t) { return (t + 1) & 31; }},
        {"pairs", [](int t) { return t / 2; }},
        {"quads", [](int t) { return t / 4; }},
        {"octets", [](int t) { return t / 8; }},
        {"two", [](int t) { return t & 1; }},
        {"stride33", [](int t) { return (33 * t) & 1023; }},
        {"random", [random](int t) { return random[t]; }},
        {"half_active", [](int t) { return t < 16 ? t : -1; }},
        {"odd_active", [](int t) { return (t & 1) ? t : -1; }},
        {"one_active", [](int t) { return t == 7 ? t : -1; }}};
    for (int k : {1, 2, 3, 4, 8, 16})
        all["xor" + std::to_string(k)] = [k](int t) { return t ^ k; };
    for (int k : {2, 4, 8, 32})
        all["stride" + std::to_string(k)] = [k](int t) { return k * t; };
    return all;
}

int bytes_of(const std::string& launch) {
    if (launch.find("<u16>") != std::string::npos) return 2;
    if (launch.find("<float4>") != std::string::npos) return 16;
    return launch.find("<float2>") != std::string::npos ? 8 : 4;
}

// "c_load k=2 step=16": lane t reads (t % k) * step.
Index repeated(const std::string& launch) {
    int k = 0, step = 0;
    std::sscanf(launch.substr(launch.find("k=")).c_str(), "k=%d step=%d", &k, &step);
    return [=](int t) { return t % k * step; };
}

const std::string shared_ld = "pipe_lsu_mem_shared_op_ld.sum";
const std::string shared_st = "pipe_lsu_mem_shared_op_st.sum";

}  // namespace

TEST_CASE(
    "shared loads and stores cost what an H200 counted, for every pattern measured") {
    const auto patterns = named_patterns();
    int rows = 0;
    for (const truth::Row& row : truth::read_csv("patterns_h200.csv")) {
        const std::string launch = row.at("launch");
        const bool load = launch.starts_with("sh_load");
        if (!load && !launch.starts_with("sh_store")) continue;
        CAPTURE(launch);
        const int bytes = bytes_of(launch);
        const Pattern p =
            pattern(patterns.at(launch.substr(launch.find(' ') + 1)), bytes);
        const BankCost cost = load ? shared_load_cost(p.address.data(), p.mask, bytes)
                                   : shared_store_cost(p.address.data(), p.mask, bytes);
        const std::string& name = load ? shared_ld : shared_st;
        CHECK(cost.wavefronts ==
              int(truth::number(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" +
                                         name.substr(name.size() - 6))));
        CHECK(cost.conflicts ==
              int(truth::number(row, "l1tex__data_bank_conflicts_" + name)));
        ++rows;
    }
    CHECK(rows == 69);  // 23 patterns, three kernels
}

TEST_CASE("a constant load makes a request for each distinct word, as an H200 counted") {
    int rows = 0;
    for (const truth::Row& row : truth::read_csv("patterns_h200.csv")) {
        const std::string launch = row.at("launch");
        if (!launch.starts_with("c_load")) continue;
        CAPTURE(launch);
        const Pattern p = pattern(repeated(launch), 4);
        // The kernel's own parameters take three more.
        CHECK(constant_words(p.address.data(), p.mask, 4) + 3 ==
              int(truth::number(row, "idc__requests.sum")));
        ++rows;
    }
    CHECK(rows == 20);
}

TEST_CASE("a reduction's sectors are those that an H200 counted") {
    int rows = 0;
    for (const truth::Row& row : truth::read_csv("patterns_h200.csv")) {
        const std::string launch = row.at("launch");
        if (!launch.starts_with("a_red")) continue;
        CAPTURE(launch);
        const Pattern p = pattern(repeated(launch), 4, 0x1000);
        CHECK(atomic_sectors_of(p.address.data(), p.mask) ==
              int(truth::number(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum")));
        ++rows;
    }
    CHECK(rows == 18);
}

TEST_CASE("bank conflicts come out as worked by hand where no row was measured") {
    struct Case {
        const char* what;
        Index index;
        int bytes;
        bool load;
        int wavefronts, conflicts;
    };
    const Case cases[] = {
        {"float4 a[0], load", [](int) { return 0; }, 16, true, 2, 0},
        {"float4 a[i], load", [](int t) { return t; }, 16, true, 4, 0},
        {"float4 a[8i], load", [](int t) { return 8 * t; }, 16, true, 32, 28},
        {"double a[2i], store", [](int t) { return 2 * t; }, 8, false, 4, 2},
        {"double a[i], store", [](int t) { return t; }, 8, false, 2, 0},
        {"float a[32i], store", [](int t) { return 32 * t; }, 4, false, 32, 31},
        {"char a[i]", [](int t) { return t; }, 1, true, 1, 0},
        {"short a[64i]", [](int t) { return 64 * t; }, 2, true, 32, 31},
        {"float a[i / 2 * 32]", [](int t) { return t / 2 * 32; }, 4, true, 16, 15},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const Pattern p = pattern(c.index, c.bytes);
        const BankCost cost = c.load
                                  ? shared_load_cost(p.address.data(), p.mask, c.bytes)
                                  : shared_store_cost(p.address.data(), p.mask, c.bytes);
        CHECK(cost.wavefronts == c.wavefronts);
        CHECK(cost.conflicts == c.conflicts);
    }
}

TEST_CASE("global sectors are the distinct 32-byte pieces that the lanes touch") {
    struct Case {
        Index index;
        int bytes;
        std::uint64_t base;
        int sectors, lines;
    };
    const Case cases[] = {
        {[](int t) { return t; }, 4, 0, 4, 1},
        {[](int t) { return t; }, 4, 4, 5, 2},
        {[](int t) { return t; }, 8, 0, 8, 2},
        {[](int t) { return t; }, 16, 0, 16, 4},
        {[](int t) { return t; }, 1, 0, 1, 1},
        {[](int t) { return t; }, 1, 31, 2, 1},
        {[](int) { return 3; }, 4, 0, 1, 1},
        {[](int t) { return 8 * t; }, 4, 0, 32, 8},
        {[](int t) { return 31 - t; }, 4, 0, 4, 1},
        {[](int t) { return t ^ 9; }, 4, 0, 4, 1},
        {[](int t) { return t < 9 ? t : -1; }, 4, 0, 2, 1},
    };
    for (const Case& c : cases) {
        CAPTURE(c.bytes);
        CAPTURE(c.base);
        const Pattern p = pattern(c.index, c.bytes, c.base);
        CHECK(sectors_of(p.address.data(), p.mask) == c.sectors);
        CHECK(lines_of(p.address.data(), p.mask) == c.lines);
    }
}

TEST_CASE("local memory is interleaved by lane") {
    Addresses offset{};
    for (auto& o : offset) o = 20;  // all index alike
    CHECK(local_sectors(offset.data(), all_lanes, 4) == 4);
    CHECK(local_sectors(offset.data(), 0xffu, 4) == 1);  // lanes 0..7 share a sector
    CHECK(local_sectors(offset.data(), 0x101u, 4) == 2);
    for (auto& o : offset) o = 32;
    CHECK(local_sectors(offset.data(), all_lanes, 16) == 16);
    for (int lane = 0; lane < warp_size; ++lane) offset[lane] = lane * 4u;
    CHECK(local_sectors(offset.data(), all_lanes, 4) == 32);  // every word row differs
    for (int lane = 0; lane < warp_size; ++lane) offset[lane] = lane % 2 * 4u;
    CHECK(local_sectors(offset.data(), all_lanes, 4) == 8);
}

TEST_CASE(
    "sectors and constant words equal a set of what is touched, on random addresses") {
    unsigned r = 2024;
    auto next = [&] { return r = r * 1664525u + 1013904223u; };
    for (int round = 0; round < 2000; ++round) {
        const int bytes = 1 << (next() >> 16) % 5, span = 1 << (4 + (next() >> 16) % 10);
        const LaneMask mask = round % 3 ? (next() ^ next() >> 16) | 1u : all_lanes;
        Addresses address{};
        std::set<std::uint64_t> sectors, words;
        for (int lane = 0; lane < warp_size; ++lane) {
            address[lane] = (next() >> 8) % span * static_cast<unsigned>(bytes);
            if (!has_lane(mask, lane)) continue;
            sectors.insert(address[lane] / 32);
            for (int b = 0; b < bytes; ++b) words.insert((address[lane] + b) / 4);
        }
        CHECK(sectors_of(address.data(), mask) == int(sectors.size()));
        CHECK(constant_words(address.data(), mask, bytes) == int(words.size()));
    }
}
