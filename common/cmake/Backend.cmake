# Decides where kernels run and for which devices they are built, by asking the machine.
#
# Sets  WARPLINGS_RUNS_ON          gpu or emulator
#       WARPLINGS_ARCHITECTURES    compute capabilities, such as 90
#       WARPLINGS_RUNTIME_FOLDER   the folder whose libcudart.so.N programs are to find

# The compute capabilities of the GPUs that answer, or nothing.
function(find_working_gpus result)
  set(${result} "" PARENT_SCOPE)
  try_run(ran compiled "${PROJECT_BINARY_DIR}/probe"
    "${PROJECT_SOURCE_DIR}/common/cmake/probe_gpus.cpp"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${CUDAToolkit_INCLUDE_DIRS}"
                "-DCMAKE_BUILD_RPATH=${WARPLINGS_CUDART_FOLDER}"
    LINK_LIBRARIES "${CUDA_cudart_LIBRARY}"
    RUN_OUTPUT_VARIABLE capabilities)
  if(compiled AND ran EQUAL 0)
    string(STRIP "${capabilities}" capabilities)
    set(${result} "${capabilities}" PARENT_SCOPE)
  endif()
  # Asked anew at each configure: a driver may have come or gone since.
  unset(ran CACHE)
  unset(compiled CACHE)
endfunction()

set(gpus "")
if(NOT WARPLINGS_BACKEND STREQUAL emulator)
  find_working_gpus(gpus)
endif()

if(WARPLINGS_BACKEND STREQUAL auto)
  set(WARPLINGS_RUNS_ON emulator)
  if(gpus OR NOT WARPLINGS_EMULATOR)
    set(WARPLINGS_RUNS_ON gpu)
  endif()
elseif(WARPLINGS_BACKEND MATCHES "^(gpu|emulator)$")
  set(WARPLINGS_RUNS_ON "${WARPLINGS_BACKEND}")
else()
  message(FATAL_ERROR "WARPLINGS_BACKEND is '${WARPLINGS_BACKEND}'; it must be auto, gpu or emulator.")
endif()
if(WARPLINGS_RUNS_ON STREQUAL emulator AND NOT WARPLINGS_EMULATOR)
  message(FATAL_ERROR "WARPLINGS_BACKEND=emulator needs WARPLINGS_EMULATOR=ON.")
endif()

# The emulated default device is an H200, and loads PTX as one: nothing newer than 90.
set(WARPLINGS_ARCHITECTURES "${WARPLINGS_CUDA_ARCHITECTURES}")
if(NOT WARPLINGS_ARCHITECTURES)
  set(WARPLINGS_ARCHITECTURES ${gpus})
  if(WARPLINGS_EMULATOR OR NOT gpus)
    list(APPEND WARPLINGS_ARCHITECTURES 90)
  endif()
  list(REMOVE_DUPLICATES WARPLINGS_ARCHITECTURES)
endif()

if(WARPLINGS_RUNS_ON STREQUAL emulator)
  set(WARPLINGS_RUNTIME_FOLDER "${PROJECT_BINARY_DIR}/lib/emulator")
else()
  set(WARPLINGS_RUNTIME_FOLDER "${WARPLINGS_CUDART_FOLDER}")
endif()
message(STATUS "Kernels run on the ${WARPLINGS_RUNS_ON}, built for ${WARPLINGS_ARCHITECTURES}")
