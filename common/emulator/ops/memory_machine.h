#pragma once
// For tests of memory instructions: one warp with a frame, memory of every space, a
// counter and a place for findings, without the executor.
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "emulator/mem/access.h"
#include "emulator/mem/memory.h"
#include "emulator/observe/counting.h"
#include "emulator/observe/finding_sink.h"
#include "emulator/ops/op.h"

namespace emu {

struct MemoryMachine {
    static constexpr std::uint32_t shared_bytes = 4096, local_bytes = 512;

    Memory memory{64 << 20};
    Launch launch;
    Block block;
    SiteTable sites;
    Counting counting;
    FindingSink sink;
    Worker worker;
    Warp warp;
    alignas(64) std::array<std::byte, 64 * 1024> frame{};
    alignas(64) std::array<std::byte, shared_bytes> shared{};
    alignas(64) std::array<std::byte, local_bytes * warp_size> local{};
    std::int32_t next_slot = 256;
    std::uint32_t next_site = 0;

    MemoryMachine() {
        launch.memory = &memory;
        block.launch = &launch;
        block.index = {5, 0, 0};
        block.number = 5;
        block.shared = shared.data();
        block.shared_bytes = shared_bytes;
        worker = {};
        worker.launch = &launch;
        worker.sites = &sites;
        worker.observer = &counting;
        worker.findings = &sink;
        warp.frame = frame.data();
        warp.block = &block;
        warp.worker = &worker;
        warp.local = local.data();
        warp.local_stride = local_bytes;
        for (int lane = 0; lane < warp_size; ++lane) {
            warp.id.tid_x[lane] = static_cast<std::uint32_t>(lane);
            warp.id.tid_y[lane] = warp.id.tid_z[lane] = 0;
        }
    }
    MemoryMachine(const MemoryMachine&) = delete;
    MemoryMachine& operator=(const MemoryMachine&) = delete;

    std::int32_t slot(int bytes_a_lane) {
        const std::int32_t made = next_slot;
        next_slot += bytes_a_lane * warp_size;
        return made;
    }
    std::int32_t narrow(const std::function<std::uint32_t(int)>& value = nullptr) {
        const std::int32_t made = slot(4);
        for (int l = 0; l < warp_size; ++l)
            lanes<std::uint32_t>(warp, made)[l] = value ? value(l) : 0xeeeeeeeeu;
        return made;
    }
    std::int32_t wide(const std::function<std::uint64_t(int)>& value = nullptr) {
        const std::int32_t made = slot(8);
        for (int l = 0; l < warp_size; ++l)
            lanes<std::uint64_t>(warp, made)[l] = value ? value(l) : ~0ull / 3;
        return made;
    }
    std::uint32_t n(std::int32_t s, int lane) const {
        return lanes<std::uint32_t>(warp, s)[lane];
    }
    std::uint64_t w(std::int32_t s, int lane) const {
        return lanes<std::uint64_t>(warp, s)[lane];
    }

    // "ld.global.v2.f32", with the slots of its operands; `wides` as in Form. Null `run`
    // where no row has it.
    Inst inst(std::span<const Op> rows, const std::string& text,
              std::initializer_list<std::int32_t> slots, std::uint32_t wides,
              bool unused = false) {
        ptx::Instruction instruction;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t dot = std::min(text.find('.', at), text.size());
            const std::string word = text.substr(at, dot - at);
            if (at == 0)
                instruction.opcode = word;
            else
                instruction.modifiers.push_back(word);
            at = dot + 1;
        }
        instruction.operands.resize(slots.size());
        Form form{instruction};
        form.wide_operands = wides;
        form.result_unused = unused;
        Inst made;
        for (const Op& row : rows) {
            if (row.name != instruction.opcode || made.run) continue;
            made.run = row.bind(form).run;
        }
        std::copy(slots.begin(), slots.end(), made.slot);
        made.site = next_site++;
        return made;
    }

    std::vector<Finding> findings() {
        std::vector<Finding> all;
        for (auto& entry : sink.take()) all.push_back(std::move(entry.finding));
        return all;
    }
};

}  // namespace emu
