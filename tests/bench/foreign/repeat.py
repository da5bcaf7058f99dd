#!/usr/bin/env python3
"""Whether `discover` says the same every time on an emulated processor, and how long it takes, by hand:

    tests/bench/foreign/repeat.py 5 aarch64 neoverse-n1
    CATMINT_FOREIGN_CPU=max,sve-default-vector-length=64 tests/bench/foreign/repeat.py 5 aarch64 a64fx

One run after the other of what scripts/foreign built. Definitions are the same where metrics, events and coefficients are."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

TREE = pathlib.Path(__file__).resolve().parents[3]


def discover(architecture, model, folder):
    """Results, seconds of the processor, seconds."""
    at = TREE / "build-foreign" / architecture
    results = folder / "results.json"
    command = [at / "run", at / "build/bin/catmint", "discover", "--pmu", f"software:{model}", "--programs", "12", "--seed", "7", "--format", "json",
               "--output", results]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(folder)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(results.read_text()), processor, time.monotonic() - began


def definitions(results):
    """{(benchmark, metric): its terms}, and how many of these held in programs and failed there."""
    metrics = [(entry["benchmark"], metric) for entry in results["benchmarks"] for metric in entry["metrics"]]
    defined = [(benchmark, metric) for benchmark, metric in metrics if metric["composable"]]
    found = {(benchmark, metric["metric"]): tuple((term["event"], term["coefficient"]) for term in metric["definition"]) for benchmark, metric in defined}
    held = [metric["validation"]["failed"] for _, metric in defined if metric["validation"] and metric["validation"]["programs"]]
    return found, len(metrics), len(held) - sum(map(bool, held)), sum(map(bool, held))


def main():
    runs, architecture, *models = sys.argv[1:]
    for model in models:
        first = None
        for number in range(int(runs)):
            with tempfile.TemporaryDirectory(prefix="catmint-repeat-") as folder:
                results, processor, seconds = discover(architecture, model, pathlib.Path(folder))
            found, metrics, held, failed = definitions(results)
            first = first or found
            differ = sorted(key for key in {*first, *found} if first.get(key) != found.get(key))
            print(f"{model} {number + 1}: {len(found)} of {metrics} defined, {held} held in programs, {failed} failed there; {processor:.0f} s of a processor, "
                  f"{seconds:.0f} s; " + (f"differ from the first run: {differ}" if differ else "as the first run"), flush=True)


if __name__ == "__main__":
    main()
