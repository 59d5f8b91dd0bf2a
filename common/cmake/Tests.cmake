# doctest programs as ctest tests.

# One test for every file that `target` is made of: PREFIX.mem.memory for mem/memory_test.cpp.
# A filter that selects no case would pass in silence, so an empty selection is a failure.
function(add_tests_by_file prefix target files)
  foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    string(REGEX REPLACE "_test\\.cpp$" "" name "${file}")
    string(REPLACE "/" "." name "${prefix}.${name}")
    add_test(NAME ${name} COMMAND ${target} "--source-file=*/${file}")
    set_tests_properties(${name} PROPERTIES
      TIMEOUT 120 FAIL_REGULAR_EXPRESSION "test cases: *0 \\|")
  endforeach()
endfunction()
