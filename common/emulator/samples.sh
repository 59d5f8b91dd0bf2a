#!/usr/bin/env bash
# Builds NVIDIA's cuda-samples with plain nvcc, runs each on the emulator, writes a table.
#
#   common/emulator/samples.sh WARPLINGS SAMPLES OUT [NAME...]
#
#   WARPLINGS   the command-line program, such as build/default/bin/warplings
#   SAMPLES     a checkout of https://github.com/NVIDIA/cuda-samples, outside the project
#   OUT         a folder for programs, logs, and the table: OUT/cuda_samples.md
#   NAME...     run these samples alone; the table keeps the rows of the others
#
# A program that is built already is not built again. Variables: COMMIT (where SAMPLES has no
# .git), LIMIT (seconds a sample, 120), MODE (build or run: do that half alone), THREADS (of
# the host, a sample), MACHINE (what ran it, in words, for the page).
set -uo pipefail

if (($# < 3)); then
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
warplings=$(realpath -- "$1") samples=$(realpath -- "$2") out=$(realpath -m -- "$3")
shift 3
limit=${LIMIT:-120}
mode=${MODE:-both}
nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
toolkit=$(dirname -- "$(dirname -- "$nvcc")")

# ---- what a sample needs, from its own CMakeLists.txt

# The first thing that neither the toolkit's libraries nor this machine have, in words.
needs_beyond() {  # FOLDER
    local text
    text=$(cat -- "$1/CMakeLists.txt")
    case $1 in
        *7_libNVVM*) echo "libNVVM, which makes code at run time"; return ;;
        *Tegra*) echo "Tegra hardware"; return ;;
        *D3D*) echo "Direct3D"; return ;;
    esac
    local pair
    for pair in Vulkan:Vulkan OpenGL:OpenGL GLUT:OpenGL EGL:EGL NVSCI:NvSci FreeImage:FreeImage \
        MPI:MPI X11:X11; do
        if grep -q "find_package(${pair%%:*}\b" <<<"$text"; then
            echo "${pair##*:}"
            return
        fi
    done
    if grep -q 'CUDA::npp' <<<"$text"; then echo NPP; return; fi
    if grep -q 'CUDA::nvjpeg' <<<"$text"; then echo nvJPEG; return; fi
    if grep -q 'CUDLA' <<<"$text"; then echo cuDLA; return; fi
}

# The sources of its one program.
sources_of() {  # FOLDER
    sed 's/#.*//' "$1/CMakeLists.txt" | tr '\n' ' ' | grep -o 'add_executable([^)]*)' |
        head -n 1 | tr ' ()' '\n' | grep -E '\.(cu|cpp|c)$' |
        sed 's|${CMAKE_CURRENT_SOURCE_DIR}/||'
}

libraries_of() {  # FOLDER
    local name
    for name in $(grep -o 'CUDA::[A-Za-z_]*' "$1/CMakeLists.txt" | sort -u); do
        case ${name#CUDA::} in
            cuda_driver) echo "-L$toolkit/lib64/stubs -lcuda" ;;
            cudart | cudart_static) ;;
            cusolver) echo "-lcusolver -lcusparse -lcublas" ;;
            *) echo "-l${name#CUDA::}" ;;
        esac
    done
    if grep -q 'NVJITLINK' "$1/CMakeLists.txt"; then echo -lnvJitLink; fi
}

# Options of its CMakeLists.txt that change what is compiled.
options_of() {  # FOLDER
    grep -o -E -e '-maxrregcount=[0-9]+' "$1/CMakeLists.txt"
    if grep -q 'OpenMP' "$1/CMakeLists.txt"; then echo '-Xcompiler -fopenmp'; fi
    if grep -q 'cudadevrt\|cdp' "$1/CMakeLists.txt"; then echo '-rdc=true -lcudadevrt'; fi
}

# ---- building and running one sample

