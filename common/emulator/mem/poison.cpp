#include "emulator/mem/poison.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace emu {
namespace {

constexpr std::uint64_t page = 4096, chunk = 16 << 20;

// A file in memory full of poison, mapped copy-on-write over large allocations: a hundred
// gigabytes are poisoned without touching a page of them. -1 where the host has none.
int poison_file() {
    static const int file = [] {
        const int made = memfd_create("poison", MFD_CLOEXEC);
        if (made < 0 || ftruncate(made, chunk) != 0) return -1;
        void* bytes = mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
        if (bytes == MAP_FAILED) return -1;
        std::memset(bytes, poison_byte, chunk);
        munmap(bytes, chunk);
        return made;
    }();
    return file;
}

std::byte* up_to_page(std::byte* at) {
    return at + (page - reinterpret_cast<std::uintptr_t>(at) % page) % page;
}

}  // namespace

void poison(std::byte* storage, std::uint64_t bytes) {
    std::byte* const end = storage + bytes;
    std::byte* at = storage;
    if (bytes >= 2 * chunk && poison_file() >= 0) {
        std::byte* const first = up_to_page(at);
        std::memset(at, poison_byte, first - at);
        for (at = first; end - at >= static_cast<std::ptrdiff_t>(chunk); at += chunk) {
            void* got = mmap(at, chunk, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, poison_file(), 0);
            if (got == MAP_FAILED) break;
        }
    }
    std::memset(at, poison_byte, end - at);
}

void give_back(std::byte* storage, std::uint64_t bytes) {
    std::byte* const first = up_to_page(storage);
    const std::uint64_t whole =
        (storage + bytes - first) / static_cast<std::int64_t>(page);
    if (storage + bytes <= first || whole < 16) return;
    mmap(first, whole * page, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

}  // namespace emu
