#pragma once
// Frames: the registers of one activation of a function, for all lanes of a warp. A warp
// takes one when it starts or calls, and gives it back; constants are filled in once.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/exec/program.h"

namespace emu {

struct Frame {
    std::byte* data = nullptr;
    const ProgramFunction* function = nullptr;
    int index = -1;                // of the function
    std::uint32_t local_base = 0;  // where this activation's depot begins
    std::uint32_t stack_top = 0;   // where the next activation's would
    int depth = 0;                 // calls below it
};

// What all frames of a launch start from, per function. Read only while blocks run.
struct FrameImages {
    FrameImages(const Launch& launch, std::uint64_t arguments_address);
    std::vector<std::vector<std::byte>> image;  // by function; made for those reachable
};

// One for each worker: the frame that was given back last is the next one taken, so that
// warps which run one after the other share what the cache holds.
class FramePool {
public:
    FramePool(const Program& program, const FrameImages& images)
        : program_(program), images_(images), free_(program.functions.size()) {}

    Frame* take(int function, std::uint32_t local_base, int depth);
    void give(Frame* frame) { free_[frame->index].push_back(frame); }

private:
    struct Release {
        void operator()(std::byte* data) const {
            ::operator delete[](data, std::align_val_t(64));
        }
    };
    const Program& program_;
    const FrameImages& images_;
    std::vector<std::vector<Frame*>> free_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<std::unique_ptr<std::byte[], Release>> storage_;
};

// Parameters of the lanes of `mask`, from one frame to another.
void copy_parameters(const Frame& from, const std::vector<ParameterPlace>& sources,
                     const Frame& to, const std::vector<ParameterPlace>& targets,
                     LaneMask mask);

}  // namespace emu
