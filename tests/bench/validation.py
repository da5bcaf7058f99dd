#!/usr/bin/env python3
"""How far definitions are off in many random programs and in workloads: the tables of docs/evidence/validation.md.

validation.py CATMINT [--models M,...] [--programs N] [--seed S]
Sweeps each model and validates it, in a folder that is removed afterwards; prints the tables. Takes minutes: run by hand.
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path


def run(*arguments, codes=(0, 1)):
    done = subprocess.run([str(argument) for argument in arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(map(str, arguments))}: exit status {done.returncode}")
    return done.stdout


def validate(catmint, model, programs, seed):
    """{metric: its entry}, in the order of the signatures."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        run(catmint, "sweep", "--pmu", f"software:{model}", "--out", out)
        document = json.loads(run(catmint, "validate", out, "--programs", programs, "--seed", seed, "--workloads", "--format", "json"))
    return {metric["metric"]: metric for benchmark in document["benchmarks"] for metric in benchmark["metrics"]}


def percent(share):
    return f"{100 * share:.2g}" if share < 1 else f"{100 * share:.0f}"


def cell(entry, kind):
    judged = entry[kind]
    if judged is None:
        return "-"
    figures = f"{percent(judged['median'])}, {percent(judged['worst'])} of {judged['programs']}"
    again = " (2)" if kind == "validation" and judged["seed"] != entry["seed"] else ""
    return ("refuted: " if judged["refuted_by"] else "") + figures + again


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("catmint", type=Path)
    parser.add_argument("--models", default="golden-cove,skylake,zen4")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2)
    given = parser.parse_args()
    models = given.models.split(",")
    found = {model: validate(given.catmint, model, given.programs, given.seed) for model in models}
    for kind in ("validation", "workloads"):
        print(f"\n| metric | {' | '.join(models)} |\n| --- |{' --- |' * len(models)}")
        for name in found[models[0]]:
            cells = [cell({**found[model][name], "seed": given.seed}, kind) for model in models]
            if set(cells) != {"-"}:
                print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
