#pragma once
// The emulated GPUs: limits and rates, each with its source (device/table.cpp).
#include <cstdint>
#include <span>
#include <string_view>

namespace emu {

struct DeviceSpec {
    std::string_view name;                    // "H200", as --device takes it
    std::string_view product;                 // "NVIDIA H200", as cudaDeviceProp has it
    int major = 0, minor = 0;                 // compute capability
    int multiprocessors = 0;
    std::uint64_t memory_bytes = 0;
    std::uint32_t registers_per_block = 0, registers_per_multiprocessor = 0;
    std::uint32_t shared_per_block = 0;           // bytes, without opting in
    std::uint32_t shared_per_block_optin = 0;     // bytes
    std::uint32_t shared_per_multiprocessor = 0;  // bytes
    std::uint32_t shared_reserved = 0;            // bytes a block, by the system
    int threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
    std::uint32_t l2_bytes = 0;
    int clock_khz = 0, memory_clock_khz = 0, bus_bits = 0;
    double dram_gbs = 0;                      // GB/s, peak
    int double_ratio = 0;                     // single-precision rate over double
    std::string_view source;                  // where the figures are from
};

std::span<const DeviceSpec> device_table();   // H200 first: the default
const DeviceSpec* device_named(std::string_view name);  // any case; null if unknown

}  // namespace emu
