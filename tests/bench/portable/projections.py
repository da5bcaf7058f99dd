#!/usr/bin/env python3
"""How often a measured speed lies in the interval that `catmint project` says, between two settings of this machine.

usage: tests/bench/portable/projections.py MACHINE.json CSV [--speeds CSV] [--least-share X]

MACHINE.json is what `catmint roofline` measured here. Programs are compiled for scalars and for vectors of 128, 256 and 512 bits, timed by the
clock, and counted under the emulated PMU with this machine's caches; those of 512 bits, which QEMU does not execute, have the mix of those of
256 bits with half of the vector instructions. Measure on quiet cores: it takes two minutes. With --speeds nothing is timed: the speeds are those
of an earlier run's CSV."""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import portable

SETTINGS = {"scalar": ("-fno-tree-vectorize", "-fno-tree-slp-vectorize"), "SSE": ("-mprefer-vector-width=128",), "AVX": ("-mprefer-vector-width=256",),
            "AVX-512": ("-march=skylake-avx512", "-mprefer-vector-width=512")}
# Loops that cross a line of code take a cycle more on some cores.
FLAGS = ("-O3", "-ffast-math", "-fno-tree-loop-distribute-patterns", "-falign-loops=64", "-mavx2", "-mfma")
# Programs have huge pages, as ceilings do.
HUGE = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
# Elements of arrays that stay in L1, in L2 and in memory; of what multiplies matrices or moves bodies, rows and bodies.
PLACES = {"L1": 1024, "L2": 16384, "memory": 8 << 20}
MODELLED = {8 << 20: 256 << 10}  # that is counted instead, with a third level of 2 MiB: emulated code takes a hundred times as long
STREAMS = ("stream", "dot", "axpy", "horner", "stencil")
COMPUTING = {"crunch": 1024, "bodies": 512, "transposed": 64}
# From vectors to longer ones and from one core to two, each in the same place; and with the same vectors from one place to another.
STEPS = (("scalar", "SSE", 1, 1), ("SSE", "AVX", 1, 1), ("AVX", "AVX-512", 1, 1), ("scalar", "AVX-512", 1, 1), ("scalar", "scalar", 1, 2), ("AVX", "AVX", 1, 2))
MOVES = (("memory", "L2"), ("L2", "L1"))
BATCHES, SECONDS = 9, 0.02
LINE = 64  # bytes, of the model
ROUNDS = 3  # through all programs, as catmint measures ceilings: the fastest counts


def ways(size):
    """So that there are a power of two sets of lines."""
    return next(count for count in (16, 12, 8, 10, 20, 1) if (sets := size / (LINE * count)).is_integer() and int(sets) & int(sets) - 1 == 0)


def write_model(folder, machine):
    """A model of a PMU with the caches of this machine."""
    model = folder / "model"
    model.mkdir()
    lines = (portable.SOURCE / "data/pmu/golden-cove/machine.csv").read_text().splitlines()
    sizes = dict(zip(("l1d_size", "l2_size", "l3_size"), machine["caches"]))
    own = {**sizes, "l3_size": 2 << 20, "interference": 0}
    own |= {name.replace("size", "ways"): ways(own[name]) for name in sizes}
    kept = [line for line in lines if not line.startswith("#") and line.split(",")[0] not in own]
    (model / "machine.csv").write_text("# This machine's caches.\n" + "\n".join(kept) + "\n" + "".join(f"{key},{value}\n" for key, value in own.items()))
    (model / "events.csv").write_text("# None but what a model must have.\nevent,description,expression\nINSTRUCTIONS,Instructions,instructions\n")
    return model


def compile_all(folder):
    programs = {}
    for setting, flags in SETTINGS.items():
        programs[setting] = folder / f"kernels-{setting}"
        subprocess.run(["gcc", *FLAGS, *flags, "-o", programs[setting], portable.HERE / "kernels.c", "-lm"], check=True)
    return programs


def timed(program, algorithm, size, cores):
    """Seconds of one repetition, median, least and most of batches, of as many programs as there are cores, at the same time."""
    words = [str(program), algorithm, str(size), "1"]
    once = min(float(line) for line in subprocess.run([*words, "1", "5"], check=True, capture_output=True, text=True, env=HUGE).stdout.split())
    words += [str(max(1, round(SECONDS / max(once, 1e-7)))), str(BATCHES)]
    running = [subprocess.Popen(["taskset", "-c", str(core), *words], stdout=subprocess.PIPE, text=True, env=HUGE) for core in sorted(os.sched_getaffinity(0))[:cores]]
    seconds = [[float(line) for line in one.communicate()[0].split()] for one in running]
    return tuple(statistics.mean(of(one) for one in seconds) for of in (statistics.median, min, max))


def mixed(folder, program, model, algorithm, size):
    """The mix of one repetition: facts, by which `catmint project` reads it."""
    few, many = (portable.count(folder, program, (algorithm, size, 1, times), "--mix", "--pmu", f"software:{model}")[0] for times in (1, 3))
    return {**{event: (many[event] - few[event]) / 2 for event in few}, "line_bytes": LINE}


def halved(facts):
    """The same program with vectors twice as long: half the instructions, the same bytes."""
    longer = dict(facts)
    for name, value in facts.items():
        if "_256" in name:
            longer[name.replace("_256", "_512")], longer[name] = value / 2, 0
    return longer


def project(folder, source, target, mixes, speeds, least):
    columns = [name for name in mixes[0] if all(name in one for one in mixes)]
    table = folder / "mix.csv"
    table.write_text("event,source,target\n" + "".join(f"{name},{mixes[0][name]},{mixes[1][name]}\n" for name in columns))
    done = subprocess.run([portable.PROGRAM, "project", "--from", source, "--to", target, "--mix", table, "--performance", str(speeds), "--least-share", str(least), "--format", "json"],
                          env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)}, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["intervals"][0]


