#!/usr/bin/env python3
"""Table 14 of B. J. Gravelle's dissertation: operations a floating-point instruction, for each version of the matrix product.

usage: tests/bench/portable/widths.py [SIZE]

Counts by `catmint count` and evaluates by `catmint evaluate` with data/formulas, on the models skylake and a64fx. The paper's programs had vectors of 512 bits
on Cascade Lake, and none on the A64FX; where this processor has AVX-512, programs with it are stepped. A fused multiply-add counts twice as an instruction on
Intel's processors, and once on the A64FX. Prints a table for docs/evidence."""

import pathlib
import sys
import tempfile

import metrics
import portable

PAPER = {"default": (2, 8.00), "transposed": (2, 7.90), "unrolled": (2, 1.00), "blocked 16": (2, 1.58), "blocked 32": (2, 7.53), "blocked 64": (2, 7.70),
         "blocked 128": (2, 7.82), "blocked 256": (2, 7.90), "blocked 512": (2, 7.95), "blocked 1024": (2, 7.97)}
INTEL = [f"FP_ARITH_INST_RETIRED:{width}_DOUBLE" for width in metrics.WIDTHS]
ARM = ["FP_DP_SCALE_OPS_SPEC", "FP_DP_FIXED_OPS_SPEC", *(name for name in metrics.FACTS if name.startswith("fp_d"))]
COLUMNS = (("a64fx", "aarch64 scalar FMA"), ("a64fx", "aarch64 NEON"), ("skylake", "x86-64 AVX2"), ("skylake", "x86-64 AVX2, in order"), ("skylake", "x86-64 AVX-512"), ("skylake", "x86-64 AVX-512, in order"))


def counted(folder, model, build, words):
    options = ["--pmu", f"software:{model}", *(word for name in (ARM if model == "a64fx" else INTEL) for word in ("--events", name))]
    counts = portable.difference(folder, build, *words, *options, repetitions=(1, 2))
    counts.pop("vector_bits")
    if model == "a64fx":
        counts["FP_SPEC"] = sum(counts[name] for name in metrics.FACTS if name.startswith("fp_d"))
    return {name: max(value, 0) for name, value in counts.items()}


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 256
    rows = {title: ("blocked", size, int(title.split()[1])) if " " in title else ("matrix" if title == "default" else title, size, 1)
            for title in PAPER if " " not in title or int(title.split()[1]) <= size}
    found = []
    with tempfile.TemporaryDirectory() as name:
        for model, build in COLUMNS:
            columns = {title: counted(name, model, build, words) for title, words in rows.items()}
            found.append(metrics.evaluate(pathlib.Path(name), model, columns)["DP_flops_per_fpins"])
    heads = [f"{model}, {build}" for model, build in COLUMNS]
    print(f"| version | the paper: A64FX | the paper: Cascade Lake | {' | '.join(heads)} |\n| --- | --- | --- | {' | '.join('---' for _ in heads)} |")
    for title in rows:
        print(f"| {title} | {PAPER[title][0]} | {PAPER[title][1]:.2f} | {' | '.join(f'{values[title]:.2f}' for values in found)} |")


if __name__ == "__main__":
    main()
