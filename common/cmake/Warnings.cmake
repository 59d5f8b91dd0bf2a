# One list of warnings. Our own code links `warnings_as_errors`. What a learner writes links
# `learner_warnings`: fewer, and none of them stops the way to an answer.
set(host_warnings -Wall -Wextra -Wshadow)
list(JOIN host_warnings "," host_warnings_for_nvcc)

add_library(learner_warnings INTERFACE)
target_compile_options(learner_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>")

add_library(warnings_as_errors INTERFACE)
target_compile_options(warnings_as_errors INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${host_warnings};-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings_for_nvcc},-Werror>"
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings>")
