# Tests of the build itself.
set(runtime "")
if(TARGET emulator_runtime)
  set(runtime "$<TARGET_FILE:emulator_runtime>")
  add_test(NAME build.backend
    COMMAND "${PROJECT_SOURCE_DIR}/common/cmake/backend_test.sh"
      "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/backend" "${runtime}")
  set_tests_properties(build.backend PROPERTIES TIMEOUT 120)
endif()

# That a unit is found by its folder: one is added to a copy of the project.
add_test(NAME build.add_units
  COMMAND "${PROJECT_SOURCE_DIR}/common/cmake/add_units_test.sh"
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/add_units" ${runtime})
set_tests_properties(build.add_units PROPERTIES TIMEOUT 300)
