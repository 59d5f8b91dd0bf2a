cmake_minimum_required(VERSION 3.25)
# Writes exports.map, the version script with every name that TOOLKIT exports, and stubs.cpp
# with those of them that OBJECTS do not define. _ptds and _ptsz names, which mean the default
# stream of the thread, go to the plain function: work runs when it is queued, so that both
# default streams behave alike.
execute_process(COMMAND "${NM}" -D --defined-only "${TOOLKIT}" OUTPUT_VARIABLE listed
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T [A-Za-z0-9_]+" wanted "${listed}")
list(TRANSFORM wanted REPLACE " T " "")
list(REMOVE_DUPLICATES wanted)
list(SORT wanted)

execute_process(COMMAND "${NM}" -g --defined-only ${OBJECTS} OUTPUT_VARIABLE listed
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T (__)?cuda[A-Za-z0-9_]+" defined "${listed}")
list(TRANSFORM defined REPLACE " T " "")

set(stubs "// Written by exports.cmake: what the runtime does not do, and says so.\n")
string(APPEND stubs "extern \"C\" {\nint emulator_not_supported(const char* name);\n")
foreach(name IN LISTS wanted)
  if(name IN_LIST defined)
    continue()
  endif()
  string(REGEX REPLACE "_pt[ds][sz]$" "" plain "${name}")
  if(NOT plain STREQUAL name AND plain IN_LIST defined)
    string(APPEND stubs "__asm__(\".globl ${name}\\n.type ${name},@function\\n${name}: jmp ${plain}\\n\");\n")
  else()
    string(APPEND stubs "int ${name}() { return emulator_not_supported(\"${name}\"); }\n")
  endif()
endforeach()
string(APPEND stubs "}\n")
file(WRITE "${FOLDER}/stubs.cpp" "${stubs}")

list(JOIN wanted ";\n    " names)
file(WRITE "${FOLDER}/exports.map" "${VERSION_NODE} {\n  global:\n    ${names};\n  local: *;\n};\n")
