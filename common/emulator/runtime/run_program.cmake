# Runs PROGRAM on the emulator. It must end with 0, and the kinds of its findings must be, in
# order, those that SOURCE lists on lines "// findings: KIND KIND ...".
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${SOURCE}" lines REGEX "^// findings:")
list(TRANSFORM lines REPLACE "^// findings: ?" "")
list(JOIN lines " " wanted)
string(STRIP "${wanted}" wanted)

set(json "${PROGRAM}.json")
file(REMOVE "${json}")
execute_process(COMMAND ${CMAKE_COMMAND} -E env "WARPLINGS_JSON=${json}" --unset=WARPLINGS_DEVICE
                        --unset=WARPLINGS_CHECK "LD_PRELOAD=${RUNTIME}" "${PROGRAM}"
                OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE status)
set(found "")
if(EXISTS "${json}")
  file(STRINGS "${json}" lines REGEX "^{\"finding\"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^{\"finding\":\"([^\"]*)\".*" "\\1" kind "${line}")
    string(APPEND found " ${kind}")
  endforeach()
  string(STRIP "${found}" found)
endif()
if(NOT status EQUAL 0 OR NOT found STREQUAL wanted)
  message(FATAL_ERROR "ended with ${status}\nfindings: ${found}\nexpected: ${wanted}\n${printed}")
endif()
