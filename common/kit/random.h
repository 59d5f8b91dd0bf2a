#pragma once
// Inputs that are the same on every machine and give mistakes no place to hide: no
// equal stretches, no symmetry, no zeros among the floats.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kit {

// One well-mixed 64-bit word per position (the finaliser of SplitMix64): value i does not
// depend on how many were drawn before, so a longer array begins with the shorter one.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t x = seed * 0xD1342543DE82EF95u + (i + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// In (low, high), never exactly 0.
inline std::vector<float> random_floats(std::size_t size, std::uint64_t seed,
                                        float low = -1, float high = 1) {
    std::vector<float> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        const double unit = (double(random_bits(seed, i) >> 40) + 0.5) / double(1 << 24);
        const float value = float(low + (double(high) - low) * unit);
        values[i] = value != 0 ? value : high / 2;
    }
    return values;
}

// In low..high, both included.
inline std::vector<int> random_ints(std::size_t size, std::uint64_t seed, int low,
                                    int high) {
    const auto span = std::uint64_t(std::int64_t(high) - low) + 1;
    std::vector<int> values(size);
    for (std::size_t i = 0; i < size; ++i)
        values[i] = int(low + std::int64_t(random_bits(seed, i) % span));
    return values;
}

}  // namespace kit
