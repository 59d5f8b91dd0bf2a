#!/usr/bin/env bash
# add_units_test.sh SOURCE WORK [RUNTIME]: adds a lesson (one folder) and an exercise (two) to
# a copy of the project in WORK, and shows that nothing else is needed for their targets and
# tests to exist, to build, and, on the drop-in library RUNTIME, to pass.
set -euo pipefail

source_folder=$1 work=$2 runtime=${3:-}

fail() {
    printf 'build.add_units: %s\n' "$*" >&2
    exit 1
}

copy_project() {  # all but the units
    rm -rf -- "$work"
    mkdir -p -- "$work"
    cp -r -- "$source_folder/CMakeLists.txt" "$source_folder/common" "$work"
}

add_lesson() {
    local folder=$work/lessons/90_added_lesson
    mkdir -p -- "$folder"
    cat >"$folder/added_lesson.cu" <<'END'
#include <cstdio>

__global__ void tell(int* answer) { *answer = 42; }

int main() {
    int *d_answer = nullptr, answer = 0;
    cudaMalloc(&d_answer, sizeof answer);
    tell<<<1, 1>>>(d_answer);
    cudaMemcpy(&answer, d_answer, sizeof answer, cudaMemcpyDeviceToHost);
    cudaFree(d_answer);
    std::printf("answer %d\n", answer);
}
END
    echo "answer 42" >"$folder/expected.txt"
}

add_exercise() {
    local exercise=$work/exercises/90_added_lesson/1_doubled
    local solution=$work/solutions/90_added_lesson/1_doubled
    mkdir -p -- "$exercise" "$solution/wrong"
    cat >"$exercise/doubled.h" <<'END'
namespace exercise { int doubled(int); }
namespace solution { int doubled(int); }
END
    cat >"$exercise/check.cpp" <<'END'
#include <doctest/doctest.h>
#include "doubled.h"
TEST_CASE("a number is doubled") { CHECK(exercise::doubled(21) == solution::doubled(21)); }
END
    cat >"$solution/doubled.cu" <<'END'
#include "doubled.h"
namespace solution {
__global__ void store_double(int x, int* result) {
    // #solution
    *result = 2 * x;
    // #skeleton
    //| *result = x;  // TODO: twice as much.
    // #end
}
int doubled(int x) {
    int *d_result = nullptr, result = 0;
    cudaMalloc(&d_result, sizeof result);
    store_double<<<1, 1>>>(x, d_result);
    cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(d_result);
    return result;
}
}  // namespace solution
END
    sed -e 's/namespace solution/namespace exercise/' -e '/#solution/d' -e '/#skeleton/,/#end/d' \
        -e '1i // rejected: wrong-answer "a number is doubled", line 5: adds 2' \
        -e 's|    \*result = 2 \* x;|    *result = 2 + x;  // mended:     *result = 2 * x;|' \
        "$solution/doubled.cu" >"$solution/wrong/added.cu"
    cat >"$solution/oracle_test.cpp" <<'END'
#include <doctest/doctest.h>
#include "doubled.h"
TEST_CASE("the reference doubles") { CHECK(solution::doubled(-3) == -6); }
END
}

# Configured whole, to see every test that the units get.
expect_tests() {
    cmake -S "$work" -B "$work/whole" -G Ninja >"$work/whole.log" 2>&1 ||
        fail "does not configure: $(cat "$work/whole.log")"
    local tests name
    tests=$(ctest --test-dir "$work/whole" -N)
    for name in lesson.added_lesson solution.doubled unsolved.doubled wrong.doubled.added \
        mended.doubled.added oracle.doubled; do
        grep -q ": $name\$" <<<"$tests" || fail "there is no test $name"
    done
}

# Built without emulator and program, which the units do not need and which take minutes.
build_units() {
    {
        cmake -S "$work" -B "$work/units" -G Ninja \
            -DWARPLINGS_EMULATOR=OFF -DWARPLINGS_PROGRAM=OFF &&
            cmake --build "$work/units" --target skeleton &&
            "$work/units/bin/skeleton" "$work/solutions/90_added_lesson/1_doubled/doubled.cu" \
                "$work/exercises/90_added_lesson/1_doubled/doubled.cu" &&
            cmake --build "$work/units" --target added_lesson check_doubled unsolved_doubled \
                solution_doubled mended_doubled_added oracle_doubled
    } >"$work/units.log" 2>&1 || fail "does not build: $(tail -n 30 "$work/units.log")"
}

run_units() {
    local bin=$work/units/bin program
    export LD_PRELOAD=$runtime
    [[ $("$bin/added_lesson") == "answer 42" ]] || fail "the lesson prints something else"
    for program in solution_doubled mended_doubled_added oracle_doubled; do
        "$bin/$program" >"$work/run.log" || fail "$program fails: $(cat "$work/run.log")"
    done
    for program in check_doubled unsolved_doubled; do
        "$bin/$program" >"$work/run.log" && fail "$program passes"
        grep -q "is NOT correct" "$work/run.log" || fail "$program fails no assertion"
    done
}

copy_project
add_lesson
add_exercise
expect_tests
build_units
[[ -z $runtime ]] || run_units
rm -rf -- "$work"
