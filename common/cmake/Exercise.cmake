# An exercise: the learner's file, checked against the linked reference; and for maintainers
# its answer, its skeleton, its wrong answers and its oracle, each a test.
#
# check_SLUG             exercises/NN_lesson/N_slug/SLUG.cu, the learner's; in no test
# solution_SLUG          the answer, which must pass; grading.cpp's cases are added
# unsolved_SLUG          the skeleton as the answer's marks give it: must fail an assertion
# wrong_SLUG_NAME        wrong/NAME.cu, rejected as its first line says
# mended_SLUG_NAME       the same with its marked line replaced: must pass
# oracle_SLUG            the reference against a plain CPU computation
# libreference_SLUG.so   the answer as the checks link it
#
# The learner's and the answer's also come as NAME_checkbuild (see Kernel.cmake). Other
# sources in the exercise's folder are given: linked with every answer.
include(Verdicts)

# Needs nothing but the compiler, so that units build without the command-line program.
add_executable(skeleton
  "${PROJECT_SOURCE_DIR}/common/warplings/skeleton_main.cpp"
  "${PROJECT_SOURCE_DIR}/common/warplings/skeleton.cpp")
target_include_directories(skeleton PRIVATE "${PROJECT_SOURCE_DIR}/common")
target_link_libraries(skeleton PRIVATE warnings_as_errors)

function(add_exercise slug folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/exercises"
             OUTPUT_VARIABLE unit)
  set(authored "${PROJECT_SOURCE_DIR}/solutions/${unit}")
  add_reference(${slug} "${folder}" "${authored}")
  if(NOT TARGET reference_${slug})
    message(STATUS "Exercise ${slug} is left out: neither ${authored}/${slug}.cu "
                   "nor a built libreference_${slug}.so")
    return()
  endif()
  file(GLOB given CONFIGURE_DEPENDS "${folder}/*.cu" "${folder}/*.cpp")
  set(learners "${given}")
  list(FILTER given EXCLUDE REGEX "/${slug}\\.cu$")
  list(FILTER learners INCLUDE REGEX "/${slug}\\.cu$")
  add_cases(cases_${slug} "${given}" "${folder}")

  add_check(check_${slug} ${slug} "${folder}" "${learners}")
  target_link_libraries(check_${slug} PRIVATE learner_warnings)
  if(EXISTS "${authored}")
    add_maintainers_checks(${slug} "${folder}" "${authored}")
  endif()
endfunction()

# The answer as a shared library that shows solution::* alone, so that a learner's helper of
# the same name cannot take the place of the reference's. A hand-out has it built already.
function(add_reference slug folder authored)
  file(GLOB answers CONFIGURE_DEPENDS "${authored}/*.cu")
  if(answers)
    add_library(reference_${slug} SHARED EXCLUDE_FROM_ALL ${answers})
    set_target_properties(reference_${slug} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/reference")
    set(exports "${PROJECT_SOURCE_DIR}/common/cmake/reference_exports.map")
    set_target_properties(reference_${slug} PROPERTIES LINK_DEPENDS "${exports}")
    target_link_options(reference_${slug} PRIVATE
      "LINKER:--version-script=${exports}" LINKER:-Bsymbolic)
    target_include_directories(reference_${slug} PRIVATE "${folder}")
    target_link_libraries(reference_${slug} PRIVATE count_build warnings_as_errors kit)
    use_cuda_runtime(reference_${slug})
  elseif(EXISTS "${folder}/libreference_${slug}.so")
    add_library(reference_${slug} SHARED IMPORTED GLOBAL)
    set_target_properties(reference_${slug} PROPERTIES
      IMPORTED_LOCATION "${folder}/libreference_${slug}.so")
  endif()
endfunction()

# doctest cases and what is given, compiled once and linked with every answer.
function(add_cases target sources folder)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources})
  target_include_directories(${target} PRIVATE "${folder}")
  target_link_libraries(${target} PRIVATE
    count_build quick_to_build warnings_as_errors kit doctest::doctest)
endfunction()

# Program `target` and its `target`_checkbuild: `sources` under the cases of exercise `slug`.
# Only the builds that are named after `sources`; none named: both.
function(add_check target slug folder sources)
  set(builds ${ARGN})
  if(NOT builds)
    set(builds count_build check_build)
  endif()
  foreach(build IN LISTS builds)
    set(name ${target})
    if(build STREQUAL check_build)
      set(name ${target}_checkbuild)
    endif()
    add_executable(${name} EXCLUDE_FROM_ALL ${sources} $<TARGET_OBJECTS:cases_${slug}>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CUDA)
    target_include_directories(${name} PRIVATE "${folder}")
    # A finding about a call in host code, such as a leak, names its line.
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-g>")
    target_link_libraries(${name} PRIVATE
      ${build} reference_${slug} kit_doctest_main kit doctest::doctest)
    use_cuda_runtime(${name})
  endforeach()
