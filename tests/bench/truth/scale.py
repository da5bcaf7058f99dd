#!/usr/bin/env python3
"""How long the analysis of many events takes, on all kernels of some benchmarks: by hand, on quiet cores.

    tests/bench/truth/scale.py build/bin/catmint
    tests/bench/truth/scale.py build/bin/catmint --events 10000 --benchmark cpu-flops,branch,dcache
    tests/bench/truth/scale.py build/bin/catmint --beside OTHER/build/bin/catmint --beside-tree OTHER

Counted five times. A quarter of the events is zero, a quarter sums of one to four symbols of these benchmarks, a quarter such sums with noise
of 0.1 %, and a quarter has nothing to do with the kernels. Beside another program, as that of the last release: on the kernels that both trees
have, the programs in turn, and ratios of the least that each took, so that other work on the machine matters little."""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import facts
import world

REPETITIONS, RUNS, TIMES = 5, 100_000, 3
TABLES = ((10_000, ["cpu-flops", "branch", "dcache"]), (100_000, ["branch"]))  # if none is asked for


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


def write(folder, tree, benchmarks, count, known):
    """`known`: the kernels of the benchmarks that may be there; None: all."""
    rng = random.Random(1)
    symbols = {name: expression for benchmark in benchmarks for name, expression in tree.symbols[benchmark].items()}
    events = [event(rng, symbols) for _ in range(count)]
    for benchmark in benchmarks:
        kernels = [kernel for kernel in tree.of(benchmark) if known is None or (benchmark, kernel.name) in known]
        with open(folder / f"{benchmark}.csv", "w") as stream:
            stream.write(",".join(["event", "repetition", "thread", *(kernel.name for kernel in kernels)]) + "\n")
            stream.write(",".join(["iterations", "1", "0", *[str(RUNS)] * len(kernels)]) + "\n")
            for number, counted in enumerate(events):
                stream.writelines(lines_of(number, counted, kernels, rng))


def measured(program, tree, folder):
    """Seconds, seconds of processor time, and MB."""
    command = [program, "analyze", folder, "--format", "json", "--events-detail", "selected"]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "CATMINT_DATA_DIR": str(tree)})
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{program}: exit {os.waitstatus_to_exitcode(status)}, so nothing is compared")
    took = (time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
    print(f"    {program}: {took[0]:.2f} s, {took[1]:.2f} s of processor time, {took[2]:.0f} MB", flush=True)
    return took


def measure(programs, count, benchmarks, known):
    print(f"{count} events of {', '.join(benchmarks)}")
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder), world.load(), benchmarks, count, known)
        runs = [[measured(program, tree, folder) for program, tree in programs] for _ in range(TIMES)]
    least = [[min(run[i][figure] for run in runs) for figure in range(3)] for i in range(len(programs))]
    for other in least[1:]:
        wall, processor, memory = (own / beside for own, beside in zip(least[0], other))
        print(f"    to the other: {processor:.2f} of its processor time, {wall:.2f} of its time, {memory:.2f} of its memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--events", type=int)
    parser.add_argument("--benchmark", type=lambda text: text.split(","), help="with --events")
    parser.add_argument("--beside", help="another program")
    parser.add_argument("--beside-tree", help="the tree whose data it reads")
    arguments = parser.parse_args()
    if (arguments.beside is None) != (arguments.beside_tree is None):
        parser.error("--beside and --beside-tree go together")
    if arguments.benchmark and not arguments.events:
        parser.error("--benchmark goes with --events")
    programs, known = [(arguments.program, facts.TREE)], None
    if arguments.beside:
        programs.append((arguments.beside, arguments.beside_tree))
        listed = facts.read_table(pathlib.Path(arguments.beside_tree, "bases", "facts.csv"))
        known = {(row["benchmark"], row["kernel"]) for row in listed}
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}")
    for count, benchmarks in [(arguments.events, arguments.benchmark or TABLES[0][1])] if arguments.events else TABLES:
        measure(programs, count, benchmarks, known)


if __name__ == "__main__":
    main()
