#!/bin/sh
# run.sh SOURCE BUILD RUNS [TARGET...]: builds the fuzz targets (all, or those) with clang in BUILD and gives each RUNS
# inputs, from a fixed seed. In the environment: SECONDS_EACH=N, for so long instead, from a seed of its own; FAST=ON,
# without sanitizers, several times as many inputs.
set -eu
source=$1
build=$2
runs=$3
shift 3
[ $# -gt 0 ] || set -- csv papi likwid perf perfmon arm measurements tables model results journal merge cat counts map

if ! command -v clang >/dev/null; then
    echo "skipped: there is no clang"
    exit 77
fi
mkdir -p "$build"
printf '#include <stddef.h>\nint LLVMFuzzerTestOneInput(const char *d, size_t n) { return d == NULL && n == 1; }\n' >"$build/try.c"
if ! clang -fsanitize=fuzzer,address,undefined -o "$build/try" "$build/try.c" 2>"$build/try.log"; then
    echo "skipped: clang has no libFuzzer"
    exit 77
fi

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCATMINT_FUZZ=ON \
    -DCATMINT_FUZZ_FAST="${FAST:-OFF}" >"$build/cmake.log"
for target in "$@"; do
    cmake --build "$build" --target "fuzz_$target" >"$build/build.log" || { cat "$build/build.log"; exit 1; }
done
for target in "$@"; do
    corpus="$build/corpus/$target"
    mkdir -p "$corpus"
    limits="-runs=$runs -seed=1"
    [ -z "${SECONDS_EACH:-}" ] || limits="-max_total_time=$SECONDS_EACH"
    [ -n "${FAST:-}" ] || limits="$limits -malloc_limit_mb=512"
    # shellcheck disable=SC2086 # the limits are words
    "$build/bin/fuzz_$target" $limits -max_len=4096 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$build/found-$target-" "$corpus" "$source/tests/fuzz/seeds/$target" \
        >"$build/$target.log" 2>&1 || { tail -50 "$build/$target.log"; exit 1; }
    echo "$target: $(grep -E 'number_of_executed|average_exec' "$build/$target.log" | sed 's/.*: *//' |
        paste -sd' ') (inputs, a second)," "$(grep -oE 'cov: [0-9]+' "$build/$target.log" | tail -1 | tr -dc 0-9) edges"
done
