#!/usr/bin/env python3
"""Writes data/defined-metrics.csv: run.py CATMINT TREE [MODEL...]: the metrics that have a composable definition on each model.

Every model whose machine has kept facts is swept from them and analysed; a model that is named replaces only its own entries.
"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """# The metrics that have a composable definition on the models of processors, for `catmint metrics`.
# Source: tests/bench/defined/run.py, which sweeps each model from the facts in data/facts and analyses the counts; models of other machines have no row.
"""


def defined(program, model):
    """The composable metrics of a model; None if its machine has no kept facts."""
    with tempfile.TemporaryDirectory() as folder:
        swept = subprocess.run([program, "sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", folder], capture_output=True, text=True, check=False)
        if swept.returncode not in (0, 1):
            return None
        analysed = subprocess.run([program, "analyze", "--format", "json", folder], capture_output=True, text=True, check=False)
        document = json.loads(analysed.stdout) if analysed.returncode in (0, 1) and analysed.stdout else {"benchmarks": []}
    return {metric["metric"] for benchmark in document["benchmarks"] for metric in benchmark["metrics"] if metric.get("composable")}


def main(program, tree, *models):
    table = Path(tree) / "data/defined-metrics.csv"
    found = {}
    if models and table.exists():
        for row in csv.DictReader(line for line in table.read_text().splitlines() if not line.startswith("#")):
            for model in row["models"].split():
                found.setdefault(model, set()).add(row["metric"])
    for model in models or [line.split()[0] for line in subprocess.run([program, "models"], capture_output=True, text=True, check=True).stdout.splitlines()]:
        metrics = defined(program, model)
        if metrics is not None:
            found[model] = metrics
        print(model, "-" if metrics is None else len(metrics), file=sys.stderr, flush=True)
    names = sorted({metric for metrics in found.values() for metric in metrics})
    with table.open("w") as out:
        out.write(HEAD)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["metric", "models"])
        writer.writerows([name, " ".join(sorted(model for model, metrics in found.items() if name in metrics))] for name in names)


if __name__ == "__main__":
    main(*sys.argv[1:])
