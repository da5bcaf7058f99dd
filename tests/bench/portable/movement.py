#!/usr/bin/env python3
"""Algorithms 9, 10, 13 and 14 of B. J. Gravelle's dissertation, which estimate bytes by events, against the bytes that programs load and store.

usage: tests/bench/portable/movement.py

Prints tables for docs/evidence: as the paper prints the algorithms, corrected as
data/formulas has them, and by classes of arithmetic, as portable.csv has it for Intel's processors and portable-a64fx.csv for the A64FX. That one tells loads of
floating-point registers apart; there those of 8 bytes (4 in single precision) stand for scalars, and longer ones for vectors."""

import tempfile

import portable

CASES = (("stream", 4096, 1, "DP"), ("dot", 4096, 1, "DP"), ("axpy", 4096, 1, "DP"), ("horner", 4096, 1, "DP"), ("stencil", 4096, 1, "DP"), ("crunch", 1024, 1, "DP"),
         ("crunch_single", 2048, 1, "SP"), ("conflict", 8192, 16, "DP"), ("matrix", 64, 1, "DP"), ("transposed", 64, 1, "DP"), ("unrolled", 64, 1, "DP"),
         ("blocked", 64, 16, "DP"), ("bodies", 128, 1, "DP"))
INTEL = ("x86-64 scalar", "x86-64 SSE2", "x86-64 AVX2", "x86-64 AVX2, in order", "x86-64 AVX2, Clang")


def by_classes(counters, lanes, element, facts):
    """What data/formulas/portable.csv estimates, of the counts of scalar and packed instructions."""
    scalar, packed = counters[0], sum(counters[1:])
    wide = sum(times * count for times, count in zip(lanes[1:], counters[1:])) / max(1, packed)
    loads, stores = facts["loads"], facts["stores"]
    packed_stores = min(max(0, stores - scalar), packed)
    operands = scalar + min(stores, scalar) + wide * (packed + packed_stores)
    loaded = operands * min(1, loads / (scalar + packed + min(stores, scalar + packed))) + max(0, loads - operands)
    return element * (loaded + stores + (wide - 1) * packed_stores)


def cascade_lake(facts, precision):
    """Algorithms 10 and 13 as printed, corrected, and the estimate in their place."""
    letter = {"SP": "s", "DP": "d"}[precision]
    counters = [facts[f"fp_{letter}_{width}"] + 2 * facts[f"fp_{letter}_{width}_fma"] for width in ("scalar", "128", "256", "512")]
    total, accesses = sum(counters), facts["loads"] + facts["stores"]
    if total == 0:
        return None, None, None, None
    share = [counter / total for counter in counters]
    scalar, packed = 4 * share[0] * accesses, 16 * share[1] + 32 * share[2] + 64 * share[3]
    element = {"SP": 4, "DP": 8}[precision]
    classes = by_classes(counters, [1] + [width // element for width in (16, 32, 64)], element, facts)
    return scalar * (2 if precision == "DP" else 1) + packed, scalar * (2 if precision == "SP" else 1) + packed, (element * share[0] + packed) * accesses, classes


def a64fx(facts, precision):
    """Algorithms 9 and 14 as printed, corrected, and with vectors as long as those of arithmetic are."""
    element = {"SP": "4", "DP": "8"}[precision]
    scalars = facts[f"loads_{element}"] + facts[f"stores_{element}"]
    vectors = sum(facts[f"{way}_{width}"] for way in ("loads", "stores") for width in (16, 32, 64))
    others = facts["loads"] + facts["stores"] - scalars - vectors
    scalar = 4 * scalars
    letter, lanes = {"SP": ("s", 4), "DP": ("d", 2)}[precision]
    done = {name: facts[f"fp_{letter}_{name}"] + 2 * facts[f"fp_{letter}_{name}_fma"] for name in ("scalar", "128", "v128", "v256", "v512")}
    fixed, scalable = done["scalar"] + lanes * done["128"], lanes * (done["v128"] + 2 * done["v256"] + 4 * done["v512"])
    long = 16 + 48 * scalable / max(1, fixed + scalable)
    return scalar * (2 if precision == "SP" else 1) + 4 * others + 64 * vectors, (scalar + 4 * others + 64 * vectors) * (2 if precision == "SP" else 1), \
        int(element) * scalars + 4 * others + 64 * vectors, int(element) * scalars + 4 * others + long * vectors


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
        table(folder, INTEL, cascade_lake, ("Algorithm 10", "Algorithm 13", "corrected", "by classes"))
        table(folder, ("aarch64 scalar", "aarch64 NEON", "aarch64 SVE 128", "aarch64 SVE 512"), a64fx, ("Algorithm 9", "Algorithm 14", "corrected", "by classes"))


if __name__ == "__main__":
    main()