endfunction()

function(add_maintainers_checks slug folder authored)
  file(GLOB answers CONFIGURE_DEPENDS "${authored}/*.cu")
  add_check(solution_${slug} ${slug} "${folder}" "${answers}")
  both_builds(target_compile_definitions solution_${slug} PRIVATE solution=exercise)
  if(EXISTS "${authored}/grading.cpp")
    add_cases(grading_${slug} "${authored}/grading.cpp" "${folder}")
    both_builds(target_sources solution_${slug} PRIVATE $<TARGET_OBJECTS:grading_${slug}>)
  endif()
  test_passes(solution.${slug} solution_${slug})

  add_skeleton(${slug} "${folder}" "${authored}")
  file(GLOB wrong_answers CONFIGURE_DEPENDS "${authored}/wrong/*.cu")
  foreach(wrong IN LISTS wrong_answers)
    add_wrong_answer(${slug} "${folder}" "${wrong}")
  endforeach()

  if(EXISTS "${authored}/oracle_test.cpp")
    add_executable(oracle_${slug} "${authored}/oracle_test.cpp")
    target_include_directories(oracle_${slug} PRIVATE "${folder}")
    target_link_libraries(oracle_${slug} PRIVATE kernel_options quick_to_build warnings_as_errors
      reference_${slug} kit_doctest_main kit doctest::doctest)
    use_cuda_runtime(oracle_${slug})
    add_test(NAME oracle.${slug} COMMAND oracle_${slug})
    set_tests_properties(oracle.${slug} PROPERTIES TIMEOUT 120)
  endif()
endfunction()

# Calls a target_... command for a program and for its check build, if it has one.
macro(both_builds command target)
  cmake_language(CALL ${command} ${target} ${ARGN})
  if(TARGET ${target}_checkbuild)
    cmake_language(CALL ${command} ${target}_checkbuild ${ARGN})
  endif()
endmacro()

# The skeleton is derived here anew, so that a learner's half-done file never enters a test.
function(add_skeleton slug folder authored)
  set(derived "${PROJECT_BINARY_DIR}/derived/${slug}/skeleton/${slug}.cu")
  cmake_path(GET derived PARENT_PATH derived_folder)
  file(MAKE_DIRECTORY "${derived_folder}")
  add_custom_command(OUTPUT "${derived}"
    COMMAND skeleton "${authored}/${slug}.cu" "${derived}"
    DEPENDS skeleton "${authored}/${slug}.cu" VERBATIM)
  add_check(unsolved_${slug} ${slug} "${folder}" "${derived}" count_build)
  both_builds(target_compile_options unsolved_${slug} PRIVATE -w)
  test_fails_assertion(unsolved.${slug} unsolved_${slug})
  test_has_not_drifted(skeleton.${slug} "${derived}" "${folder}/${slug}.cu")
endfunction()

# Line N of a wrong answer ends in `// mended: CODE`, which takes the line's place. Where the
# optimiser hides the mistake, the first line says "check build", and that is built as well.
function(add_wrong_answer slug folder wrong)
  cmake_path(GET wrong STEM name)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wrong}")
  file(STRINGS "${wrong}" heading LIMIT_COUNT 1)
  if(heading MATCHES "^// rejected: compile-error.* line ([0-9]+)")
    test_does_not_compile(wrong.${slug}.${name} "${wrong}" "${folder}" ${CMAKE_MATCH_1})
  else()
    set(builds count_build)
    if(heading MATCHES "check build")
      list(APPEND builds check_build)
    endif()
    add_check(wrong_${slug}_${name} ${slug} "${folder}" "${wrong}" ${builds})
    both_builds(target_compile_options wrong_${slug}_${name} PRIVATE -w)
    test_rejected(wrong.${slug}.${name} wrong_${slug}_${name} "${wrong}")
  endif()

  set(derived "${PROJECT_BINARY_DIR}/derived/${slug}/mended/${name}.cu")
  cmake_path(GET derived PARENT_PATH derived_folder)
  file(MAKE_DIRECTORY "${derived_folder}")
  add_custom_command(OUTPUT "${derived}"
    COMMAND sed -E "s,^.*// mended: ,," "${wrong}" > "${derived}"
    DEPENDS "${wrong}" VERBATIM)
  add_check(mended_${slug}_${name} ${slug} "${folder}" "${derived}" count_build)
  test_passes(mended.${slug}.${name} mended_${slug}_${name})
endfunction()
