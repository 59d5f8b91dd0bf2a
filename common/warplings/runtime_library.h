#pragma once
// Which CUDA runtime a program gets, and whether it can be given one at all.
#include "warplings/files.h"

namespace warplings {

// The drop-in emulator, or the toolkit's own runtime. Preloaded, since a program's run path
// cannot win over that. Throws Failure(3) where it is missing.
fs::path runtime_library(bool of_gpu);

// How an executable came to its CUDA runtime.
enum class Linked { shared, statically, not_at_all, not_a_program };
Linked linked_runtime(const fs::path& executable);

}  // namespace warplings