build() {  # FOLDER INTO
    local sources options
    mapfile -t sources < <(sources_of "$1")
    options=(-std=c++17 -cudart shared -lineinfo -arch=sm_90 -w --extended-lambda
        -I "$samples/Common" -I "$1" -I "$1/inc" -Xlinker --as-needed)
    # shellcheck disable=SC2207  # each word is an option of its own
    options+=($(options_of "$1") $(libraries_of "$1"))
    (cd -- "$1" && "$nvcc" "${sources[@]}" "${options[@]}" -o "$2/program") >"$2/build.log" 2>&1 &&
        return
    # Device code of one file that calls another's: what the samples' own build links.
    (cd -- "$1" && "$nvcc" -rdc=true "${sources[@]}" "${options[@]}" -o "$2/program") \
        >>"$2/build.log" 2>&1
}

libraries_needed() {  # PROGRAM
    readelf -d "$1" | sed -n 's/.*NEEDED.*\[lib\(.*\)\.so.*\]/\1/p' |
        grep -E '^(cuda|nvrtc|nvJitLink|cublas.*|cufft|curand|cusolver|cusparse)$' |
        sed 's/^cuda$/the driver API (libcuda)/; s/^nvrtc$/NVRTC/; s/^cublas$/cuBLAS/
             s/^cufft$/cuFFT/; s/^curand$/cuRAND/; s/^cusolver$/cuSOLVER/
             s/^cusparse$/cuSPARSE/' | paste -sd, | sed 's/,/, /g'
}

