#pragma once
// Moves a warp's elements between memory and registers: one loop for each shape of the
// addresses, so that the usual ones are plain copies that the compiler vectorises.
#include <cstring>

#include "emulator/ops/reach.h"

namespace emu {

// Registers may be wider than the type: a load then extends by the type's sign, a store
// takes the low bytes (PTX ISA 9.4.1).
template <class T, class Reg>
inline Reg extended(T value) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<Reg>(static_cast<Wide>(value));
}

template <class T>
inline T read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}
template <class T>
inline void write(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof(T));
}

// Element k of `Count` of each lane goes to the register d.
template <class T, class Reg, int Count>
void load_element(Reg* d, const Place& place, int k) {
    if (place.mask == all_lanes && place.shape == Shape::contiguous) {
        const std::byte* from = place.of(0);
        for (int lane = 0; lane < warp_size; ++lane)
            d[lane] = extended<T, Reg>(read<T>(from + (lane * Count + k) * sizeof(T)));
    } else if (place.mask == all_lanes && place.shape == Shape::broadcast) {
        const Reg value = extended<T, Reg>(read<T>(place.of(0) + k * sizeof(T)));
        for (int lane = 0; lane < warp_size; ++lane) d[lane] = value;
    } else if (place.mask == all_lanes) {
        for (int lane = 0; lane < warp_size; ++lane)
            d[lane] = extended<T, Reg>(read<T>(place.of(lane) + k * sizeof(T)));
    } else {
        for_each_lane(place.mask, [&](int lane) {
            d[lane] = extended<T, Reg>(read<T>(place.of(lane) + k * sizeof(T)));
        });
    }
}

// Lanes that store to one address write in ascending order: the highest one's value
// stays.
template <class T, class Reg, int Count>
void store_element(const Reg* s, const Place& place, int k) {
    if (place.mask == all_lanes && place.shape == Shape::contiguous) {
        std::byte* to = place.of(0);
        for (int lane = 0; lane < warp_size; ++lane)
            write(to + (lane * Count + k) * sizeof(T), static_cast<T>(s[lane]));
    } else {
        for_each_lane(place.mask, [&](int lane) {
            write(place.of(lane) + k * sizeof(T), static_cast<T>(s[lane]));
        });
    }
}

template <class Reg>
void clear_lanes(Reg* d, LaneMask mask) {
    for_each_lane(mask, [&](int lane) { d[lane] = 0; });
}

}  // namespace emu
