# Finds the CUDA Toolkit's headers and libraries.
#
# CMake 3.25's own module sets a property on a target that CUDA 13 no longer has, and stops.
# It does so only where the project asks for 3.25, so for this one call it asks for less.
set(asked_for ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_MINIMUM_REQUIRED_VERSION ${asked_for})
