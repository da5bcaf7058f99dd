#!/usr/bin/env python3
"""Which metrics the events of a model define exactly, and which of them `discover` did not, by hand:

    scripts/foreign riscv64 catmint discover --pmu software:sifive-u74 --out DIR
    tests/bench/foreign/definable.py riscv64 sifive-u74 DIR

By linear algebra over the expressions of the model's events, on facts that the kernels of the sweep have: a metric is definable where its meaning is a
combination of events, and no part is lacking that it cannot do without, such as half precision. Nothing here is catmint's code but the tables. Expressions with minima, or with products, are left out."""

import csv
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "truth"))

import algebra
import facts


def kernels_of(folder, benchmark):
    with open(folder / f"{benchmark}.csv", newline="", encoding="utf-8") as stream:
        return set(next(row for row in csv.reader(stream) if row and not row[0].startswith("#")))


def levels_of(model):
    """Of caches for data, as the model's machine has them."""
    keys = {row["key"]: row["value"] for row in facts.read_table(facts.TREE / f"data/pmu/{model}/machine.csv")}
    return sum(int(keys.get(f"{level}_size", 0)) > 0 for level in ("l1d", "l2", "l3"))


def main():
    architecture, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    derived = {row["fact"]: facts.parse(row["expression"]) for row in facts.read_table(facts.TREE / "bases/derived-facts.csv")}
    said = {(entry["benchmark"], metric["metric"]): metric for entry in json.loads((folder / "results.json").read_text())["benchmarks"] for metric in entry["metrics"]}
    defined = {name for name, metric in said.items() if metric["composable"]}
    here = {}
    for row in facts.read_table(facts.TREE / f"bases/{architecture}/facts.csv"):
        if (folder / f"{row['benchmark']}.csv").exists() and row["kernel"] in kernels_of(folder, row["benchmark"]):
            here |= facts.primitive(facts.parse(row["facts"]), derived)
    events = {}
    for row in facts.read_table(facts.TREE / f"data/pmu/{model}/events.csv"):
        try:
            events[row["event"]] = {name: weight for name, weight in facts.primitive(facts.parse(row["expression"]), derived).items() if name in here}
        except ValueError:
            pass
    span = algebra.Span()
    for expression in events.values():
        span.take(expression)
    missing, count = [], 0
    for benchmark in facts.BENCHMARKS:
        for row in facts.read_table(facts.TREE / f"signatures/{benchmark}.csv"):
            beyond = any(int(level) > levels_of(model) for level in re.findall(r"\bL(\d)\b", row["metric"]))
            meaning = {name: weight for name, weight in facts.primitive(facts.parse(row["meaning"]), derived).items() if name in here}
            if beyond or not meaning or span.solve(meaning) is None or said[benchmark, row["metric"]]["lacks"] is not None:
                continue
            count += 1
            if (benchmark, row["metric"]) not in defined:
                missing.append(row["metric"])
    print(f"{model}: {len(defined)} defined, {count} definable; definable and not defined: {', '.join(missing) or 'none'}")


if __name__ == "__main__":
    main()
