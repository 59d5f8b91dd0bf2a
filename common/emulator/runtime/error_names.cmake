cmake_minimum_required(VERSION 3.25)
# Writes a line {NUMBER, "NAME"}, for each error code of the toolkit's HEADER to OUTPUT.
file(STRINGS "${HEADER}" lines REGEX "^ *cuda(Success|Error[A-Za-z0-9]*) *= *[0-9]+")
set(rows "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^ *(cuda[A-Za-z0-9]*) *= *([0-9]+).*" "{\\2, \"\\1\"},\n" row "${line}")
  string(APPEND rows "${row}")
endforeach()
file(WRITE "${OUTPUT}" "${rows}")
