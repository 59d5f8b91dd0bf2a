#include "image_brightness.h"

#include "kit/check.h"

namespace solution {

// One pixel, `change` brighter.
__device__ unsigned char brighter(unsigned char pixel, int change) {
    // #solution
    // In int, where 300 and -45 exist: a byte would have wrapped around to 44 and 211.
    const int value = pixel + change;
    return min(max(value, 0), 255);
    // #skeleton
    //| return pixel + change;  // TODO: what happens to 250 + 50 in eight bits?
    // #end
}

// One thread, one pixel.
__global__ void brighten_pixels(int width, int height, int pitch, int change,
                                const unsigned char* in, unsigned char* out) {
    // #solution
    // x counts columns: neighbouring lanes then touch neighbouring bytes.
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = row * pitch + col;  // rows start `pitch` apart, and end after `width`
    if (col < width && row < height) out[i] = brighter(in[i], change);
    // #skeleton
    //| // TODO: find this thread's column and row; brighten that pixel if it exists.
    // #end
}

void brighten(int width, int height, int pitch, int change, const unsigned char* in,
              unsigned char* out) {
    if (width == 0 || height == 0) return;
    const dim3 threads(32, 8);
    // #solution
    const dim3 blocks((width + threads.x - 1) / threads.x,
                      (height + threads.y - 1) / threads.y);
    // #skeleton
    //| const dim3 blocks(1, 1);  // TODO: enough blocks in x and in y to cover the image.
    // #end
    brighten_pixels<<<blocks, threads>>>(width, height, pitch, change, in, out);
    kit::check_launch("brighten_pixels");
}

}  // namespace solution
