// Expected values: what an H200 with CUDA 13.0 answered for kernels of these sizes.
#include "emulator/runtime/occupancy.h"

#include <doctest/doctest.h>

#include "emulator/runtime/properties.h"

using namespace emu;

namespace {

const DeviceSpec& h200() { return *device_named("H200"); }

HostKernel kernel(int registers, std::uint32_t shared = 0, int dynamic_limit = -1) {
    HostKernel k;
    k.registers = registers;
    k.info.static_shared = shared;
    k.dynamic_limit = dynamic_limit;
    return k;
}

}  // namespace

TEST_CASE("blocks a multiprocessor, as an H200 counts them") {
    CHECK(blocks_a_multiprocessor(h200(), kernel(10), 256, 0) == 8);
    CHECK(blocks_a_multiprocessor(h200(), kernel(10), 2048, 0) == 0);
    CHECK(blocks_a_multiprocessor(h200(), kernel(10), 0, 0) == -1);
    CHECK(blocks_a_multiprocessor(h200(), kernel(10, 4000, 228448), 256, 40000) == 5);
    CHECK(blocks_a_multiprocessor(h200(), kernel(10, 4000, 228448), 256, 60000) == 3);
}

TEST_CASE("a kernel of 111 registers starts blocks of 512 threads, not of 1024") {
    // 112 registers x 32 lanes = 3584 a warp; a quarter of the file, 16384, holds 4 warps.
    CHECK(registers_fit(h200(), 111, 512));
    CHECK_FALSE(registers_fit(h200(), 111, 513));
    CHECK_FALSE(registers_fit(h200(), 111, 1024));
    CHECK(registers_fit(h200(), 64, 1024));
    CHECK(largest_block(h200(), kernel(111)) == 512);
    CHECK(largest_block(h200(), kernel(32)) == 1024);
}

TEST_CASE("properties and attributes agree with each other and with an H200") {
    cudaDeviceProp p = properties_of(h200());
    CHECK(std::string(p.name) == "NVIDIA H200");
    CHECK(p.totalGlobalMem == 150109880320);
    CHECK(p.l2CacheSize == 62914560);
    CHECK(p.persistingL2CacheMaxSize == 39321600);
    CHECK(p.maxGridSize[1] == 65535);
    struct Row {
        int attribute, value;
    };
    // A selection over the whole range of numbers.
    for (Row row : {Row{1, 1024}, Row{4, 64}, Row{8, 49152}, Row{13, 1980000}, Row{16, 132},
                    Row{36, 3201000}, Row{37, 6016}, Row{39, 2048}, Row{49, 32768},
                    Row{69, 268435456}, Row{75, 9}, Row{76, 0}, Row{81, 233472}, Row{87, 2},
                    Row{97, 232448}, Row{106, 32}, Row{108, 39321600}, Row{109, 134217728},
                    Row{111, 1024}, Row{126, 4}}) {
        int value = -7;
        CAPTURE(row.attribute);
        CHECK(attribute_of(h200(), row.attribute, value));
        CHECK(value == row.value);
    }
    int value = 0;
    CHECK_FALSE(attribute_of(h200(), 9999, value));
    CHECK_FALSE(attribute_of(h200(), 0, value));
}
