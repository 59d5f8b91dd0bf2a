#pragma once
// Compares an array with what it should be, and says what the mistake looks like.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kit {

// |got - expected| <= absolute + relative * |expected|. Both 0: equal as values, where
// NaN equals NaN and nothing else.
struct Tolerance {
    double relative = 0, absolute = 0;
};

struct Shape {  // how the array is meant, for the guess and the index
    std::size_t rows = 0, cols = 0;  // 0, 0: one row
    std::size_t block = 0;  // threads in a block, where one wrote `block` elements
};

struct Difference {
    std::size_t size = 0;          // elements compared
    std::size_t wrong = 0;         // how many of them
    std::size_t first = 0;         // index of the first
    double expected = 0, got = 0;  // at the first
    std::string pattern;           // what it looks like; empty where nothing fits
    std::string text;              // the whole as sentences; empty where all is right

    explicit operator bool() const { return !text.empty(); }
};

// float, double, int, unsigned, long long, unsigned long long, unsigned char.
template <class T>
Difference compare(std::span<const T> got, std::span<const T> expected,
                   Tolerance tolerance = {}, Shape shape = {});

// For a doctest check: CHECK(kit::first_difference(got, expected) == "");
template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& expected,
                             Tolerance tolerance = {}, Shape shape = {}) {
    return compare<T>(std::span<const T>(got), std::span<const T>(expected), tolerance,
                      shape)
        .text;
}

}  // namespace kit
