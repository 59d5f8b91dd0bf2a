// Functions that the device's system software provides: printf, assert, malloc, free.
#include <algorithm>
#include <cstring>

#include "emulator/exec/fault.h"
#include "emulator/exec/format.h"
#include "emulator/exec/machine.h"
#include "emulator/mem/memory.h"
#include "emulator/observe/finding_sink.h"

namespace emu {
namespace {

class Caller {
public:
    Caller(BlockState& block, WarpState& w, const Frame& frame, const CallSite& site,
           const Inst& inst)
        : block_(block), w_(w), frame_(frame), site_(site), inst_(inst) {}

    std::uint64_t argument(std::size_t k, int lane) const {
        std::uint64_t value = 0;
        if (k >= site_.arguments.size()) return 0;
        const ParameterPlace& place = site_.arguments[k];
        std::memcpy(&value, frame_.data + place.slot + lane * std::size_t(place.stride),
                    std::min<std::size_t>(8, place.bytes));
        return value;
    }

    void result(int lane, std::uint64_t value) const {
        if (site_.results.empty()) return;
        const ParameterPlace& place = site_.results[0];
        std::memcpy(frame_.data + place.slot + lane * std::size_t(place.stride), &value,
                    std::min<std::size_t>(8, place.bytes));
    }

    // Memory of a lane by generic address; false where there is none.
    bool read(int lane, std::uint64_t address, void* to, std::size_t bytes) const {
        const std::byte* from = nullptr;
        const Warp& warp = w_.warp;
        if (address - local_window < local_window_bytes) {
            const std::uint64_t offset = address - local_window;
            if (offset + bytes <= warp.local_stride)
                from = warp.local + lane * std::size_t(warp.local_stride) + offset;
        } else if (address - shared_window < shared_window_bytes) {
            const std::uint64_t offset = address - shared_window;
            if (offset + bytes <= block_.block.shared_bytes)
                from = block_.block.shared + offset;
        } else if (const Allocation* a = block_.launch.memory->find(address, bytes)) {
            from = a->storage + (address - a->address);
        }
        if (from) std::memcpy(to, from, bytes);
        return from != nullptr;
    }

    std::string text(int lane, std::uint64_t address) const {
        constexpr std::size_t longest = 1 << 16;
        std::string s;
        char c = 0;
        while (s.size() < longest && read(lane, address + s.size(), &c, 1) && c != '\0')
            s += c;
        return s;
    }

    void print(int lane) const {
        std::uint64_t at = argument(1, lane);
        const Arguments arguments{
            [&](int bytes) {
                std::uint64_t value = 0;
                at = (at + bytes - 1) / bytes * bytes;
                read(lane, at, &value, static_cast<std::size_t>(bytes));
                at += bytes;
                return value;
            },
            [&](std::uint64_t address) { return text(lane, address); }};
        Formatted formatted = format(text(lane, argument(0, lane)), arguments);
        block_.printed.add({block_.position, std::move(formatted.text), formatted.bytes});
        result(lane, static_cast<std::uint64_t>(formatted.arguments));
    }

    [[noreturn]] void assert_fail(LaneMask mask) const {
        std::string lines, condition;
        for_each_lane(mask, [&](int lane) {
            condition = text(lane, argument(0, lane));
            const WarpIdentity& id = w_.warp.id;
            const Dim3& b = block_.block.index;
            auto triple = [](auto x, auto y, auto z) {
                return "[" + std::to_string(x) + "," + std::to_string(y) + "," +
                       std::to_string(z) + "]";
            };
            lines +=
                text(lane, argument(1, lane)) + ":" +
                std::to_string(static_cast<std::uint32_t>(argument(2, lane))) + ": " +
                text(lane, argument(3, lane)) + ": block: " + triple(b.x, b.y, b.z) +
                ", thread: " + triple(id.tid_x[lane], id.tid_y[lane], id.tid_z[lane]) +
                " Assertion `" + condition + "` failed.\n";
        });
        Fault failed = fault(
            w_.warp, &inst_, mask, "assert", "The assertion `" + condition + "` failed.",
            "Look at the values that the condition compares in this thread.",
            error_assert);
        block_.printed.add({block_.position, std::move(lines), 0, true});
        throw failed;
    }

    void allocate(int lane) const {
        const std::uint64_t bytes = argument(0, lane);
        std::atomic<std::uint64_t>& used = *block_.limits.heap_used;
        const std::uint64_t room = (bytes + 15) / 16 * 16 + 16;
        if (bytes > block_.limits.heap_bytes ||
            used.fetch_add(room) + room > block_.limits.heap_bytes) {
            if (bytes <= block_.limits.heap_bytes) used.fetch_sub(room);
            return result(lane, 0);
        }
        const Allocation* made =
            block_.launch.memory->allocate(bytes, Kind::heap, "malloc in a kernel", 16);
        if (!made) used.fetch_sub(room);
        result(lane, made ? made->address : 0);
    }

    void release(int lane) const {
        const std::uint64_t address = argument(0, lane);
        if (address == 0) return;
        Memory& memory = *block_.launch.memory;
        const Allocation* a = memory.find(address, 0);
        if (!a) a = memory.find(address);
        const bool ours = a && a->kind == Kind::heap && a->address == address;
        if (ours) {
            const std::uint64_t room = (a->bytes + 15) / 16 * 16 + 16;
            if (memory.release(address)) {
                block_.limits.heap_used->fetch_sub(room);
                return;
            }
        }
        Fault bad =
            fault(w_.warp, &inst_, lane_bit(lane), "invalid-free",
                  "A thread frees an address that the device's malloc did not give out, "
                  "or that it has freed before.",
                  "Free each pointer of malloc() once, in device code.");
        bad.finding.address = address;
        throw bad;
    }

private:
    BlockState& block_;
    WarpState& w_;
    const Frame& frame_;
    const CallSite& site_;
    const Inst& inst_;
};

}  // namespace

void system_call(BlockState& block, WarpState& w, const Path& path, const CallSite& site,
                 const Inst& inst, LaneMask mask) {
    const Caller caller(block, w, *path.frame, site, inst);
    switch (site.system) {
        case SystemCall::print:
            for_each_lane(mask, [&](int lane) { caller.print(lane); });
            break;
        case SystemCall::assert_fail:
            caller.assert_fail(mask);
        case SystemCall::allocate:
            for_each_lane(mask, [&](int lane) { caller.allocate(lane); });
            break;
        case SystemCall::release:
            for_each_lane(mask, [&](int lane) { caller.release(lane); });
            break;
        case SystemCall::none:
            break;
    }
}

}  // namespace emu
