#!/usr/bin/env python3
"""Algorithms 9, 10, 13 and 14 of B. J. Gravelle's dissertation, which estimate bytes by events, against the bytes that programs load and store.

usage: tests/bench/portable/movement.py

Prints tables for docs/evidence: as the paper prints the algorithms, and corrected as data/formulas has them. The A64FX tells loads of
floating-point registers apart; there those of 8 bytes (4 in single precision) stand for scalars, and longer ones for vectors."""

import tempfile

import portable

CASES = (("stream", 4096, 1, "DP"), ("dot", 4096, 1, "DP"), ("axpy", 4096, 1, "DP"), ("horner", 4096, 1, "DP"), ("stencil", 4096, 1, "DP"), ("crunch", 1024, 1, "DP"),
         ("crunch_single", 2048, 1, "SP"), ("conflict", 8192, 16, "DP"), ("matrix", 64, 1, "DP"), ("transposed", 64, 1, "DP"), ("unrolled", 64, 1, "DP"),
         ("blocked", 64, 16, "DP"), ("bodies", 128, 1, "DP"))


def cascade_lake(facts, precision):
    """Algorithms 10 and 13 as printed, and corrected."""
    letter = {"SP": "s", "DP": "d"}[precision]
    counters = [facts[f"fp_{letter}_{width}"] + 2 * facts[f"fp_{letter}_{width}_fma"] for width in ("scalar", "128", "256", "512")]
    total, accesses = sum(counters), facts["loads"] + facts["stores"]
    if total == 0:
        return None, None, None
    share = [counter / total for counter in counters]
    scalar, packed = 4 * share[0] * accesses, 16 * share[1] + 32 * share[2] + 64 * share[3]
    right = {"SP": 4, "DP": 8}[precision] * share[0] + packed
    return scalar * (2 if precision == "DP" else 1) + packed, scalar * (2 if precision == "SP" else 1) + packed, right * accesses


def a64fx(facts, precision):
    """Algorithms 9 and 14 as printed, and corrected."""
    element = {"SP": "4", "DP": "8"}[precision]
    scalars = facts[f"loads_{element}"] + facts[f"stores_{element}"]
    vectors = sum(facts[f"{way}_{width}"] for way in ("loads", "stores") for width in (16, 32, 64))
    others = facts["loads"] + facts["stores"] - scalars - vectors
    scalar = 4 * scalars
    return scalar * (2 if precision == "SP" else 1) + 4 * others + 64 * vectors, (scalar + 4 * others + 64 * vectors) * (2 if precision == "SP" else 1), \
        int(element) * scalars + 4 * others + 64 * vectors


def off(estimate, measured):
    return "-" if estimate is None else f"{100 * (estimate / measured - 1):+.1f} %"


def table(folder, builds, algorithm, names):
    print(f"| program | build | bytes measured | {' | '.join(names)} |\n| --- | --- | --- | {' | '.join('---' for _ in names)} |")
    for build in builds:
        for name, size, step, precision in CASES:
            options = [word for width in (4, 8, 16, 32, 64) for way in ("loads", "stores") for word in ("--events", f"{way}_{width}")]
            facts = portable.difference(folder, build, name, size, step, "--mix", "--pmu", "software", *options)
            measured = portable.moved(facts)
            print(f"| {name} | {build} | {measured:,.0f} | {' | '.join(off(one, measured) for one in algorithm(facts, precision))} |", flush=True)
    print()


def main():
    with tempfile.TemporaryDirectory() as folder:
        table(folder, ("x86-64 scalar", "x86-64 SSE2", "x86-64 AVX2"), cascade_lake, ("Algorithm 10", "Algorithm 13", "corrected"))
        table(folder, ("aarch64 scalar", "aarch64 NEON", "aarch64 SVE 128", "aarch64 SVE 512"), a64fx, ("Algorithm 9", "Algorithm 14", "corrected"))


if __name__ == "__main__":
    main()
