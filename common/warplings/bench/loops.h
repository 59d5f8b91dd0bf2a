#pragma once
// What the emulator's speed is measured against: the same work in plain C++, one thread,
// built with g++ -O2 and nothing else.
namespace bench {

void add(const float* a, const float* b, float* sum, long n);

// c = a * b, row-major n x n, in i, j, k order.
void multiply(const float* a, const float* b, float* c, int n);

}  // namespace bench
