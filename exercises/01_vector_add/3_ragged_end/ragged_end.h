#pragma once
// sum = a + b for arrays whose length is no multiple of the block.

namespace exercise {

// For every i in 0..n-1: sum[i] = a[i] + b[i].
//   n      number of elements, 0 or more
//   a, b   n floats each in device memory, only read
//   sum    n floats in device memory, overwritten
void add(int n, const float* a, const float* b, float* sum);

}  // namespace exercise

namespace solution {
void add(int n, const float* a, const float* b, float* sum);
}
