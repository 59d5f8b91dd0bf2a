// Further cases: the task states them, the learner's check does not show them.
#include <doctest/doctest.h>

#include <algorithm>

#include "image_brightness.h"
#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

namespace {

using Bytes = std::vector<unsigned char>;

Bytes brightened(int width, int height, int pitch, int change, const Bytes& in) {
    kit::DeviceBuffer<unsigned char> d_in(in), d_out(in.size(), kit::Fill::poison);
    exercise::brighten(width, height, pitch, change, d_in.data(), d_out.data());
    kit::check_launch("brighten");
    return d_out.copy_out();
}

}  // namespace

TEST_CASE("every brightness with every change ends where it should") {
    Bytes in(256), expected(256);
    for (int k = 0; k < 256; ++k) in[k] = (unsigned char)(k);
    for (int change = -255; change <= 255; change += 15) {
        CAPTURE(change);
        for (int k = 0; k < 256; ++k)
            expected[k] = (unsigned char)(std::clamp(k + change, 0, 255));
        CHECK(kit::first_difference(brightened(256, 1, 256, change, in), expected) == "");
    }
}

TEST_CASE("a single column and a single row, with and without a pitch") {
    for (int pitch : {1, 5}) {
        const auto values = kit::random_ints(300 * pitch, 71, 0, 255);
        const Bytes in(values.begin(), values.end());
        Bytes expected(in.size(), kit::poison_byte);
        for (int row = 0; row < 300; ++row)
            expected[row * pitch] = (unsigned char)(std::min(in[row * pitch] + 20, 255));
        CHECK(kit::first_difference(brightened(1, 300, pitch, 20, in), expected) == "");
    }
}
