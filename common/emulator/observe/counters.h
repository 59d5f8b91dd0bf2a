#pragma once
// The sums of a launch, under the profiler's names (COUNTERS in docs/reference).
#include <cstdint>
#include <span>
#include <string_view>

namespace emu {

struct Counters {
    std::uint64_t global_load_requests = 0, global_load_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0;
    std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;  // result used
    std::uint64_t global_reduce_requests = 0, global_reduce_sectors = 0;  // result unused
    std::uint64_t shared_load_wavefronts = 0, shared_load_conflicts = 0;
    std::uint64_t shared_store_wavefronts = 0, shared_store_conflicts = 0;
    std::uint64_t shared_load_requests = 0, shared_store_requests = 0;
    std::uint64_t shared_atomics = 0;
    std::uint64_t constant_requests = 0;  // distinct words, summed over loads
    std::uint64_t local_load_requests = 0, local_load_sectors = 0;
    std::uint64_t local_store_requests = 0, local_store_sectors = 0;
    std::uint64_t instructions = 0, thread_instructions = 0;
    std::uint64_t branches = 0, divergent_branches = 0;
    std::uint64_t barriers = 0;

    void add(const Counters& other);
};

enum class Label : std::uint8_t { exact, ptx_level, model };
std::string_view name_of(Label label);  // "exact", "PTX-level", "model"

struct CounterInfo {
    std::uint64_t Counters::*member;
    std::string_view name;    // "global load sectors"
    std::string_view metric;  // "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
    Label label;
    std::string_view rule;  // one sentence
};

std::span<const CounterInfo> counter_table();

}  // namespace emu
