# Finds the CUDA Toolkit and turns on the CUDA language.
set(WARPLINGS_CUDA_OLDEST 13)

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  file(GLOB toolkit_folders LIST_DIRECTORIES true /usr/local/cuda /usr/local/cuda-* /opt/cuda)
  find_program(CMAKE_CUDA_COMPILER nvcc
    HINTS ENV CUDA_HOME ENV CUDA_PATH
    PATHS ${toolkit_folders}
    PATH_SUFFIXES bin)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR
      "No CUDA Toolkit: nvcc is not in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda. "
      "Install CUDA ${WARPLINGS_CUDA_OLDEST} (https://developer.nvidia.com/cuda-downloads); "
      "no GPU and no driver are needed.")
  endif()
endif()

# OFF: CMake adds no -gencode of its own. `kernel_options` (Kernel.cmake) says what to build for.
set(CMAKE_CUDA_ARCHITECTURES OFF)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS WARPLINGS_CUDA_OLDEST)
  message(FATAL_ERROR
    "CUDA Toolkit ${CMAKE_CUDA_COMPILER_VERSION} (${CMAKE_CUDA_COMPILER}) is too old: "
    "Warplings is tested with ${WARPLINGS_CUDA_OLDEST}. Install a newer one, or point CUDACXX "
    "at its nvcc.")
endif()
include(Toolkit)
cmake_path(GET CUDA_cudart_LIBRARY PARENT_PATH WARPLINGS_CUDART_FOLDER)
