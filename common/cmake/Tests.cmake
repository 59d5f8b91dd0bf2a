# doctest programs as ctest tests.

# One test PREFIX.STEM for every file STEM_test.cpp that `target` is made of. A filter that
# selects no case would pass in silence, so an empty selection is a failure.
function(add_tests_by_file prefix target files)
  foreach(file IN LISTS files)
    cmake_path(GET file STEM stem)
    string(REGEX REPLACE "_test$" "" stem "${stem}")
    add_test(NAME ${prefix}.${stem} COMMAND ${target} "--source-file=*/${stem}_test.cpp")
    set_tests_properties(${prefix}.${stem} PROPERTIES
      TIMEOUT 120 FAIL_REGULAR_EXPRESSION "test cases: *0 \\|")
  endforeach()
endfunction()
