#!/usr/bin/env python3
"""Each constant of the method is needed: definitions by a method with one of them changed, judged in programs like real ones.

    tests/bench/natural/mutants.py MODEL... --program build/bin/catmint_mutant --sweeps DIR [--sweeps DIR...] [--only NAME...]

A MODEL is a folder as run.py takes it; its sweep is DIR/NAME, NAME that of the folder. Half and twice of each constant; a line each: definitions that
are wrong, those that hold in a range, and how many of the metrics that can be defined are found."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

import run  # noqa: E402 pylint: disable=wrong-import-position

CONSTANTS = ("z", "sure", "prior", "kin", "largest", "rate", "known", "fit", "natural", "alike", "least", "few")


def analyze(program, sweep, mutation):
    done = subprocess.run([program, "analyze", sweep, "--format", "json"], capture_output=True, text=True, check=False,
                          env={**os.environ, "CATMINT_MUTATION": mutation, "CATMINT_DATA_DIR": str(run.facts.TREE), "LC_ALL": "C.UTF-8"})
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"{sweep}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sweeps", required=True, action="append", type=pathlib.Path)
    parser.add_argument("--only", action="append", choices=CONSTANTS)
    arguments = parser.parse_args()
    mutations = ["", "lawless"] + [f"rule {name} {factor}" for name in arguments.only or CONSTANTS for factor in (0.5, 2)]
    print(f"{'mutation':<18} {'wrong':>6} {'of':>6} {'ranged':>7} {'found':>6} {'definable':>10}")
    for mutation in mutations:
        total = collections.Counter()
        for sweeps in arguments.sweeps:
            for model in arguments.models:
                results = analyze(arguments.program, sweeps / model.name, mutation)
                total.update(run.judge.Verdict(results, model, run.programs.COUNT, run.programs.SEED).counts())
        print(f"{mutation or 'none':<18} {total['all', 'wrong']:>6} {total['all']:>6} {total['all', 'ranged']:>7} {total['found']:>6} {total['definable']:>10}",
              flush=True)


if __name__ == "__main__":
    main()
