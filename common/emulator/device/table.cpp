// The emulated GPUs. Limits a block and a multiprocessor follow from the compute capability
// (CUDA C++ Programming Guide, table "Technical Specifications per Compute Capability");
// sizes and clocks are what cudaGetDeviceProperties and cudaDeviceGetAttribute answered on
// a real card, as each row's source says. Peak DRAM bandwidth is 2 x clock x bus / 8.
//
// Only the H200's row was read off the card. What cites a data sheet or a whitepaper was
// entered from memory: hold it against the document before a result rests on it.
//
// To add one: write its row, with the source, and run the table's test.
#include "emulator/device/table.h"

#include <cctype>
#include <string>

namespace emu {
namespace {

constexpr std::uint32_t kib = 1024, mib = 1024 * kib;

constexpr DeviceSpec specs[] = {
    {.name = "H200", .product = "NVIDIA H200", .major = 9, .minor = 0,
     .multiprocessors = 132, .memory_bytes = 150109880320,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 227 * kib,
     .shared_per_multiprocessor = 228 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 2048, .blocks_per_multiprocessor = 32,
     .l2_bytes = 60 * mib, .clock_khz = 1980000, .memory_clock_khz = 3201000,
     .bus_bits = 6016, .dram_gbs = 4814.3, .double_ratio = 2,
     .source = "read from an H200 with CUDA 13.0; NVIDIA H200 data sheet: 4.8 TB/s"},
    {.name = "T4", .product = "Tesla T4", .major = 7, .minor = 5,
     .multiprocessors = 40, .memory_bytes = 15843721216,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 64 * kib,
     .shared_per_multiprocessor = 64 * kib, .shared_reserved = 0,
     .threads_per_multiprocessor = 1024, .blocks_per_multiprocessor = 16,
     .l2_bytes = 4 * mib, .clock_khz = 1590000, .memory_clock_khz = 5001000,
     .bus_bits = 256, .dram_gbs = 320.1, .double_ratio = 32,
     .source = "published deviceQuery output (chiemon.github.io, 2024-12-25); NVIDIA T4 "
               "data sheet: 320 GB/s"},
    {.name = "A100", .product = "NVIDIA A100-SXM4-40GB", .major = 8, .minor = 0,
     .multiprocessors = 108, .memory_bytes = 42405855232,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 163 * kib,
     .shared_per_multiprocessor = 164 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 2048, .blocks_per_multiprocessor = 32,
     .l2_bytes = 40 * mib, .clock_khz = 1410000, .memory_clock_khz = 1215000,
     .bus_bits = 5120, .dram_gbs = 1555.2, .double_ratio = 2,
     .source = "published deviceQuery output (Paderborn Center for Parallel Computing, "
               "NVIDIA A100 40GB with NVLINK); NVIDIA A100 data sheet: 1555 GB/s"},
    {.name = "RTX 3090", .product = "NVIDIA GeForce RTX 3090", .major = 8, .minor = 6,
     .multiprocessors = 82, .memory_bytes = 25447170048,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 99 * kib,
     .shared_per_multiprocessor = 100 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 1536, .blocks_per_multiprocessor = 16,
     .l2_bytes = 6 * mib, .clock_khz = 1695000, .memory_clock_khz = 9751000,
     .bus_bits = 384, .dram_gbs = 936.1, .double_ratio = 64,
     .source = "NVIDIA Ampere GA102 whitepaper, table of the RTX 3090: 82 SM, 1695 MHz, "
               "384 bits, 936 GB/s, 6144 KB L2; memory size as deviceQuery prints it"},
    {.name = "RTX 4090", .product = "NVIDIA GeForce RTX 4090", .major = 8, .minor = 9,
     .multiprocessors = 128, .memory_bytes = 25756172288,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 99 * kib,
     .shared_per_multiprocessor = 100 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 1536, .blocks_per_multiprocessor = 24,
     .l2_bytes = 72 * mib, .clock_khz = 2520000, .memory_clock_khz = 10501000,
     .bus_bits = 384, .dram_gbs = 1008.1, .double_ratio = 64,
     .source = "device list printed by nvbench (NVIDIA/nvbench pull request 207): 24563 MiB, "
               "10501 MHz, 384 bits, 1008 GB/s"},
    {.name = "H100", .product = "NVIDIA H100 80GB HBM3", .major = 9, .minor = 0,
     .multiprocessors = 132, .memory_bytes = 85899345920,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 227 * kib,
     .shared_per_multiprocessor = 228 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 2048, .blocks_per_multiprocessor = 32,
     .l2_bytes = 50 * mib, .clock_khz = 1980000, .memory_clock_khz = 2619000,
     .bus_bits = 5120, .dram_gbs = 3352.3, .double_ratio = 2,
     .source = "NVIDIA H100 whitepaper and data sheet, SXM5: 132 SM, 50 MB L2, 5120 bits, "
               "3.35 TB/s, memory size the nominal 80 GB; clocks as nvidia-smi lists them"},
    {.name = "B200", .product = "NVIDIA B200", .major = 10, .minor = 0,
     .multiprocessors = 148, .memory_bytes = 191501854310,
     .registers_per_block = 65536, .registers_per_multiprocessor = 65536,
     .shared_per_block = 48 * kib, .shared_per_block_optin = 227 * kib,
     .shared_per_multiprocessor = 228 * kib, .shared_reserved = kib,
     .threads_per_multiprocessor = 2048, .blocks_per_multiprocessor = 32,
     .l2_bytes = 126 * mib + 512 * kib, .clock_khz = 1965000, .memory_clock_khz = 3996000,
     .bus_bits = 7680, .dram_gbs = 7672.3, .double_ratio = 2,
     .source = "device query in pytorch/ao pull request 4002: 148 SM, 178.35 GiB, 126.5 MB "
               "L2, 7680 bits, 3996 MHz; NVIDIA Blackwell tuning guide: 227 KB a block"},
};

// "rtx-3090" and "RTX3090" mean the row "RTX 3090".
std::string bare(std::string_view name) {
    std::string kept;
    for (char c : name)
        if (c != ' ' && c != '-' && c != '_')
            kept += char(std::tolower(static_cast<unsigned char>(c)));
    return kept;
}


}  // namespace

std::span<const DeviceSpec> device_table() { return specs; }

const DeviceSpec* device_named(std::string_view name) {
    std::string wanted = bare(name);
    for (const DeviceSpec& spec : specs)
        if (bare(spec.name) == wanted) return &spec;
    return nullptr;
}

}  // namespace emu