class Bench:
    """Programs of all settings, their mixes and speeds, and what was projected of them."""

    def __init__(self, folder, file, speeds, least):
        self.folder, self.file, self.least, self.rows, self.known, self.speeds, self.seconds = folder, file, least, [], {}, {}, {}
        if speeds:
            for row in csv.DictReader(pathlib.Path(speeds).open(encoding="utf-8", newline="")):
                self.speeds[row["program"], row["to"]] = [float(row[name]) for name in ("measured", "measured_highest", "measured_lowest")]
                self.speeds.setdefault((row["program"], row["from"]), [float(row["source"])] * 3)
        self.model, self.programs = write_model(folder, json.loads(file.read_text())), compile_all(folder)

    def time(self, cases):
        settings = sorted({(s, c) for step in STEPS for s, c in ((step[0], step[2]), (step[1], step[3]))})
        wanted = [(*case, *setting) for case in cases for setting in settings]
        for _ in range(ROUNDS if not self.speeds else 0):
            for algorithm, place, size, setting, cores in wanted:
                found = timed(self.programs[setting], algorithm, size, cores)
                key = algorithm, place, setting, cores
                self.seconds[key] = min(found, self.seconds.get(key, found))

    def measure(self, algorithm, place, size):
        counted = MODELLED.get(size, size)
        facts = {setting: mixed(self.folder, self.programs[setting], self.model, algorithm, counted) for setting in ("scalar", "SSE", "AVX")}
        facts["AVX-512"] = halved(facts["AVX"])
        amount = portable.operations({**facts["scalar"], "vector_bits": None}) * size / counted
        for setting, cores in {(s, c) for step in STEPS for s, c in ((step[0], step[2]), (step[1], step[3]))}:
            speeds = self.speeds.get((algorithm, f"{place} {setting} x{cores}"))
            if speeds is None:
                speeds = [cores * amount / one / 1e9 for one in self.seconds[algorithm, place, setting, cores]]
            self.known[algorithm, place, setting, cores] = facts[setting], speeds

    def project(self, kind, algorithm, source, target):
        """Each is place, setting and cores."""
        (before, (speed, *_)), (after, (measured, most, least)) = self.known[algorithm, *source], self.known[algorithm, *target]
        machines = [f"{self.file}@{setting}@{cores}" for _, setting, cores in (source, target)]
        interval = project(self.folder, *machines, (before, after), speed, self.least)
        low, high, wide_low, wide_high = *interval["interval"], *interval["interval_with_spread"]
        bound_low, bound_high = interval["bound"]["interval_with_spread"]
        self.rows.append({"kind": kind, "program": algorithm, "from": "{} {} x{}".format(*source), "to": "{} {} x{}".format(*target), "source": speed,
                          "lowest": low, "highest": high, "spread_lowest": wide_low, "spread_highest": wide_high, "measured": measured, "measured_lowest": least, "measured_highest": most,
                          "inside": int(low <= measured <= high), "inside_spread": int(wide_low <= most and least <= wide_high),
                          "bound_lowest": bound_low, "bound_highest": bound_high, "inside_bound": int(bound_low <= most and least <= bound_high)})

    def run(self):
        cases = [(algorithm, place, size) for algorithm in STREAMS for place, size in PLACES.items()]
        cases += [(algorithm, "computing", size) for algorithm, size in COMPUTING.items()]
        self.time(cases)
        for algorithm, place, size in cases:
            self.measure(algorithm, place, size)
            for source, target, few, many in STEPS:
                self.project(f"{source} x{few} to {target} x{many}", algorithm, (place, source, few), (place, target, many))
        for algorithm in STREAMS:
            for source, target in MOVES:
                self.project(f"{source} to {target}", algorithm, (source, "AVX", 1), (target, "AVX", 1))

    def summary(self):
        lines = ["| from and to | projections | inside | inside with spread | widths, median | with spread, median | by the tightest roofline | its range | widths, median | below 3 |",
                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
        for kind in dict.fromkeys(row["kind"] for row in self.rows):
            of = [row for row in self.rows if row["kind"] == kind]
            widths, spreads, bounds = (sorted(row[high] / row[low] for row in of)
                                       for low, high in (("lowest", "highest"), ("spread_lowest", "spread_highest"), ("bound_lowest", "bound_highest")))
            lines.append(f"| {kind} | {len(of)} | {sum(row['inside'] for row in of)} | {sum(row['inside_spread'] for row in of)} | "
                         f"{widths[0]:.2f} to {widths[-1]:.2f}, {statistics.median(widths):.2f} | {spreads[0]:.2f} to {spreads[-1]:.2f}, {statistics.median(spreads):.2f} | "
                         f"{sum(row['bound_lowest'] <= row['measured'] <= row['bound_highest'] for row in of)} | {sum(row['inside_bound'] for row in of)} | {bounds[0]:.2f} to {bounds[-1]:.2f}, {statistics.median(bounds):.2f} | {sum(width < 3 for width in bounds)} |")
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("machine", type=pathlib.Path)
    parser.add_argument("csv")
    parser.add_argument("--speeds")
    parser.add_argument("--least-share", type=float, default=0.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(pathlib.Path(name), asked.machine.resolve(), asked.speeds, asked.least_share)
        bench.run()
    with open(asked.csv, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, bench.rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: f"{value:.5g}" if isinstance(value, float) else value for key, value in row.items()} for row in bench.rows)
    print(bench.summary())


if __name__ == "__main__":
    main()
