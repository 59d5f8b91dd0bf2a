// The answer against whole numbers on the CPU: bytes have no rounding, so no tolerance.
#include <doctest/doctest.h>

#include <algorithm>

#include "image_brightness.h"
#include "kit/compare.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

TEST_CASE("the answer brightens every pixel, clamps it, and nothing else") {
    struct Case {
        int width, height, pitch, change;
    };
    for (auto [width, height, pitch, change] :
         {Case{1, 1, 1, 5}, Case{33, 31, 40, 100}, Case{7, 129, 7, -100},
          Case{300, 5, 512, 255}}) {
        CAPTURE(width);
        CAPTURE(change);
        const auto values = kit::random_ints(pitch * height, 5, 0, 255);
        const std::vector<unsigned char> in(values.begin(), values.end());
        std::vector<unsigned char> expected(in.size(), kit::poison_byte);
        for (int row = 0; row < height; ++row)
            for (int col = 0; col < width; ++col) {
                const int i = row * pitch + col;
                expected[i] = (unsigned char)(std::clamp(in[i] + change, 0, 255));
            }
        kit::DeviceBuffer<unsigned char> d_in(in), d_out(in.size(), kit::Fill::poison);
        solution::brighten(width, height, pitch, change, d_in.data(), d_out.data());
        CHECK(kit::first_difference(d_out.copy_out(), expected) == "");
    }
}