# The emulator's own words about what it lacks, if any.
unsupported() {  # INTO
    {
        sed -n 's/.*the emulator does not have \([A-Za-z0-9_]*\);.*/\1/p' "$1/err"
        grep -E '"finding":"(unsupported-[a-z]+|not-supported)"' "$1/report.json" |
            sed 's/.*"message":"\([^"]*\)".*/\1/
                 s/.*cannot execute `\([^ ]*\) .*/instruction \1/
                 s/.*the device function \([^ ,]*\),.*/device-side \1/
                 s/^The kernel waits.*/a kernel that waits for the host/'
    } 2>/dev/null | sort -u | head -n 3 | paste -sd';' | sed 's/;/; /g; s/|/\\|/g'
}

findings() {  # INTO
    grep -E '"finding"' "$1/report.json" 2>/dev/null |
        grep -E '"severity":"(error|warning)"' | grep -v -E '"finding":"(unsupported|not-supp)' |
        sed 's/.*"finding":"\([^"]*\)".*"line":\([0-9]*\),.*/\1 (line \2)/' | sort | uniq |
        head -n 3 | paste -sd, | sed 's/,/, /g'
}

emulate() {  # FOLDER INTO ARGUMENT...
    local folder=$1 into=$2
    shift 2
    [[ -z ${THREADS:-} ]] || set -- "$@" --threads "$THREADS"
    (cd -- "$folder" && timeout --kill-after=5 "$limit" "$warplings" emulate --quiet "$@" \
        "$into/program") </dev/null
}

verdict() {  # FOLDER INTO STATUS
    local status=$3 lacks needs found
    lacks=$(unsupported "$2") needs=$(libraries_needed "$2/program") found=$(findings "$2")
    # Findings decide the status of `warplings emulate`; without them, the sample's own does.
    if ((status == 1)) && [[ -n $found && -z $lacks ]]; then
        emulate "$1" "$2" --check none >"$2/out" 2>"$2/err"
        status=$?
    fi
    if ((status == 124)); then
        echo "too slow: more than $limit s"
    elif ((status > 128)); then
        echo "crash: status $status"
    elif [[ -n $lacks ]]; then
        echo "not supported: $lacks"
    elif ((status == 0)); then
        echo "passed${found:+: its own check; the emulator tells of: $found}"
    elif [[ -n $needs ]]; then
        echo "not supported: $needs"
    elif grep -q 'libcuda' "$2/out" "$2/err"; then
        echo "not supported: the driver API (libcuda)"
    elif ((status == 2)); then
        echo "waived: $(grep -m 1 -i -E 'support|require|two or more' "$2/out" |
            sed "s|$2/program|it|g; s/|//g; s/ *\.* *\$//")"
    else
        echo "wrong: status $status${found:+, $found}"
    fi
}

run() {  # FOLDER INTO
    local status begin seconds
    begin=$(date +%s.%N)
    emulate "$1" "$2" --json "$2/report.json" >"$2/out" 2>"$2/err"
    status=$?
    ((status != 137)) || status=124
    seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
    echo "yes | $(verdict "$1" "$2" "$status") | $seconds" >"$2/row"
}

reason_not_built() {  # INTO
    grep -m 1 -E 'error|undefined reference|cannot find' "$1/build.log" |
        sed "s|$samples/||g; s/|/ /g; s|^[^ ]*/ld: ||" | cut -c 1-100
}

sample() {  # FOLDER
    local name=${1##*/} into beyond
    into=$out/${1#"$samples/Samples/"}
    mkdir -p -- "$into"
    beyond=$(needs_beyond "$1")
    if [[ -n $beyond ]]; then
        echo "no | not built: needs $beyond |" >"$into/row"
        return
    fi
    if [[ $mode != run && ! -x $into/program ]] && ! build "$1" "$into"; then
        echo "no | not built: $(reason_not_built "$into") |" >"$into/row"
    fi
    [[ -x $into/program && $mode != build ]] || return 0
    run "$1" "$into"
    printf '%s: %s\n' "$name" "$(<"$into/row")"
}

# ---- the table

rows() {
    local row
    for row in "$out"/*/*/row "$out"/*/*/*/row; do
        [[ -f $row ]] || continue
        row=${row#"$out/"}
        printf '| %s | %s |\n' "${row%/row}" "$(<"$out/$row")"
    done
}

table() {
    local commit all
    commit=${COMMIT:-$(git -C "$samples" rev-parse HEAD 2>/dev/null || echo unknown)}
    all=$(rows)
    cat <<END
# NVIDIA's cuda-samples on the emulator

Commit \`$commit\` of
<https://github.com/NVIDIA/cuda-samples>, $(date +%F), CUDA Toolkit $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'), emulated H200.
Each sample is built with
\`nvcc -std=c++17 -cudart shared -lineinfo -arch=sm_90 -I Common\` and what its own build file
adds, and runs with its default arguments from its own folder under
\`warplings emulate --quiet\`, unchanged, for at most $limit s${MACHINE:+
on $MACHINE}.
*Passed* means: the sample's own check passed, exit status 0, and the emulator found no
fault. Nothing of the samples is part of this project.

- *Passed, and the emulator tells of* an assertion or a leak: the sample does that, on a GPU
  too; \`warplings emulate\` then ends with status 1.
- *Not supported* names what a later part of the emulator is to bring (textures, graphs,
  device-side launches, tensor cores, cooperative launches), or what is beyond a
  replacement of the CUDA runtime: the driver API, and NVIDIA's libraries, which use it.
- *Waived* is the sample's word for a device that lacks what it shows: here a second GPU,
  or cooperative launches.
- *Too slow* says nothing about right or wrong: the sample is larger than an emulator can
  run in the time.
- Seconds are those of programs that a GPU would run whole; the others end early.

To make the table again:

\`\`\`bash
git clone https://github.com/NVIDIA/cuda-samples FOLDER
git -C FOLDER checkout $commit
common/emulator/samples.sh build/default/bin/warplings FOLDER OUT
\`\`\`

| verdict | samples |
|---|--:|
$(cut -d'|' -f4 <<<"$all" | sed 's/:.*//; s/^ *//; s/ *$//' | sort | uniq -c | sort -rn |
        awk '{ n = $1; $1 = ""; print "|" $0 " | " n " |" }')

| sample | built | verdict | seconds |
|---|---|---|--:|
$all
END
}

mkdir -p -- "$out"
for list in "$samples"/Samples/*/*/CMakeLists.txt "$samples"/Samples/8_*/*/*/CMakeLists.txt; do
    [[ -f $list ]] || continue
    folder=$(dirname -- "$list")
    grep -q add_executable "$list" || continue
    if (($#)); then
        for name; do [[ ${folder##*/} != "$name" ]] || sample "$folder"; done
    else
        sample "$folder"
    fi
done
table >"$out/cuda_samples.md"
