# Finds the lessons and exercises by folder and adds their targets and tests.
# The number in a folder's name orders units, the slug names them: renumbering breaks nothing.
include(Lesson)
include(Exercise)

# Calls `adder(slug folder)` once for every folder NN_slug that holds a file of `pattern`.
# Two units of one name are refused: a slug names targets, tests and arguments.
function(discover_units adder pattern)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${pattern}")
  set(folders ${sources})
  list(TRANSFORM folders REPLACE "/[^/]+$" "")
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    cmake_path(GET folder FILENAME name)
    if(NOT name MATCHES "^[0-9]+_([a-z][a-z0-9_]*)$")
      message(FATAL_ERROR "${folder}: a unit's folder is called NN_slug, a number and a name "
                          "of small letters, digits and underscores.")
    endif()
    set(slug "${CMAKE_MATCH_1}")
    get_property(other GLOBAL PROPERTY warplings_unit_${slug})
    if(other)
      message(FATAL_ERROR "Two units are called '${slug}': ${other} and ${folder}. Rename one.")
    endif()
    set_property(GLOBAL PROPERTY warplings_unit_${slug} "${folder}")
    cmake_language(CALL ${adder} ${slug} "${folder}")
  endforeach()
endfunction()

function(discover_lessons)
  discover_units(add_lesson "lessons/*/*.cu")
endfunction()

function(discover_exercises)
  discover_units(add_exercise "exercises/*/*/check.cpp")
endfunction()
