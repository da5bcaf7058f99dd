"""Programs timed by the clock on one core or several, round by round, and beside each round the ceilings of this machine. Python's standard library only.

What a host or other programs take for a while makes rounds slower, and nothing makes one faster: the fastest round counts, of programs as of ceilings. Rounds are short
and many, and programs alternate with ceilings, so that both see the same minutes."""

import json
import os
import statistics
import subprocess
import time

import portable

# Programs have huge pages, as ceilings do.
HUGE = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
BATCHES, SECONDS = 5, 0.004  # of a batch
FILLED = 1.5e9  # bytes a second, at least, that a program fills its arrays with before it begins
STARTED = 0.015  # seconds, at most, that it takes to start


def calibrate(program, words):
    """So many repetitions take as long as a batch."""
    repetitions = 1
    for _ in range(2):
        out = subprocess.run([program, *words, str(repetitions), "3"], check=True, capture_output=True, text=True, env=HUGE).stdout
        repetitions = max(1, round(SECONDS / max(1e-8, min(map(float, out.split())))))
    return repetitions


def timed(program, words, repetitions, cores, filled):
    """Seconds of one repetition by each core: median, least and most of its batches, of as many programs as there are cores, which begin together."""
    start = time.monotonic() + STARTED * cores + filled / FILLED
    running = [subprocess.Popen(["taskset", "-c", str(core), program, *words, str(repetitions), str(BATCHES), str(start)], stdout=subprocess.PIPE, text=True, env=HUGE)
               for core in sorted(os.sched_getaffinity(0))[:cores]]
    seconds = [[float(line) for line in one.communicate()[0].split()] for one in running]
    return [(statistics.median(one), min(one), max(one)) for one in seconds]


def ceilings(folder, options):
    """One round of `catmint roofline`."""
    subprocess.run([portable.PROGRAM, "roofline", *options, "--precision", "double", "--rounds", "1", "--repetitions", str(BATCHES), "--out", folder], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)})
    return json.loads((folder / "machine.json").read_text())


def together(machines):
    """Several rounds as `catmint roofline` would have them of its own: of each ceiling the fastest, and the medians of all beside it."""
    made = {**machines[0], "rounds": len(machines), "points": []}
    made["ceilings"] = [{**max(same, key=lambda one: one["rate"][1]), "rounds": [of(one["rate"][1] for one in same) for of in (min, statistics.median, max)]}
                        for same in zip(*(machine["ceilings"] for machine in machines))]
    return made


def measure(wanted, folder, minutes, options=()):
    """As many rounds as the time is enough for. `wanted` names programs: command, words, bytes that it fills, cores. Gives the machine, and for each name repetitions a
    second of all cores: by the median, by the slowest and by the fastest batches."""
    machines, fastest, repetitions, end, taken = [], {}, {}, time.monotonic() + 60 * minutes, 0.0
    while time.monotonic() + taken < end:
        begin = time.monotonic()
        machines.append(ceilings(folder, options))
        for name, (program, words, filled, cores) in wanted.items():
            if (program, words) not in repetitions:
                repetitions[program, words] = calibrate(program, words)
            seconds = timed(program, words, repetitions[program, words], cores, filled)
            found = tuple(sum(1 / one[i] for one in seconds) for i in (0, 2, 1))
            fastest[name] = max(found, fastest.get(name, found))
        taken = time.monotonic() - begin
    return together(machines), fastest
