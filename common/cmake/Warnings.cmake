# One list of warnings. Our own code links `warnings_as_errors`. What a learner writes links
# `learner_warnings`: fewer, and none of them stops the way to an answer.
set(host_warnings -Wall -Wextra -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps in std::string (PR 105651), unset strings in std::variant (PR 105562).
  list(APPEND host_warnings -Wno-restrict -Wno-maybe-uninitialized)
endif()
list(JOIN host_warnings "," host_warnings_for_nvcc)

add_library(learner_warnings INTERFACE)
target_compile_options(learner_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>")

add_library(warnings_as_errors INTERFACE)
target_compile_options(warnings_as_errors INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_warnings};-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings_for_nvcc},-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
