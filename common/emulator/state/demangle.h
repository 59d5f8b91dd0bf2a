#pragma once
// C++ names as the profiler writes them: "ld_stride(const float *, float *, int)".
#include <string>
#include <string_view>

namespace emu {

// A name that is not mangled comes back as it is.
std::string demangled(std::string_view mangled);

}  // namespace emu
