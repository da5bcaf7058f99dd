#!/bin/sh
# run.sh SOURCE BUILD RUNS: builds the fuzz targets with clang in BUILD and gives each RUNS inputs, from a fixed seed.
# SECONDS_EACH=N in the environment: for so long instead, from a seed of its own.
set -eu
source=$1
build=$2
runs=$3

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

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCATMINT_FUZZ=ON >"$build/cmake.log"
cmake --build "$build" --target catmint_fuzz >"$build/build.log" || { cat "$build/build.log"; exit 1; }
for format in csv papi likwid perf perfmon; do
    corpus="$build/corpus/$format"
    mkdir -p "$corpus"
    limits="-runs=$runs -seed=1"
    [ -z "${SECONDS_EACH:-}" ] || limits="-max_total_time=$SECONDS_EACH"
    # shellcheck disable=SC2086 # the limits are words
    "$build/bin/fuzz_$format" $limits -max_len=4096 -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$build/found-$format-" "$corpus" "$source/tests/fuzz/seeds/$format" >"$build/$format.log" 2>&1 ||
        { tail -50 "$build/$format.log"; exit 1; }
    echo "$format: $(grep -E 'number_of_executed|average_exec' "$build/$format.log" | sed 's/.*: *//' | paste -sd' ') (inputs, a second)"
done
