#!/usr/bin/env bash
# backend_test.sh SOURCE WORK RUNTIME: configures the project where a GPU answers and shows that
# `auto` takes it. The emulated runtime, preloaded, stands in for the GPU: the probe that asks
# the machine cannot tell the two apart.
set -euo pipefail

source_folder=$1 work=$2 runtime=$3

expect() {  # DEVICE BACKEND LINE: that configuring with these says LINE
    local said
    said=$(WARPLINGS_DEVICE=$1 LD_PRELOAD=$runtime cmake -S "$source_folder" -B "$work" -G Ninja \
        -DWARPLINGS_BACKEND="$2" 2>&1)
    grep -q -x -F -e "-- $3" <<<"$said" && return
    printf 'with a %s and backend %s: expected "%s" in\n%s\n' "$1" "$2" "$3" "$said" >&2
    exit 1
}

rm -rf -- "$work"
expect H200 auto "Kernels run on the gpu, built for 90"
expect T4 auto "Kernels run on the gpu, built for 75;90"
expect T4 emulator "Kernels run on the emulator, built for 90"
rm -rf -- "$work"
