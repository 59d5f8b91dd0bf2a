#include "emulator/device/table.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

using emu::device_named;
using emu::device_table;

TEST_CASE("the default is an H200, as one answered") {
    const emu::DeviceSpec& first = device_table().front();
    CHECK(first.name == "H200");
    CHECK(first.multiprocessors == 132);
    CHECK(first.memory_bytes == 150109880320);
    CHECK(first.shared_per_block_optin == 232448);
    CHECK(first.shared_per_multiprocessor == 233472);
    CHECK(first.l2_bytes == 62914560);
}

TEST_CASE("a device is found in any case and spelling") {
    CHECK(device_named("h200") == &device_table().front());
    REQUIRE(device_named("RTX 4090"));
    CHECK(device_named("RTX 4090")->minor == 9);
    CHECK(device_named("rtx-3090") == device_named("RTX3090"));
    CHECK(device_named("") == nullptr);
    CHECK(device_named("H20") == nullptr);
    CHECK(device_named(std::string(100, 'x')) == nullptr);
}

TEST_CASE("every row is whole, and its bandwidth follows from clock and bus") {
    std::set<std::string_view> names;
    for (const emu::DeviceSpec& spec : device_table()) {
        CAPTURE(spec.name);
        CHECK(names.insert(spec.name).second);
        CHECK(spec.source.size() > 20);
        // The reserved part is what a block cannot have of the whole.
        CHECK(spec.shared_per_block_optin + spec.shared_reserved ==
              spec.shared_per_multiprocessor);
        CHECK(spec.threads_per_multiprocessor % 32 == 0);
        double gbs = 2.0 * spec.memory_clock_khz * 1e3 * spec.bus_bits / 8 / 1e9;
        CHECK(std::abs(spec.dram_gbs - gbs) < 0.1);
    }
    CHECK(names.size() == 7);
}
