#!/usr/bin/env python3
"""Tables 9 to 13 of B. J. Gravelle's dissertation by one file of formulas, data/formulas/portable.csv, on models of six processors and the paper's Algorithms 1 to 8.

usage: tests/bench/portable/everywhere.py RESULTS [CSV]

RESULTS is a folder with MODEL.json of each model, as these two write it:
    catmint sweep --facts kept --pmu software:MODEL --out RESULTS/MODEL
    catmint analyze RESULTS/MODEL --format json --output RESULTS/MODEL.json
but zen4.json by a sweep of software:zen4-plain, of which no facts are kept.
Prints, for docs/evidence, how many of the metrics have a value on each model, and how far operations and bytes by events are from what the algorithm does; writes all
values to CSV, with the reason where there is none. Each is of the difference between two numbers of repetitions. Programs run on the machine without prefetchers and other
habits (MODEL-plain), where there is one: lines that prefetchers bring are no demand misses."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import portable

MODELS = {"golden-cove": "x86-64 AVX2", "skylake": "x86-64 AVX2", "zen4": "x86-64 AVX2", "neoverse-v2": "aarch64 NEON", "a64fx": "aarch64 NEON", "power10": "ppc64le VSX"}
CASES = {"1 STREAM": ("stream", 16384, 1), "2 FP crunch": ("crunch", 4096, 1), "2, single": ("crunch_single", 8192, 1), "3 conflict": ("conflict", 8192, 8),
         "4 matrix": ("matrix", 96, 1), "5 transposed": ("transposed", 96, 1), "6 unrolled": ("unrolled", 96, 1), "7 blocked": ("blocked", 96, 16), "8 n-body": ("bodies", 128, 1)}
FORMULAS = portable.SOURCE / "data/formulas/portable.csv"
OPERATIONS = ("DP_flops", "SP_flops", "FP_flops", "AP_flops")
BYTES = {"DP_LS_bytes": 1, "SP_LS_bytes": 1, "FP_LS_elements": 8}
SHOWN = ("L1_MR", "L2_MR", "LD_ins_per_ST_ins", "IPC")


def evaluate(table):
    done = subprocess.run([portable.PROGRAM, "evaluate", FORMULAS, "--counts", table, "--format", "json"],
                          env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)}, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["metrics"]


def evaluated(folder, columns):
    """The values of every formula by the names of columns, and why it has none: as the last document of counts says, which the tables, without such counts, do not."""
    why = {entry["metric"]: entry["reasons"][0] for entry in evaluate(folder / "counts.json")}
    values = {}
    for title, counts in columns.items():
        table = folder / "counts.csv"
        with table.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("event", "value"), *((name, repr(float(count))) for name, count in counts.items() if count is not None)])
        for entry in evaluate(table):
            values.setdefault(entry["metric"], {})[title] = entry["values"][0], why[entry["metric"]] or entry["reasons"][0]
    return values


def of_model(folder, model, results):
    """Line sizes are the machine's, and no difference."""
    plain = f"{model}-plain"
    counted = plain if (portable.SOURCE / "data/pmu" / model / plain).exists() else model
    line, columns = {}, {}
    for title, words in CASES.items():
        options = ("--pmu", f"software:{counted}", "--results", results, "--formulas", FORMULAS)
        counts = portable.difference(folder, MODELS[model], *words, *options, repetitions=portable.enough(*words))
        counts.pop("vector_bits")
        line["line_bytes"] = json.loads((folder / "counts.json").read_text())["line_bytes"]
        columns[title] = {**{name: portable.amount(value) for name, value in counts.items()}, **line}
    return evaluated(folder, columns)


def deviation(value, expected):
    return "-" if value is None else f"{100 * (value / expected - 1):+.1f} %"


def figure(value):
    return "-" if value is None else f"{value:.3g}"


def operations(values, title):
    """The first row of operations that has a value other than 0."""
    return next((values[name][title][0] for name in OPERATIONS if values[name][title][0]), None)


def moved(values, title):
    """Bytes; elements have 8, those of the program in single precision 4."""
    return next((values[name][title][0] * size / (2 if size > 1 and "single" in title else 1) for name, size in BYTES.items() if values[name][title][0]), None)


def main():
    results = pathlib.Path(sys.argv[1])
    found = {}
    with tempfile.TemporaryDirectory() as name:
        for model in MODELS:
            try:
                found[model] = of_model(pathlib.Path(name), model, results / f"{model}.json")
            except portable.Missing as reason:
                print(f"{model}: {reason}", file=sys.stderr)
    print("| model | metrics with a value, of", len(next(iter(found.values()))), "|", " | ".join(CASES), "|\n| --- | --- |", " | ".join("---" for _ in CASES), "|")
    for model, values in found.items():
        some = sum(any(value is not None for value, _ in columns.values()) for columns in values.values())
        for title, of, index in (("operations", operations, 0), ("bytes", moved, 1)):
            cells = [deviation(of(values, case), portable.expected(*words)[index]) for case, words in CASES.items()]
            print(f"| {model}, {title} | {some} | {' | '.join(cells)} |")
    for metric in SHOWN:
        print(f"\n| {metric} |", " | ".join(CASES), "|\n| --- |", " | ".join("---" for _ in CASES), "|")
        for model, values in found.items():
            print(f"| {model} | {' | '.join(figure(values[metric][title][0]) for title in CASES)} |")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["model", "metric", *CASES, "reason"])
            for model, values in found.items():
                for metric, columns in values.items():
                    reason = next((why for value, why in columns.values() if value is None), "")
                    writer.writerow([model, metric, *("" if value is None else f"{value:.4g}" for value, _ in columns.values()), reason])


if __name__ == "__main__":
    main()
