#include "emulator/exec/frame.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "emulator/mem/memory.h"

namespace emu {
namespace {

// Registers that nothing wrote hold this in every byte.
constexpr int unwritten = 0xcd;

std::uint64_t argument(const Launch& launch, const Fill& fill) {
    std::uint64_t value = 0;
    if (fill.bits + fill.bytes > launch.arguments.size()) return 0;
    std::memcpy(&value, launch.arguments.data() + fill.bits, fill.bytes);
    if (fill.is_signed && fill.bytes < 8) {
        const int shift = 64 - 8 * fill.bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >>
                                           shift);
    }
    return value;
}

std::uint64_t value_of(const Launch& launch, const Fill& fill, std::uint64_t arguments) {
    const Dim3 sizes[] = {launch.block, launch.grid};
    switch (fill.from) {
        case Fill::From::local:
            return fill.bits;  // of a depot at 0
        case Fill::From::dynamic_shared:
            return launch.static_shared + fill.bits;
        case Fill::From::argument:
            return argument(launch, fill);
        case Fill::From::arguments:
            return arguments + fill.bits;
        case Fill::From::grid_size: {
            const Dim3& d = sizes[fill.bits / 3];
            return fill.bits % 3 == 0 ? d.x : fill.bits % 3 == 1 ? d.y : d.z;
        }
        default:
            return fill.bits;
    }
}

template <class Reg>
void broadcast(std::byte* at, std::uint64_t value) {
    const Reg bits = static_cast<Reg>(value);
    for (int lane = 0; lane < warp_size; ++lane)
        std::memcpy(at + lane * sizeof(Reg), &bits, sizeof(Reg));
}

void put(std::byte* frame, const Fill& fill, std::uint64_t value) {
    std::byte* at = frame + fill.slot;
    if (fill.from == Fill::From::predicate) {
        const LaneMask mask = static_cast<LaneMask>(value);
        std::memcpy(at, &mask, sizeof(mask));
    } else if (fill.wide) {
        broadcast<std::uint64_t>(at, value);
    } else {
        broadcast<std::uint32_t>(at, value);
    }
}

}  // namespace

FrameImages::FrameImages(const Launch& launch, std::uint64_t arguments_address) {
    const Program& program = *launch.program;
    image.resize(program.functions.size());
    for (int f : program.functions[launch.function].reachable) {
        const ProgramFunction& function = program.functions[f];
        image[f].assign(function.frame_bytes, std::byte(unwritten));
        for (const Fill& fill : function.fills)
            put(image[f].data(), fill, value_of(launch, fill, arguments_address));
    }
}

Frame* FramePool::take(int index, std::uint32_t local_base, int depth) {
    const ProgramFunction& function = program_.functions[index];
    Frame* frame;
    if (!free_[index].empty()) {
        frame = free_[index].back();
        free_[index].pop_back();
        for (auto [slot, bytes] : function.live_in)
            std::memset(frame->data + slot, unwritten, static_cast<std::size_t>(bytes));
    } else {
        frame = frames_.emplace_back(std::make_unique<Frame>()).get();
        const std::size_t bytes = std::max<std::size_t>(64, function.frame_bytes);
        storage_.emplace_back(
            static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(64))));
        frame->data = storage_.back().get();
        std::memcpy(frame->data, images_.image[index].data(),
                    images_.image[index].size());
        frame->function = &function;
        frame->index = index;
    }
    frame->depth = depth;
    if (frame->local_base != local_base) {
        frame->local_base = local_base;
        for (const Fill& fill : function.fills)
            if (fill.from == Fill::From::local)
                put(frame->data, fill, local_base + fill.bits);
    }
    return frame;
}

void copy_parameters(const Frame& from, const std::vector<ParameterPlace>& sources,
                     const Frame& to, const std::vector<ParameterPlace>& targets,
                     LaneMask mask) {
    const std::size_t n = std::min(sources.size(), targets.size());
    for (std::size_t k = 0; k < n; ++k) {
        const ParameterPlace &s = sources[k], &t = targets[k];
        const std::size_t bytes = std::min(s.bytes, t.bytes);
        for_each_lane(mask, [&](int lane) {
            std::memcpy(to.data + t.slot + lane * std::size_t(t.stride),
                        from.data + s.slot + lane * std::size_t(s.stride), bytes);
        });
    }
}

}  // namespace emu
