# How a .cu file is compiled, and which CUDA runtime its program finds.
#
# count_build   as shipped: optimised, with line numbers. Counters, registers, times.
# check_build   not optimised, no fused multiply-add: what the optimiser would hide, such as
#               a load moved across a barrier, stays where the source has it.
#
# CMake 3.25 knows no C++20 for this nvcc and ignores CUDA_STANDARD in silence: said by hand.
# SHELL: keeps CMake from dropping an option that it has seen before.

add_library(kernel_options INTERFACE)
target_compile_options(kernel_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-lineinfo>"
  -UNDEBUG)  # lessons and checks use assert, in every build type
foreach(capability IN LISTS WARPLINGS_ARCHITECTURES)
  # Machine code and PTX: the emulator executes the PTX.
  target_compile_options(kernel_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-gencode arch=compute_${capability},code=[sm_${capability},compute_${capability}]>")
endforeach()
target_include_directories(kernel_options INTERFACE "${PROJECT_SOURCE_DIR}/common")
target_link_libraries(kernel_options INTERFACE CUDA::cudart)

add_library(count_build INTERFACE)
target_link_libraries(count_build INTERFACE kernel_options)

add_library(check_build INTERFACE)
target_link_libraries(check_build INTERFACE kernel_options)
target_compile_options(check_build INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcicc -O0>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>")

# Makes `target` find the CUDA runtime of the chosen backend. An old-style run path, because
# it wins over LD_LIBRARY_PATH, which many CUDA users have pointing at the toolkit. It holds
# for the libraries that the program loads, too.
function(use_cuda_runtime target)
  set_target_properties(${target} PROPERTIES BUILD_RPATH "${WARPLINGS_RUNTIME_FOLDER}")
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  if(TARGET emulator_runtime)
    add_dependencies(${target} emulator_runtime)
  endif()
endfunction()
