# Tests of exercises. Each takes a program that add_check made, builds it with `all`, and
# expects one verdict of it, in its count build and, where it has one, its check build.

function(test_program name target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL FALSE)
  if(TARGET ${target}_checkbuild)
    set_target_properties(${target}_checkbuild PROPERTIES EXCLUDE_FROM_ALL FALSE)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
endfunction()

# The options that name the builds of `target` to `warplings dev expect`.
function(named_builds target result)
  set(options --exe $<TARGET_FILE:${target}>)
  if(TARGET ${target}_checkbuild)
    list(APPEND options --exe-check $<TARGET_FILE:${target}_checkbuild>)
  endif()
  set(${result} ${options} PARENT_SCOPE)
endfunction()

# Passes every case, and where the command-line program is built, without a finding.
function(test_passes name target)
  if(TARGET warplings AND WARPLINGS_EMULATOR)
    named_builds(${target} builds)
    add_test(NAME ${name} COMMAND warplings dev expect passed ${builds})
  else()
    add_test(NAME ${name} COMMAND ${target})
  endif()
  test_program(${name} ${target})
endfunction()

# Fails an assertion: neither a crash nor an early exit counts.
function(test_fails_assertion name target)
  add_test(NAME ${name} COMMAND ${target})
  set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "ERROR: .*is NOT correct!")
  test_program(${name} ${target})
endfunction()

# Rejected with the verdict, the case or finding, and the line that `source` names at its top.
# Only the command-line program gives verdicts.
function(test_rejected name target source)
  if(TARGET warplings AND WARPLINGS_EMULATOR)
    named_builds(${target} builds)
    add_test(NAME ${name} COMMAND warplings dev expect "${source}" ${builds})
    test_program(${name} ${target})
  endif()
endfunction()

function(test_does_not_compile name source folder line)
  cmake_path(GET source FILENAME file)
  add_test(NAME ${name} COMMAND ${CMAKE_CUDA_COMPILER} -std=c++20
    "-I${PROJECT_SOURCE_DIR}/common" "-I${folder}" -c "${source}"
    -o "${PROJECT_BINARY_DIR}/derived/${name}.o")
  set_tests_properties(${name} PROPERTIES
    PASS_REGULAR_EXPRESSION "${file}(\\(${line}\\)|:${line}(:[0-9]+)?): error")
endfunction()

# The learner's file as committed is what the answer gives.
function(test_has_not_drifted name derived file)
  add_test(NAME ${name}
    COMMAND "${PROJECT_SOURCE_DIR}/common/cmake/drift_test.sh" "${derived}" "${file}")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
