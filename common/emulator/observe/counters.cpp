#include "emulator/observe/counters.h"

namespace emu {
namespace {

constexpr Label exact = Label::exact, ptx_level = Label::ptx_level;
using C = Counters;

constexpr CounterInfo table[] = {
    {&C::global_load_requests, "global load requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", exact,
     "one for each warp-wide load with an active lane, whatever its width"},
    {&C::global_load_sectors, "global load sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", exact,
     "distinct 32-byte sectors that the active lanes of a load touch"},
    {&C::global_store_requests, "global store requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", exact,
     "one for each warp-wide store with an active lane, whatever its width"},
    {&C::global_store_sectors, "global store sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", exact,
     "distinct 32-byte sectors that the active lanes of a store touch"},
    {&C::global_atomic_requests, "global atomic requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", exact,
     "one for each warp-wide atomic whose result is used"},
    {&C::global_atomic_sectors, "global atomic sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", exact,
     "distinct sectors, each as often as its busiest address has lanes"},
    {&C::global_reduce_requests, "global reduction requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", ptx_level,
     "one for each warp-wide atomic whose result is unused"},
    {&C::global_reduce_sectors, "global reduction sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", ptx_level,
     "as of atomics; the machine merges a warp's reductions of one operand on one "
     "address"},
    {&C::shared_load_wavefronts, "shared load wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", exact,
     "passes over the 32 banks that a load takes"},
    {&C::shared_load_conflicts, "shared load conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", exact,
     "wavefronts beyond those that the bytes alone need"},
    {&C::shared_store_wavefronts, "shared store wavefronts",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", exact,
     "passes over the 32 banks that a store takes"},
    {&C::shared_store_conflicts, "shared store conflicts",
     "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", exact,
     "wavefronts beyond one for each part of the warp with an active lane"},
    {&C::shared_load_requests, "shared load requests",
     "smsp__sass_inst_executed_op_shared_ld.sum", exact,
     "one for each warp-wide load of shared memory"},
    {&C::shared_store_requests, "shared store requests",
     "smsp__sass_inst_executed_op_shared_st.sum", exact,
     "one for each warp-wide store to shared memory"},
    {&C::shared_atomics, "shared atomics", "smsp__inst_executed_op_shared_atom.sum",
     ptx_level,
     "one for each warp-wide atomic on shared memory; of floats the machine makes loops"},
    {&C::constant_requests, "constant requests", "idc__requests.sum", ptx_level,
     "distinct words that a constant load's lanes read; the machine adds its parameters"},
    {&C::local_load_requests, "local load requests",
     "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", ptx_level,
     "one for each warp-wide load of local memory; spills are the machine code's"},
    {&C::local_load_sectors, "local load sectors",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", ptx_level,
     "distinct sectors; local memory is interleaved by lane, word by word"},
    {&C::local_store_requests, "local store requests",
     "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", ptx_level,
     "one for each warp-wide store to local memory; spills are the machine code's"},
    {&C::local_store_sectors, "local store sectors",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", ptx_level,
     "distinct sectors; local memory is interleaved by lane, word by word"},
    {&C::instructions, "instructions", "smsp__inst_executed.sum", ptx_level,
     "PTX instructions that warps issued"},
    {&C::thread_instructions, "thread instructions", "smsp__thread_inst_executed.sum",
     ptx_level, "PTX instructions, times the lanes that were active"},
    {&C::branches, "branches", "smsp__sass_branch_targets.sum", ptx_level,
     "branches that warps executed"},
    {&C::divergent_branches, "divergent branches",
     "smsp__sass_branch_targets_threads_divergent.sum", ptx_level,
     "branches whose lanes went to more than one place"},
    {&C::barriers, "barriers", "barriers", ptx_level, "block barriers that completed"},
};

}  // namespace

void Counters::add(const Counters& other) {
    for (const CounterInfo& info : table) this->*info.member += other.*info.member;
}

std::string_view name_of(Label label) {
    return label == Label::exact       ? "exact"
           : label == Label::ptx_level ? "PTX-level"
                                       : "model";
}

std::span<const CounterInfo> counter_table() { return table; }

}  // namespace emu
