#pragma once
// Brightens a grey image: two dimensions, rows with a pitch, pixels that end at 0 and
// 255.

namespace exercise {

// Adds `change` to every pixel. What would be below 0 becomes 0, above 255 becomes 255.
//   width, height   pixels in a row, and rows; either may be 0
//   pitch           bytes from one row's start to the next one's, width or more
//   change          -255..255
//   in, out         pitch * height bytes each in device memory, that do not overlap; the
//                   pixel in column `col` of row `row` is the byte row * pitch + col
// The bytes between the end of a row and the start of the next one are left alone.
void brighten(int width, int height, int pitch, int change, const unsigned char* in,
              unsigned char* out);

}  // namespace exercise

namespace solution {
void brighten(int width, int height, int pitch, int change, const unsigned char* in,
              unsigned char* out);
}
