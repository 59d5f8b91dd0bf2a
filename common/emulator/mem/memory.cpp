#include "emulator/mem/memory.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "emulator/mem/poison.h"

namespace emu {
namespace {

constexpr std::uint64_t guard = 256;       // bytes at least behind every allocation
constexpr std::uint64_t start = 64 << 10;  // so that a negative index is seen as one
constexpr std::uint64_t most_reserved = 1ull << 42;
constexpr std::size_t quarantine_count = 1024;
constexpr std::uint64_t near = 64 << 10;  // how far nearest() looks

// A program has one device at a time; tests may have several, each with its own range.
struct Range {
    std::atomic<std::uint64_t> base{0}, bytes{0};
};
Range ranges[8];

std::uint64_t round_up(std::uint64_t value, std::uint64_t align) {
    return (value + align - 1) / align * align;
}

void* reserve(std::uint64_t at, std::uint64_t bytes, int protection, int flags) {
    return mmap(reinterpret_cast<void*>(at), bytes, protection,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

// The fixed place, so that runs repeat; the next ones where something else lies there.
std::uint64_t reserve_addresses(std::uint64_t bytes) {
    for (std::uint64_t k = 0; k < std::size(ranges); ++k) {
        const std::uint64_t at = device_base + (k << 43);
        void* got = reserve(at, bytes, PROT_NONE, MAP_FIXED_NOREPLACE);
        if (got == reinterpret_cast<void*>(at)) return at;
        if (got != MAP_FAILED) munmap(got, bytes);  // an old kernel takes it as a hint
    }
    return 0;
}

}  // namespace

Memory::Memory(std::uint64_t capacity) : capacity_(capacity) {
    // Twice the capacity leaves room for guards, quarantine and what they break up; a
    // host that limits address space gets less.
    const std::uint64_t most = round_up(std::min(2 * capacity, most_reserved), 1 << 21);
    for (std::uint64_t bytes = most; bytes >= 1 << 21;
         bytes = round_up(bytes / 2, 4096)) {
        base_ = reserve_addresses(bytes);
        if (base_ == 0) continue;
        void* twin = reserve(0, bytes, PROT_READ | PROT_WRITE, 0);
        if (twin != MAP_FAILED) {
            storage_ = static_cast<std::byte*>(twin);
            reserved_ = bytes;
            break;
        }
        munmap(reinterpret_cast<void*>(base_), bytes);
        base_ = 0;
    }
    top_ = base_ + start;
    for (auto& range : ranges) {
        std::uint64_t none = 0;
        if (reserved_ == 0 || !range.base.compare_exchange_strong(none, base_)) continue;
        range.bytes = reserved_;
        break;
    }
}

Memory::~Memory() {
    for (auto& range : ranges) {
        if (base_ == 0 || range.base != base_) continue;
        range.bytes = 0;
        range.base = 0;
    }
    if (reserved_ == 0) return;
    munmap(reinterpret_cast<void*>(base_), reserved_);
    munmap(storage_, reserved_);
}

const Allocation* Memory::insert(std::uint64_t address, std::uint64_t bytes, Kind kind,
                                 std::string name, std::byte* storage) {
    auto made = std::make_unique<Allocation>();
    *made = {address, bytes, kind, false, storage, ++count_, std::move(name), {}, 0};
    auto& place = by_address_[address];
    place = std::move(made);
    ++generation_;
    return place.get();
}

const Allocation* Memory::allocate(std::uint64_t bytes, Kind kind, std::string name,
                                   std::uint64_t align) {
    std::lock_guard lock(mutex_);
    if (bytes > capacity_ - std::min(used_, capacity_)) return nullptr;
    const std::uint64_t address =
        take_room(round_up(bytes, 256) + guard, std::max<std::uint64_t>(align, 256));
    if (address == 0) return nullptr;
    std::byte* storage = storage_ + (address - base_);
    poison(storage, bytes);
    used_ += bytes;
    return insert(address, bytes, kind, std::move(name), storage);
}

const Allocation* Memory::adopt(void* host, std::uint64_t bytes, Kind kind,
                                std::string name) {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    std::lock_guard lock(mutex_);
    // The host's allocator hands out freed memory again: what lay there is history.
    auto first = by_address_.upper_bound(address);
    if (first != by_address_.begin()) {
        auto before = std::prev(first);
        if (before->first + before->second->bytes > address) first = before;
    }
    while (first != by_address_.end() && first->first < address + std::max(bytes, 1ul)) {
        if (!first->second->freed) return nullptr;
        std::erase(quarantine_, first->first);
        first = by_address_.erase(first);
    }
    return insert(address, bytes, kind, std::move(name), static_cast<std::byte*>(host));
}

void Memory::set_pitch(std::uint64_t address, std::uint64_t pitch) {
    std::lock_guard lock(mutex_);
    auto found = by_address_.find(address);
    if (found != by_address_.end()) found->second->pitch = pitch;
}

void Memory::set_place(std::uint64_t address, std::string place) {
    std::lock_guard lock(mutex_);
    auto found = by_address_.find(address);
    if (found != by_address_.end()) found->second->place = std::move(place);
}

bool Memory::release(std::uint64_t address) {
    std::lock_guard lock(mutex_);
    auto found = by_address_.find(address);
    if (found == by_address_.end() || found->second->freed) return false;
    Allocation& freed = *found->second;
    freed.freed = true;
    ++generation_;
    quarantine_.push_back(address);
    if (in_range(address)) {
        used_ -= freed.bytes;
        quarantined_ += freed.bytes;
        give_back(freed.storage, freed.bytes);
    }
    while (quarantine_.size() > quarantine_count || quarantined_ > reserved_ / 4)
        forget_oldest();
    return true;
}

void Memory::forget_oldest() {
    const std::uint64_t address = quarantine_.front();
    quarantine_.pop_front();
    auto found = by_address_.find(address);
    if (in_range(address)) {
        quarantined_ -= found->second->bytes;
        give_room(address, round_up(found->second->bytes, 256) + guard);
    }
    by_address_.erase(found);
}

// First fit among what was given back, then the untouched end of the range.
std::uint64_t Memory::take_room(std::uint64_t room, std::uint64_t align) {
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [from, bytes] = *gap;
        const std::uint64_t at = round_up(from, align);
        if (at + room > from + bytes) continue;
        gaps_.erase(gap);
        if (at > from) gaps_[from] = at - from;
        if (from + bytes > at + room) gaps_[at + room] = from + bytes - (at + room);
        return at;
    }
    const std::uint64_t at = round_up(top_, align);
    if (reserved_ == 0 || at + room > base_ + reserved_ || at + room < at) return 0;
    if (at > top_) give_room(top_, at - top_);
    top_ = at + room;
    return at;
}

void Memory::give_room(std::uint64_t address, std::uint64_t room) {
    auto after = gaps_.lower_bound(address);
    if (after != gaps_.end() && address + room == after->first) {
        room += after->second;
        after = gaps_.erase(after);
    }
    if (after != gaps_.begin()) {
        auto before = std::prev(after);
        if (before->first + before->second == address) {
            before->second += room;
            return;
        }
    }
    gaps_[address] = room;
}

const Allocation* Memory::find(std::uint64_t address, std::uint64_t bytes) const {
    std::shared_lock lock(mutex_);
    auto after = by_address_.upper_bound(address);
    if (after == by_address_.begin()) return nullptr;
    const Allocation& a = *std::prev(after)->second;
    const std::uint64_t offset = address - a.address;
    const bool inside = offset <= a.bytes && bytes <= a.bytes - offset;
    return inside && !a.freed ? &a : nullptr;
}

const Allocation* Memory::nearest(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    auto after = by_address_.upper_bound(address);
    const Allocation* below = nullptr;
    const Allocation* above = nullptr;
    if (after != by_address_.begin()) below = std::prev(after)->second.get();
    if (after != by_address_.end()) above = after->second.get();
    if (below && address < below->address + std::max<std::uint64_t>(below->bytes, 1))
        return below;
    const std::uint64_t down = below ? address - (below->address + below->bytes) : ~0ull;
    const std::uint64_t up = above ? above->address - address : ~0ull;
    if (std::min(down, up) > near) return nullptr;
    return down <= up ? below : above;
}

bool Memory::is_device_address(std::uint64_t address) {
    return std::ranges::any_of(ranges, [&](const Range& range) {
        return range.base != 0 && address - range.base < range.bytes;
    });
}

bool Memory::is_host_address(std::uint64_t address) {
    if (is_device_address(address)) return false;
    char byte;
    iovec here{&byte, 1}, there{reinterpret_cast<void*>(address), 1};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

std::uint64_t Memory::used() const {
    std::shared_lock lock(mutex_);
    return used_;
}

}  // namespace emu
