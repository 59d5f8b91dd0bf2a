#pragma once
// What each atomic operation makes of the old value and its operands, b and c. `global`
// tells global memory, where add.f32 flushes subnormals, from shared, where it does not.
//
// Source: PTX ISA 9.7.13 (atom, red).
#include <bit>
#include <cstdint>

#include "emulator/ops/half.h"

namespace emu {

// -----------------------

template <class U>
struct Add {
    using Bits = U;
    static U result(U old, U b, U, bool) { return old + b; }
};
template <class U, class Ordered>
struct Min {
    using Bits = U;
    static U result(U old, U b, U, bool) { return Ordered(b) < Ordered(old) ? b : old; }
};
template <class U, class Ordered>
struct Max {
    using Bits = U;
    static U result(U old, U b, U, bool) { return Ordered(b) > Ordered(old) ? b : old; }
};
template <class U>
struct And {
    using Bits = U;
    static U result(U old, U b, U, bool) { return old & b; }
};
template <class U>
struct Or {
    using Bits = U;
    static U result(U old, U b, U, bool) { return old | b; }
};
template <class U>
struct Xor {
    using Bits = U;
    static U result(U old, U b, U, bool) { return old ^ b; }
};
template <class U>
struct Exchange {
    using Bits = U;
    static U result(U, U b, U, bool) { return b; }
};
template <class U>
struct CompareSwap {
    using Bits = U;
    static U result(U old, U b, U c, bool) { return old == b ? c : old; }
};
struct Increment {
    using Bits = std::uint32_t;
    static Bits result(Bits old, Bits b, Bits, bool) { return old >= b ? 0 : old + 1; }
};
struct Decrement {
    using Bits = std::uint32_t;
    static Bits result(Bits old, Bits b, Bits, bool) {
        return old == 0 || old > b ? b : old - 1;
    }
};
struct AddF32 {
    using Bits = std::uint32_t;
    static Bits result(Bits old, Bits b, Bits, bool global) {
        const float x = std::bit_cast<float>(old), y = std::bit_cast<float>(b);
        const float sum = global ? flush_float(flush_float(x) + flush_float(y)) : x + y;
        return sum == sum ? std::bit_cast<Bits>(sum) : f32_nan;
    }
};
struct AddF64 {
    using Bits = std::uint64_t;
    static Bits result(Bits old, Bits b, Bits, bool) {
        return std::bit_cast<Bits>(std::bit_cast<double>(old) + std::bit_cast<double>(b));
    }
};
template <class H>
struct AddHalf {
    using Bits = std::uint16_t;
    static Bits result(Bits old, Bits b, Bits, bool) {
        return half_from<H>(double(to_float(H{old})) + double(to_float(H{b}))).bits;
    }
};
template <class H>
struct AddPair {
    using Bits = std::uint32_t;
    static Bits result(Bits old, Bits b, Bits, bool) {
        auto half = [&](int shift) {
            return Bits(AddHalf<H>::result(std::uint16_t(old >> shift),
                                           std::uint16_t(b >> shift), 0, false))
                   << shift;
        };
        return half(0) | half(16);
    }
};

}  // namespace emu
