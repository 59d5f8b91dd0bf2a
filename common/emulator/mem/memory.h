#pragma once
// The emulated device's global memory: addresses of their own, guard zones, quarantine.
//
// Device addresses are a reserved range that the host cannot touch, at a fixed place so
// that runs repeat; the bytes live in a twin range at a constant distance. Managed and
// pinned memory is ordinary host memory at its own address. Every allocation starts at a
// multiple of 256 bytes and is followed by at least 256 bytes that belong to nobody.
// Freed ranges wait in quarantine, so that a use after free is named.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

namespace emu {

enum class Kind : std::uint8_t {
    device,
    managed,
    pinned,
    mapped,
    symbol,
    constant,
    heap
};

struct Allocation {
    std::uint64_t address = 0;  // as the program sees it
    std::uint64_t bytes = 0;    // asked for
    Kind kind = Kind::device;
    bool freed = false;            // in quarantine
    std::byte* storage = nullptr;  // where byte 0 lives
    std::uint64_t number = 0;      // 1, 2, ... in order of allocation
    std::string name;              // symbol's name, or the call that made it
    std::string place;             // "file.cu:12" of the call, where known
    std::uint64_t pitch = 0;       // cudaMallocPitch: bytes a row, else 0
};

// Address windows of the generic space (PTX ISA 5.1: generic addresses of shared and
// local memory fall within a window of the generic space).
constexpr std::uint64_t shared_window = 0x0100'0000'0000, shared_window_bytes = 1u << 24;
constexpr std::uint64_t local_window = 0x0200'0000'0000, local_window_bytes = 1ull << 32;
constexpr std::uint64_t device_base = 0x2000'0000'0000;

class Memory {
public:
    explicit Memory(std::uint64_t capacity);  // bytes the emulated device has
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Null where the device's capacity or the host's memory is exhausted. 0 bytes are
    // allowed and get an address of their own. Contents are poisoned (0xcd), not zero.
    const Allocation* allocate(std::uint64_t bytes, Kind kind, std::string name,
                               std::uint64_t align = 256);
    // Registers host memory (pinned, mapped, managed) under its own address.
    const Allocation* adopt(void* host, std::uint64_t bytes, Kind kind, std::string name);
    void set_pitch(std::uint64_t address, std::uint64_t pitch);
    void set_place(std::uint64_t address, std::string place);
    // False where `address` is not the start of a live allocation.
    bool release(std::uint64_t address);

    // The live allocation that holds [address, address + bytes), else null.
    const Allocation* find(std::uint64_t address, std::uint64_t bytes = 1) const;
    // For messages: the allocation, live or freed, that holds or is nearest below or
    // above the address (within 64 KiB); null where there is none.
    const Allocation* nearest(std::uint64_t address) const;
    // True for addresses of the reserved range, allocated or not.
    static bool is_device_address(std::uint64_t address);
    // True where the host could read the address: plain host memory, if find() knows it
    // not.
    static bool is_host_address(std::uint64_t address);

    std::uint64_t capacity() const { return capacity_; }
    std::uint64_t used() const;
    template <class F>
    void for_each_live(F&& f) const {  // in order of allocation
        std::shared_lock lock(mutex_);
        std::map<std::uint64_t, const Allocation*> by_number;
        for (auto& [at, a] : by_address_)
            if (!a->freed) by_number[a->number] = a.get();
        for (auto& [n, a] : by_number) f(*a);
    }
    // Changes whenever an allocation appears or goes: caches of find() compare it.
    std::uint64_t generation() const {
        return generation_.load(std::memory_order_acquire);
    }

private:
    const Allocation* insert(std::uint64_t address, std::uint64_t bytes, Kind kind,
                             std::string name, std::byte* storage);
    std::uint64_t take_room(std::uint64_t room, std::uint64_t align);  // 0: no room
    void give_room(std::uint64_t address, std::uint64_t room);
    void forget_oldest();  // of the quarantine
    bool in_range(std::uint64_t address) const { return address - base_ < reserved_; }

    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, std::unique_ptr<Allocation>> by_address_;
    std::map<std::uint64_t, std::uint64_t> gaps_;  // given back: address, bytes
    std::deque<std::uint64_t> quarantine_;         // addresses, oldest first
    std::uint64_t quarantined_ = 0;                // bytes of the range in quarantine
    std::uint64_t capacity_ = 0, used_ = 0, count_ = 0, top_ = 0;
    std::atomic<std::uint64_t> generation_{1};
    std::uint64_t base_ = 0, reserved_ = 0;  // what the program sees
    std::byte* storage_ = nullptr;           // where it lies
};

}  // namespace emu
