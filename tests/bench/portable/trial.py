#!/usr/bin/env python3
"""Algorithms 9, 10, 13 and 14 of B. J. Gravelle's dissertation, which estimate bytes by events, on programs that were composed at random of single
instructions and on workloads: how far off they are in each.

usage: tests/bench/portable/trial.py cascade-lake|a64fx DIR...

Each DIR is a folder of `catmint validate`, of an x86-64 machine or an aarch64 one: its manifest has the facts of each program, by construction and
proven by stepping. Made as in
    catmint sweep --pmu software:skylake --benchmark cpu-flops --repetitions 2 --out swept
    catmint validate swept --programs 200 --workloads
    tests/bench/portable/trial.py cascade-lake swept/validation swept/validation-workloads
and with scripts/foreign aarch64 and --pmu software:a64fx. Prints a table for docs/evidence."""

import collections
import json
import pathlib
import statistics
import sys

import movement

PRECISIONS = {"DP": "d", "SP": "s"}
NAMES = {"cascade-lake": ("Algorithm 10", "Algorithm 13", "corrected", "by classes"), "a64fx": ("Algorithm 9", "Algorithm 14", "corrected", "corrected, vectors as long as they are")}


def programs(folder):
    """Name and facts of each; what a program does not do is 0."""
    document = json.loads((pathlib.Path(folder) / "manifest.json").read_text())
    for entry in document["validation"]["programs"]:
        yield entry["program"], collections.defaultdict(float, {name: value or 0.0 for name, value in entry["facts"].items()})


def computes(facts, precision):
    return any(value > 0 for name, value in facts.items() if name.startswith(f"fp_{PRECISIONS[precision]}_"))


def estimates(machine, name, facts, precision):
    """None where the algorithm has no value. Random programs load and store floating-point registers by vectors alone."""
    if machine == "cascade-lake":
        return movement.cascade_lake(facts, precision)
    if name.startswith("program-"):
        facts = collections.defaultdict(float, {**facts, **{f"{way}_{width}": 0.0 for way in ("loads", "stores") for width in (4, 8)}})
    vectors = {width: facts[f"loads_{width}"] + facts[f"stores_{width}"] for width in (16, 32, 64)}
    found = movement.a64fx(facts, precision)
    return (*found[:3], found[2] + sum((width - 64) * times for width, times in vectors.items()))


def share(deviations, most):
    return f"{100 * sum(abs(one) <= most for one in deviations) / len(deviations):.0f} %"


def percent(value):
    return f"{100 * value:+.0f} %" if abs(value) >= 0.1 else f"{100 * value:+.1f} %"


def row(title, deviations):
    """Median, quartiles and the farthest, and how many are within 1, 5 and 20 %."""
    if not deviations:
        return f"| {title} | 0 | - | - | - | - | - | - |"
    quartiles = statistics.quantiles(deviations, method="inclusive") if len(deviations) > 1 else 3 * deviations
    figures = (percent(quartiles[1]), f"{percent(quartiles[0])} to {percent(quartiles[2])}", percent(max(deviations, key=abs)))
    return f"| {title} | {len(deviations)} | {' | '.join(figures)} | {' | '.join(share(deviations, most) for most in (.01, .05, .2))} |"


def mean_bytes(facts, precision):
    """Of a load or store, and of an arithmetic instruction of this precision, a fused multiply-add twice: on Intel's processors the estimate is off by
    the second over the first."""
    letter, element = PRECISIONS[precision], {"SP": 4, "DP": 8}[precision]
    counted = {size: facts[f"fp_{letter}_{width}"] + 2 * facts[f"fp_{letter}_{width}_fma"] for size, width in ((element, "scalar"), (16, "128"), (32, "256"), (64, "512"))}
    total = sum(counted.values())
    return (facts["load_bytes"] + facts["store_bytes"]) / (facts["loads"] + facts["stores"]), sum(size * times for size, times in counted.items()) / total if total else None


def say_means(made):
    for precision in PRECISIONS:
        pairs = [mean_bytes(facts, precision) for _, facts in made if facts["loads"] + facts["stores"] > 0]
        access, computed = statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs if pair[1] is not None)
        print(f"random programs, {precision}: median of bytes a load or store {access:.1f}, an arithmetic instruction {computed:.1f}")


def groups(folders):
    """Random programs as one, workloads by the width of their vectors."""
    found = collections.defaultdict(list)
    for folder in folders:
        for name, facts in programs(folder):
            found["random programs" if name.startswith("program-") else f"workloads, {name.rpartition('.')[2]}"].append((name, facts))
    return found


def main():
    machine, folders = sys.argv[1], sys.argv[2:]
    print("| programs, algorithm, precision | of | median | quartiles | farthest | within 1 % | 5 % | 20 % |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    for group, made in groups(folders).items():
        for precision in PRECISIONS:
            chosen = [(name, facts) for name, facts in made if computes(facts, precision) and facts["load_bytes"] + facts["store_bytes"] > 0]
            if group != "random programs":  # those compute in one precision
                chosen = [(name, facts) for name, facts in chosen if (precision == "SP") == ("single" in name)]
            for index, title in enumerate(NAMES[machine]):
                deviations = [estimates(machine, name, facts, precision)[index] / (facts["load_bytes"] + facts["store_bytes"]) - 1 for name, facts in chosen]
                if deviations:
                    print(row(f"{group}, {title}, {precision}", deviations))
    if machine == "cascade-lake":
        print()
        for group, made in groups(folders).items():
            if group == "random programs":
                say_means(made)


if __name__ == "__main__":
    main()
