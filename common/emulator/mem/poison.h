#pragma once
// Fresh device memory holds 0xcd in every byte, so that a value nobody wrote looks wrong.
#include <cstddef>
#include <cstdint>

namespace emu {

constexpr unsigned char poison_byte = 0xcd;

// Fills [storage, storage + bytes). Large ranges cost no memory until they are written.
void poison(std::byte* storage, std::uint64_t bytes);

// Lets the host have a freed range back; its contents are lost.
void give_back(std::byte* storage, std::uint64_t bytes);

}  // namespace emu
