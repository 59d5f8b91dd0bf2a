// skeleton IN OUT: writes the learner's file OUT from the marked answer IN. A program of
// its own without libraries, so that a build can derive skeletons before it has anything
// else.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "warplings/skeleton.h"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: skeleton IN OUT\n");
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    const std::string answer{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        std::fprintf(stderr, "skeleton: cannot read %s\n", argv[1]);
        return 2;
    }
    try {
        const std::string skeleton = warplings::skeleton_of(answer, argv[1]);
        std::ofstream out(argv[2], std::ios::binary);
        out << skeleton << std::flush;
        if (out) return 0;
        std::fprintf(stderr, "skeleton: cannot write %s\n", argv[2]);
        return 3;
    } catch (const warplings::SkeletonError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
