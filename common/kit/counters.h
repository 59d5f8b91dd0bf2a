#pragma once
// What the emulator counted and found while some work ran. On a GPU nobody counts: the
// results are empty and say so.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kit/emulator_table.h"

namespace kit {

// The profiler's metric names, by the words that the lessons use for them.
namespace metric {
inline constexpr char load_requests[] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
inline constexpr char load_sectors[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr char store_requests[] =
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
inline constexpr char store_sectors[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
inline constexpr char shared_load_wavefronts[] =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
inline constexpr char shared_store_wavefronts[] =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
inline constexpr char shared_load_conflicts[] =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
inline constexpr char shared_store_conflicts[] =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
inline constexpr char constant_requests[] = "idc__requests.sum";
inline constexpr char instructions[] = "smsp__inst_executed.sum";
inline constexpr char thread_instructions[] = "smsp__thread_inst_executed.sum";
}  // namespace metric

// Null on a GPU.
const EmulatorTable* emulator_table();
inline bool on_emulator() { return emulator_table() != nullptr; }

struct Finding {
    std::string kind, severity;  // "out-of-bounds"; "error", "warning", "note", "hint"
    std::string kernel, file;
    int line = 0;  // 0 where unknown
    std::string message, remedy;
    std::uint64_t count = 0;
};

struct LaunchCounters {
    std::string kernel;                    // demangled
    std::uint64_t index = 0;               // in the emulator's list
    unsigned grid[3] = {}, block[3] = {};  // x, y, z
};

class Counted {
public:
    // Summed over the launches; empty on a GPU, and for a metric that nobody counts.
    std::optional<std::uint64_t> operator[](const char* metric) const;
    // a / b, for "sectors per request"; empty where either is, or where b is 0.
    std::optional<double> ratio(const char* a, const char* b) const;
    const std::vector<LaunchCounters>& launches() const { return launches_; }
    const std::vector<Finding>& findings() const { return findings_; }
    // Why it is empty, as a sentence; an empty string where something was counted.
    std::string note() const;

private:
    friend Counted count(const std::function<void()>&, const EmulatorTable*);
    const EmulatorTable* table_ = nullptr;
    std::vector<LaunchCounters> launches_;
    std::vector<Finding> findings_;
};

// Runs `work`, waits for the device, and returns what its launches did. The values are
// read when they are asked for: ask before anybody calls the table's clear().
Counted count(const std::function<void()>& work,
              const EmulatorTable* table = emulator_table());

}  // namespace kit
