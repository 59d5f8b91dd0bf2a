#pragma once
// What the device's printf writes. Arguments lie in memory as C's promotions leave them,
// each aligned to its size (CUDA C++ Programming Guide, "Formatted Output").
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace emu {

struct Arguments {
    std::function<std::uint64_t(int bytes)> next;            // 4 or 8 bytes
    std::function<std::string(std::uint64_t address)> text;  // what %s points to
};

struct Formatted {
    std::string text;
    int arguments = 0;
    std::uint32_t bytes = 0;  // in the printf buffer: header, pointers, arguments
};

Formatted format(std::string_view pattern, const Arguments& arguments);

}  // namespace emu
