#pragma once
// What exec/ must know about instructions that bring lanes of a warp together. Packed
// into Inst::imm by ops/warp.cpp.
#include <cstdint>

namespace emu {

enum class Meeting : std::uint8_t { shuffle, vote, match, reduce, barrier, elect };

// How slot k is held, two bits each: 0 absent, 1 predicate, 2 narrow, 3 wide.
struct WarpSync {
    Meeting meeting = Meeting::barrier;
    int members = 0;  // which slot has the mask operand
    std::uint32_t held = 0;
    std::uint64_t detail = 0;  // of the op itself

    constexpr std::uint64_t packed() const {
        return std::uint64_t(meeting) | std::uint64_t(members) << 4 |
               std::uint64_t(held) << 8 | detail << 20;
    }
    static constexpr WarpSync of(std::uint64_t imm) {
        return {Meeting(imm & 15), int(imm >> 4 & 15), std::uint32_t(imm >> 8 & 0xfff),
                imm >> 20};
    }
    constexpr int holds(int k) const { return int(held >> (2 * k) & 3); }
};

}  // namespace emu
