#pragma once
// For tests: a machine that runs one kernel of a PTX text on an array of integers.
#include <cstring>
#include <string>
#include <vector>

#include "emulator/exec/grid.h"
#include "emulator/mem/memory.h"

namespace emu::test {

struct Sums : Observer {
    std::uint64_t instructions = 0, thread_instructions = 0, divergent = 0, barriers = 0;
    void ran(const Warp&, std::uint32_t n, LaneMask active) override {
        instructions += n;
        thread_instructions += n * static_cast<std::uint64_t>(count(active));
    }
    void accessed(const Warp&, const Access&, const AccessCost&) override {}
    void branched(const Warp&, const Inst&, int targets) override {
        divergent += targets > 1;
    }
    void synchronized(const Block&) override { ++barriers; }
};

// The kernel "k" has one parameter, the array's address, called `out`.
class Machine {
public:
    explicit Machine(const std::string& ptx) : memory(std::uint64_t(1) << 28) {
        program.module =
            ptx::parse(".version 9.0\n.target sm_90\n.address_size 64\n" + ptx);
        decode(program);
        array_ = memory.allocate(4096 * sizeof(int), Kind::device, "out");
        for (int i = 0; i < 4096; ++i) out()[i] = -1;
    }

    // The kernel gets this array of the host's, of 4096, in place of its own.
    void share(int* host) {
        array_ = memory.adopt(host, 4096 * sizeof(int), Kind::pinned, "shared");
    }

    int* out() { return reinterpret_cast<int*>(array_->storage); }

    GridResult run(Dim3 grid, Dim3 block, std::uint32_t dynamic_shared = 0) {
        Launch launch;
        launch.program = &program;
        launch.function = program.by_name.at("k");
        launch.grid = grid;
        launch.block = block;
        launch.static_shared = program.functions[launch.function].static_shared;
        launch.dynamic_shared = dynamic_shared;
        launch.memory = &memory;
        launch.arguments.resize(8);
        std::memcpy(launch.arguments.data(), &array_->address, 8);
        options.limits.heap_used = &heap_used;
        sums.assign(static_cast<std::size_t>(threads), Sums{});
        std::vector<Observer*> observers;
        for (Sums& one : sums) observers.push_back(&one);
        std::vector<FindingSink> sinks(sums.size());
        GridResult result = run_grid(launch, options, observers, sinks);
        for (std::size_t w = 1; w < sinks.size(); ++w) sinks[0].join(std::move(sinks[w]));
        findings = sinks[0].take();
        return result;
    }

    std::uint64_t instructions() const {
        std::uint64_t n = 0;
        for (const Sums& one : sums) n += one.instructions;
        return n;
    }
    std::uint64_t thread_instructions() const {
        std::uint64_t n = 0;
        for (const Sums& one : sums) n += one.thread_instructions;
        return n;
    }

    Memory memory;
    Program program;
    GridOptions options;
    int threads = 1;
    std::vector<Sums> sums;
    std::vector<FindingSink::Entry> findings;
    std::atomic<std::uint64_t> heap_used{0};

private:
    const Allocation* array_ = nullptr;
};

// Around a body: %rd1 is out, %r1 the thread's number in the grid, %r2 the lane; the
// body's result goes from %r9 to out[%r1].
inline std::string kernel(const std::string& body, const std::string& before = "") {
    return before + R"(
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<10>; .reg .b32 %r<30>; .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    mov.u32 %r2, %laneid;
    mul.wide.s32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
)" + body + R"(
    st.global.u32 [%rd3], %r9;
    ret;
}
)";
}

}  // namespace emu::test
