"""What `count` itself costs a program that runs by itself: interleaved pairs of runs, with and without.

Run by hand, on quiet cores: CATMINT_PROGRAM=build/bin/catmint CATMINT_SOURCE=. python3 tests/bench/count_overhead.py PAIRS SECONDS [OPTIONS]
OPTIONS go to `count`, such as `--pmu hardware --events perf::TASK-CLOCK`. The program does a fixed number of additions that takes about
SECONDS here. Each pair is one run without and one with `count`, in an order that a seed chooses; a run's cost is its processor time and
its time by the clock. Printed: of the ratios the median and the interval that holds it with 95 % (by the binomial distribution)."""

import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import support  # noqa: E402

SOURCE = """#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile double x = argc;
    for (long i = atol(argv[1]); i > 0; i--)
        x += 1.0;
    return 0;
}
"""


def run(command):
    """Seconds by the clock, and of processor time."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, env=support.environment(**dict(os.environ)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    elapsed, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return elapsed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interval(values):
    """The median, and the narrowest symmetric pair of ordered values that holds the true one with 95 %."""
    values, count = sorted(values), len(values)
    left = 0
    while left + 1 < count // 2 and 2 * sum(math.comb(count, k) for k in range(left + 2)) / 2 ** count <= 0.05:
        left += 1
    middle = (values[(count - 1) // 2] + values[count // 2]) / 2
    return middle, values[left], values[-1 - left]


def main(pairs, seconds, *options):
    with tempfile.TemporaryDirectory(prefix="catmint-overhead-") as folder:
        source, program = pathlib.Path(folder, "work.c"), pathlib.Path(folder, "work")
        source.write_text(SOURCE)
        subprocess.run(["cc", "-O1", "-o", program, source], check=True)
        trial = 20_000_000
        turns = str(int(trial * float(seconds) / run([program, str(trial)])[1]))
        alone, counted = [program, turns], [support.PROGRAM, "count", *options, "--", program, turns]
        ratios, order = [], random.Random(1)
        for _ in range(int(pairs)):
            sides = {}
            for name in order.sample(("alone", "counted"), 2):
                sides[name] = run(alone if name == "alone" else counted)
            ratios.append([counted_cost / cost for counted_cost, cost in zip(sides["counted"], sides["alone"], strict=True)])
            print(" ".join(f"{ratio:.5f}" for ratio in ratios[-1]), flush=True)
        for what, values in zip(("by the clock", "processor time"), zip(*ratios), strict=True):
            print("{}: median {:+.2%}, from {:+.2%} to {:+.2%}".format(what, *(value - 1 for value in interval(values))))


if __name__ == "__main__":
    main(*sys.argv[1:])
