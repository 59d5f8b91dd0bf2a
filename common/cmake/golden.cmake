# Runs PROGRAM on the emulator (RUNTIME) and compares what it prints with the file EXPECTED.
# With WARPLINGS_RECORD=1 in the environment, writes EXPECTED instead.
cmake_path(GET ACTUAL PARENT_PATH folder)
file(MAKE_DIRECTORY "${folder}")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env "LD_PRELOAD=${RUNTIME}" --unset=WARPLINGS_DEVICE
    --unset=WARPLINGS_SCHEDULE "${PROGRAM}"
  OUTPUT_FILE "${ACTUAL}" ERROR_VARIABLE complaints RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  file(READ "${ACTUAL}" printed)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}.\n${printed}\n${complaints}")
endif()

if("$ENV{WARPLINGS_RECORD}")
  file(COPY_FILE "${ACTUAL}" "${EXPECTED}")
  message(STATUS "Written: ${EXPECTED}. Read it before you commit it.")
  return()
endif()

execute_process(COMMAND diff -u --label expected --label actual "${EXPECTED}" "${ACTUAL}"
                OUTPUT_VARIABLE difference ERROR_VARIABLE difference RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message("${difference}")
  message(FATAL_ERROR "The output is not what ${EXPECTED} says. If the new one is right: "
                      "WARPLINGS_RECORD=1 ctest -R lesson, then read the change.")
endif()
