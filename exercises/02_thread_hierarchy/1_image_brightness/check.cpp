#include <doctest/doctest.h>

#include "image_brightness.h"
#include "kit/compare.h"
#include "kit/counters.h"
#include "kit/device_buffer.h"
#include "kit/random.h"

namespace {

using Bytes = std::vector<unsigned char>;
using Brighten = void(int, int, int, int, const unsigned char*, unsigned char*);

struct Image {
    int width, height, pitch;  // pixels, rows, bytes
    Bytes bytes;
};

// The bytes between rows are random as well: none of them may end up in a result.
Image image(int width, int height, int gap = 0, int low = 0, int high = 255) {
    const int pitch = width + gap;
    const auto values = kit::random_ints(pitch * height, 61 + width, low, high);
    return {width, height, pitch, Bytes(values.begin(), values.end())};
}

Bytes run(Brighten brighten, const Image& image, int change) {
    kit::DeviceBuffer<unsigned char> d_in(image.bytes),
        d_out(image.bytes.size(), kit::Fill::poison);
    brighten(image.width, image.height, image.pitch, change, d_in.data(), d_out.data());
    kit::check_launch("brighten");
    return d_out.copy_out();
}

Bytes columns(const Bytes& bytes, const Image& image, int from, int to) {
    Bytes part;
    for (int row = 0; row < image.height; ++row)
        part.insert(part.end(), bytes.begin() + row * image.pitch + from,
                    bytes.begin() + row * image.pitch + to);
    return part;
}

// Pixels only: what lies between the rows has a case of its own.
std::string difference(const Image& image, int change) {
    const Bytes got =
        columns(run(exercise::brighten, image, change), image, 0, image.width);
    const Bytes expected =
        columns(run(solution::brighten, image, change), image, 0, image.width);
    return kit::first_difference(got, expected, {},
                                 {std::size_t(image.height), std::size_t(image.width)});
}

}  // namespace

TEST_CASE("every pixel of an image smaller than a block is brightened") {
    CHECK(difference(image(1, 1, 0, 40, 200), 30) == "");
    CHECK(difference(image(31, 7, 0, 40, 200), 30) == "");
    CHECK(difference(image(32, 8, 0, 40, 200), -30) == "");
}

TEST_CASE("pixels end at 0 and at 255 instead of wrapping around") {
    for (int change : {90, -90, 255, -255}) {
        CAPTURE(change);
        CHECK(difference(image(32, 8), change) == "");
    }
}

TEST_CASE("images that are not square and no multiple of a block") {
    CHECK(difference(image(33, 9, 0, 40, 200), 30) == "");
    CHECK(difference(image(100, 7, 0, 40, 200), 30) == "");
    CHECK(difference(image(7, 100, 0, 40, 200), 30) == "");
    CHECK(difference(image(131, 67, 0, 40, 200), 30) == "");
}

TEST_CASE("rows that start further apart than they are wide") {
    CHECK(difference(image(32, 8, 32, 40, 200), 30) == "");
    CHECK(difference(image(50, 21, 14, 40, 200), 30) == "");
}

TEST_CASE("the bytes between the rows are left alone") {
    const Image wide = image(50, 21, 14, 40, 200);
    const Bytes gaps = columns(run(exercise::brighten, wide, 30), wide, 50, 64);
    CHECK(kit::first_difference(gaps, Bytes(gaps.size(), kit::poison_byte)) == "");
}

TEST_CASE("a large image") { CHECK(difference(image(641, 359, 127), 77) == ""); }

TEST_CASE("an image without pixels: nothing is launched, and nothing goes wrong") {
    CHECK_NOTHROW(exercise::brighten(0, 5, 0, 10, nullptr, nullptr));
    CHECK_NOTHROW(exercise::brighten(5, 0, 5, 10, nullptr, nullptr));
    CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("the kernel computes the result, not the host") {
    if (!kit::on_emulator()) return;  // a GPU does not tell
    const Image wide = image(50, 21, 14, 40, 200);
    const kit::Counted counted = kit::count([&] { run(exercise::brighten, wide, 30); });
    // 32 lanes store together, so 1050 pixels are at least 33 stores of a warp.
    CHECK(counted[kit::metric::store_requests].value_or(0) >= 33);
}
