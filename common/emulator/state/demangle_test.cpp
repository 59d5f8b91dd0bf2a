#include <doctest/doctest.h>

#include "emulator/state/demangle.h"

using emu::demangled;

// As Nsight Compute wrote them for the test data of an H200.
TEST_CASE("names as the profiler writes them") {
    CHECK(demangled("_Z9ld_stridePKfPfi") == "ld_stride(const float *, float *, int)");
    CHECK(demangled("_Z9transposeILi0EEvPKfPfi") ==
          "void transpose<0>(const float *, float *, int)");
    CHECK(demangled("_Z7ld_vec4PK6float4PS_") == "ld_vec4(const float4 *, float4 *)");
    CHECK(demangled("_Z7ld_bytePKhPh") ==
          "ld_byte(const unsigned char *, unsigned char *)");
    CHECK(demangled("_Z7at_samePi") == "at_same(int *)");
}

TEST_CASE("a name that is not mangled stays") {
    CHECK(demangled("saxpy") == "saxpy");
    CHECK(demangled("") == "");
}
