#include "emulator/runtime/where.h"

#include <cstdio>

#include "emulator/runtime/report.h"

namespace emu {
namespace {

Side side_of(Kind kind) {
    switch (kind) {
        case Kind::managed:
        case Kind::pinned:
        case Kind::mapped: return Side::both;
        default: return Side::device;
    }
}

std::string bytes_text(std::uint64_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

void tell_outside(Call& call, const Allocation& near, std::uint64_t address,
                  std::uint64_t bytes, const char* does) {
    auto offset = static_cast<long long>(address - near.address);
    std::string what = std::string(call.name()) + " " + does + " " + bytes_text(bytes) +
                       " at offset " + std::to_string(offset) + " of " + described(near);
    if (near.freed)
        tell(call, "use-after-free", Severity::error, what + ", which has been freed",
             "free an allocation after its last use", cudaErrorInvalidValue);
    else
        tell(call, "copy-out-of-bounds", Severity::error, what,
             "compare the size in bytes with that of the allocation: sizes are counted in "
             "bytes, not in elements",
             cudaErrorInvalidValue);
}

Region refused() {
    Region region;
    region.error = cudaErrorInvalidValue;
    return region;
}

}  // namespace

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string described(const Allocation& a) {
    if (a.kind == Kind::symbol) return "the variable '" + a.name + "'";
    if (a.kind == Kind::constant) return "the constant '" + a.name + "'";
    return "the " + std::to_string(a.bytes) + "-byte allocation from " + a.name +
           (a.place.empty() ? "" : " at " + a.place);
}

Region region_of(Call& call, const void* pointer, std::uint64_t bytes, const char* does) {
    std::uint64_t address = address_of(pointer);
    Memory& memory = call.memory();
    if (const Allocation* a = memory.find(address, bytes))
        return {cudaSuccess, side_of(a->kind), a->storage + (address - a->address), a};
    const Allocation* near = memory.nearest(address);
    bool inside_one = near && address >= near->address && address < near->address + near->bytes;
    if (Memory::is_device_address(address) || (inside_one && !near->freed)) {
        if (near)
            tell_outside(call, *near, address, bytes, does);
        else
            tell(call, "copy-out-of-bounds", Severity::error,
                 std::string(call.name()) + " " + does + " " + bytes_text(bytes) + " at " +
                     hex(address) + ", where no allocation is",
                 "pass a pointer that cudaMalloc gave", cudaErrorInvalidValue);
        return refused();
    }
    bool readable = bytes == 0 || (Memory::is_host_address(address) &&
                                   Memory::is_host_address(address + bytes - 1));
    if (readable)
        return {cudaSuccess, Side::host, reinterpret_cast<std::byte*>(address), nullptr};
    tell(call, "invalid-call", Severity::error,
         std::string(call.name()) + " " + does + " " + bytes_text(bytes) + " at " +
             (address == 0 ? "a null pointer"
                           : hex(address) + ", which is neither device nor host memory"),
         "check that the pointer was allocated, and that the allocation succeeded",
         cudaErrorInvalidValue);
    return refused();
}

}  // namespace emu
