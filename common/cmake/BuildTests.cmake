# Tests of the build itself.

# That a unit is found by its folder: one is added to a copy of the project.
set(runtime "")
if(TARGET emulator_runtime)
  set(runtime "$<TARGET_FILE:emulator_runtime>")
endif()
add_test(NAME build.add_units
  COMMAND "${PROJECT_SOURCE_DIR}/common/cmake/add_units_test.sh"
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/add_units" ${runtime})
set_tests_properties(build.add_units PROPERTIES TIMEOUT 300)
