#pragma once
// Which line of the program called: from return addresses to file and line.
#include <string>

namespace emu {

struct Place {
    std::string file;                 // empty where unknown
    int line = 0;
    std::string text() const;         // "saxpy.cu:12", or empty
};

// Return addresses of whoever called the runtime; cheap to take, resolved only when needed.
struct Callers {
    static constexpr int most = 12;
    void* address[most] = {};
    int count = 0;
};
Callers callers_here();
Callers caller_at(void* return_address);

// The innermost caller in the program's own source: the toolkit's headers, nvcc's stubs and
// the kit's helpers are passed over. Unknown in a program without debug information.
Place place_of(const Callers& callers);

}  // namespace emu
