#!/usr/bin/env python3
"""Predictions by ports and by llvm-mca against measured cycles: the paper's 13 kernels (J. Laukemann, G. Hager, G. Wellein, 2024, Figure 3).

usage: tests/bench/ports.py INCORE.json [LEVEL ...]

INCORE.json is what `catmint incore --cores 0 --kernels --format json` wrote on quiet cores. Prints, for docs/evidence: a histogram of the relative errors at all
levels, the mean of their magnitudes at each level and at LEVEL (-O2 -O3), and the kernels there that ports miss by more than 30 %, which stay in the mean."""

import json
import pathlib
import statistics
import sys

PREDICTORS = {"ports": "error_by_ports", "llvm-mca": "error"}
BOUNDS = (-1, -0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.5)
MOST, FAR = 0.15, 0.3


def bucket(error):
    return sum(error >= bound for bound in BOUNDS)


def names():
    yield f"below {BOUNDS[0]}"
    yield from (f"{low} to {high}" for low, high in zip(BOUNDS, BOUNDS[1:]))
    yield f"{BOUNDS[-1]} and above"


def mean(kernels, key):
    errors = [abs(kernel[key]) for kernel in kernels if kernel[key] is not None]
    return f"{100 * statistics.mean(errors):.1f} %" if errors else "-"


def main():
    kernels = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["kernels"]
    levels = sys.argv[2:] or ["-O2", "-O3"]
    compilers = sorted({kernel["compiler"] for kernel in kernels}, reverse=True)
    columns = [(predictor, compiler) for predictor in PREDICTORS for compiler in compilers]
    print(f"| (measured - predicted) / measured | {' | '.join(f'{predictor}: {compiler}' for predictor, compiler in columns)} |\n| --- |{' --- |' * len(columns)}")
    for index, name in enumerate(names()):
        counts = [sum(kernel["compiler"] == compiler and kernel[PREDICTORS[predictor]] is not None and bucket(kernel[PREDICTORS[predictor]]) == index for kernel in kernels)
                  for predictor, compiler in columns]
        print(f"| {name} | {' | '.join(map(str, counts))} |")
    for level in ("-O1", "-O2", "-O3", "-Ofast"):
        of_level = [kernel for kernel in kernels if kernel["level"] == level]
        print(f"| mean of magnitudes, {level} | {' | '.join(mean([kernel for kernel in of_level if kernel['compiler'] == compiler], PREDICTORS[predictor]) for predictor, compiler in columns)} |")
    wanted = [kernel for kernel in kernels if kernel["level"] in levels]
    figures = {predictor: mean(wanted, key) for predictor, key in PREDICTORS.items()}
    print(f"\n{' and '.join(levels)}, {len(wanted)} loops: " + ", ".join(f"{predictor} {figure}" for predictor, figure in figures.items()))
    for kernel in sorted(wanted, key=lambda kernel: -abs(kernel["error_by_ports"] or 0)):
        if abs(kernel["error_by_ports"] or 0) > FAR:
            print(f"| {kernel['kernel']} | {kernel['compiler']} {kernel['level']} | {kernel['measured'][1]:.2f} | {kernel['by_ports']:.2f} | {100 * kernel['error_by_ports']:.0f} % |")
    errors = [abs(kernel["error_by_ports"]) for kernel in wanted if kernel["error_by_ports"] is not None]
    return 0 if len(errors) == len(wanted) > 0 and statistics.mean(errors) <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
