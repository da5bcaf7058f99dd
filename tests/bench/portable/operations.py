#!/usr/bin/env python3
"""Operations and bytes of algorithms by `count` under the emulated PMU against what the algorithms do; a table for docs/evidence.

usage: tests/bench/portable/operations.py"""

import tempfile

import portable

CASES = (("stream", 16384, 1), ("crunch", 4096, 1), ("crunch_single", 8192, 1), *((f"crunch_{kind}", 1024, 1) for kind in ("add", "multiply", "divide", "cosine", "logarithm")), ("conflict", 8192, 16), ("matrix", 96, 1), ("transposed", 96, 1), ("unrolled", 96, 1),
         ("blocked", 96, 32), ("bodies", 256, 1))
BUILT = ("x86-64 scalar", "aarch64 scalar", "x86-64 AVX2", "x86-64 AVX-512", "aarch64 NEON", "aarch64 SVE 512", "aarch64 SVE 2048")

with tempfile.TemporaryDirectory() as folder:
    print("| algorithm | size | operations | bytes | " + " | ".join(BUILT) + " |\n| --- | --- | --- | --- |" + " --- |" * len(BUILT))
    for name, size, step in CASES:
        operations, moved = portable.expected(name, size, step)
        cells = []
        for build in BUILT:
            facts = portable.difference(folder, build, name, size, step, "--mix", "--pmu", "software")
            cells.append(f"{100 * (portable.operations(facts) / operations - 1):+.2f} %, {100 * (portable.moved(facts) / moved - 1):+.2f} %")
        print(f"| {name} | {size} | {operations:,.0f} | {moved:,.0f} | {' | '.join(cells)} |", flush=True)
