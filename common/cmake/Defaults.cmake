# What holds for every target: the language, the build type, where results land, ccache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD_REQUIRED OFF)  # CMake 3.25 does not know CUDA 13's; see Kernel.cmake
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

# Programs in one folder, so that every tool knows where a target lands.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# For tests and for the program, which waits for compilers and files: a third less to compile.
add_library(quick_to_build INTERFACE)
target_compile_options(quick_to_build INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-O1>")

find_program(WARPLINGS_CCACHE ccache DOC "Compiler cache; not needed, saves time")
if(WARPLINGS_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${WARPLINGS_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${WARPLINGS_CCACHE}")
endif()

# For our own host code; kernels are looked after by the emulator's checks.
if(WARPLINGS_SANITIZE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined>"
                      "$<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
endif()
