// What a destructor of the program frees is no leak; what nobody frees is one.
// findings: leak leak
#include <cstdlib>

struct Holder {
    int* d = nullptr;
    ~Holder() { cudaFree(d); }
};
Holder holder;

int main() {
    int *first[3], *pinned;
    cudaMalloc(&holder.d, 64);
    for (int*& d : first) cudaMalloc(&d, 100);
    cudaMallocHost(&pinned, 8);
}
