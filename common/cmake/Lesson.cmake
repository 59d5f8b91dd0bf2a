# A lesson: one program from every source in its folder, and a test of what it prints.

# Target and program SLUG; test lesson.SLUG compares its output on the emulator with
# expected.txt. `WARPLINGS_RECORD=1 ctest -R lesson.SLUG` writes expected.txt anew.
function(add_lesson slug folder)
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cu" "${folder}/*.cpp")
  add_executable(${slug} ${sources})
  target_link_libraries(${slug} PRIVATE count_build warnings_as_errors kit)
  use_cuda_runtime(${slug})
  if(TARGET emulator_runtime)
    add_test(NAME lesson.${slug}
      COMMAND ${CMAKE_COMMAND}
        "-DPROGRAM=$<TARGET_FILE:${slug}>"
        "-DRUNTIME=$<TARGET_FILE:emulator_runtime>"
        "-DEXPECTED=${folder}/expected.txt"
        "-DACTUAL=${PROJECT_BINARY_DIR}/lessons/${slug}.txt"
        -P "${PROJECT_SOURCE_DIR}/common/cmake/golden.cmake")
    set_tests_properties(lesson.${slug} PROPERTIES TIMEOUT 120)
  endif()
endfunction()
