#pragma once
// y = a*x + y, the "hello, world" of numerical libraries: one thread per element.

namespace exercise {

// For every i in 0..n-1: y[i] = a * x[i] + y[i].
//   n   number of elements, 0 or more; for 0 there is nothing to do
//   a   the factor
//   x   n floats in device memory, only read
//   y   n floats in device memory, updated in place
void saxpy(int n, float a, const float* x, float* y);

}  // namespace exercise

namespace solution {
void saxpy(int n, float a, const float* x, float* y);
}
