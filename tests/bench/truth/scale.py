#!/usr/bin/env python3
"""How long the analysis of many events takes, on all kernels of some benchmarks: by hand, on quiet cores.

    tests/bench/truth/scale.py build/bin/catmint --events 10000 --benchmark cpu-flops,branch,dcache

Counted five times. A quarter of the events is zero, a quarter sums of one to four symbols of these benchmarks, a quarter such sums with noise
of 0.1 %, and a quarter has nothing to do with the kernels."""

import argparse
import os
import pathlib
import random
import subprocess
import tempfile
import time

import facts
import world

REPETITIONS, RUNS, TIMES = 5, 100_000, 3


def event(rng, symbols):
    """What one event counts, in facts."""
    found = {}
    for name in rng.sample(sorted(symbols), rng.randint(1, 4)):
        found = facts.add(found, (rng.choice((1, 1, 2, 4)), symbols[name]))
    return {name: float(weight) for name, weight in found.items()}


def lines_of(number, counted, kernels, rng):
    kind = number % 4
    levels = [RUNS * sum(weight * kernel.facts.get(fact, 0) for fact, weight in counted.items()) * (kind != 0) for kernel in kernels]
    for repetition in range(1, REPETITIONS + 1):
        if kind == 3:
            counts = (rng.getrandbits(20) for _ in levels)
        else:
            counts = (max(0, round(level * (1 + 1e-3 * (kind == 2) * rng.gauss(0, 1)))) for level in levels)
        yield f"EVENT_{number:06},{repetition},0," + ",".join(map(str, counts)) + "\n"


def write(folder, tree, benchmarks, count):
    rng = random.Random(1)
    symbols = {name: expression for benchmark in benchmarks for name, expression in tree.symbols[benchmark].items()}
    events = [event(rng, symbols) for _ in range(count)]
    for benchmark in benchmarks:
        kernels = tree.of(benchmark)
        with open(folder / f"{benchmark}.csv", "w") as stream:
            stream.write(",".join(["event", "repetition", "thread", *(kernel.name for kernel in kernels)]) + "\n")
            stream.write(",".join(["iterations", "1", "0", *[str(RUNS)] * len(kernels)]) + "\n")
            for number, counted in enumerate(events):
                stream.writelines(lines_of(number, counted, kernels, rng))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--benchmark", type=lambda text: text.split(","), default=["cpu-flops", "branch", "dcache"])
    arguments = parser.parse_args()
    environment = {**os.environ, "CATMINT_DATA_DIR": str(facts.TREE)}
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder), world.load(), arguments.benchmark, arguments.events)
        command = [arguments.program, "analyze", folder, "--format", "json", "--events-detail", "selected"]
        for _ in range(TIMES):
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
            print(f"{time.monotonic() - start:.2f} s, {usage.ru_utime + usage.ru_stime:.2f} s of processor time, "
                  f"{usage.ru_maxrss / 1024:.0f} MB, exit {os.waitstatus_to_exitcode(status)}")


if __name__ == "__main__":
    main()
