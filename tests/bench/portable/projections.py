#!/usr/bin/env python3
"""How often a measured speed lies in the interval that `catmint project` says, between two settings of this machine.

usage: tests/bench/portable/projections.py MACHINE.json CSV [--sets LIST] [--one-core] [--minutes M | --speeds CSV] [--least-share X]

Programs are compiled for scalars and for vectors of 128, 256 and 512 bits, timed by the clock, and counted under the emulated PMU with this machine's caches;
those of 512 bits, which QEMU does not execute, are stepped on a processor that has them. The ceilings of this machine are measured
in turn with the programs, and written to MACHINE.json. Measure on quiet cores, --minutes (5.5) long. With --speeds nothing is timed: MACHINE.json and the speeds
are those of an earlier run. --sets names sets of programs, separated by commas (first,held out).
--one-core leaves out settings of two cores, on a machine where one alone is to be had: there are more rounds in the same time."""

import argparse
import collections
import csv
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import portable
import speeds

SETTINGS = {"gcc": {"scalar": ("-fno-tree-vectorize", "-fno-tree-slp-vectorize"), "SSE": ("-mprefer-vector-width=128",), "AVX": ("-mprefer-vector-width=256",),
                    "AVX-512": ("-march=skylake-avx512", "-mprefer-vector-width=512")},
            "clang": {"scalar": ("-fno-vectorize", "-fno-slp-vectorize"), "SSE": ("-mprefer-vector-width=128",), "AVX": ("-mprefer-vector-width=256",),
                      "AVX-512": ("-march=skylake-avx512", "-mprefer-vector-width=512")}}
# Loops that cross a line of code take a cycle more on some cores.
FLAGS = {"gcc": ("-O3", "-ffast-math", "-fno-tree-loop-distribute-patterns", "-falign-loops=64", "-mavx2", "-mfma"),
         "clang": ("-O3", "-ffast-math", "-falign-loops=64", "-mavx2", "-mfma")}

Case = collections.namedtuple("Case", "set compiler algorithm place size step", defaults=(1,))
# Elements of arrays that stay in L1, in L2 and in memory; of what multiplies matrices or moves bodies, rows and bodies.
PLACES = {"L1": 1024, "L2": 16384, "memory": 8 << 20}
MODELLED = {8 << 20: 256 << 10, 6 << 20: 192 << 10}  # that is counted instead, with this third level: emulated code takes a hundred times as long
MODELLED_L3 = 3 << 20
STREAMS = ("stream", "dot", "axpy", "horner", "stencil")
CASES = [*(Case("first", "gcc", algorithm, place, size) for algorithm in STREAMS for place, size in PLACES.items()),
         *(Case("first", "gcc", algorithm, "computing", size) for algorithm, size in (("crunch", 1024), ("bodies", 512), ("transposed", 64)))]
# Nobody looked at these while the intervals' rule was chosen: other algorithms, another size in each level and a third level, another compiler.
CASES += [*(Case("held out", "gcc", *case) for case in (("crunch_single", "computing", 1024), ("conflict", "L1", 1536), ("conflict", "L2", 24576), ("matrix", "computing", 64),
                                                        ("unrolled", "computing", 64), ("blocked", "computing", 64, 16))),
          *(Case("held out", "gcc", algorithm, "L3", 98304) for algorithm in STREAMS),
          *(Case("held out", "clang", algorithm, place, size) for algorithm in STREAMS for place, size in (("L1", 640), ("L2", 24576))),
          *(Case("held out", "clang", *case) for case in (("crunch", "computing", 2048), ("bodies", "computing", 256), ("transposed", "computing", 48), ("unrolled", "computing", 48)))]
# Chosen after the rule was, to try it on: written before any of them was measured, and not changed since.
NEW = ("residual", "complex", "jacobi", "interpolate")
CASES += [*(Case("new", "gcc", algorithm, place, size) for algorithm in NEW for place, size in (("L1", 640), ("L2", 16000), ("L3", 64000), ("memory", 6 << 20))),
          *(Case("new", "gcc", "norm", place, size) for place, size in (("L1", 2048), ("L2", 40000), ("memory", 6 << 20))), Case("new", "gcc", "logistic", "computing", 1024),
          *(Case("new", "clang", algorithm, place, size) for algorithm in NEW for place, size in (("L1", 512), ("L2", 12000))), Case("new", "clang", "logistic", "computing", 768)]
# Chosen after projections had learnt of chains, of widths and windows, and of streams that store as much: written before any of them was measured, and not changed since.
# The rule of the interval is of then, too; how cycles are counted was corrected since.
LATEST = ("running", "filter", "wave", "blend", "quotient")
SHORT = ("variance", "hypotenuse", "pairs")
CASES += [*(Case("latest", "gcc", algorithm, place, size) for algorithm in LATEST for place, size in (("L1", 768), ("L2", 14000), ("L3", 80000), ("memory", 6 << 20))),
          *(Case("latest", "gcc", algorithm, place, size) for algorithm in SHORT for place, size in (("L1", 1152), ("L2", 20000))),
          *(Case("latest", "clang", algorithm, place, size) for algorithm in (*LATEST, *SHORT) for place, size in (("L1", 896), ("L2", 18000))),
          *(Case("latest", compiler, "times_vector", "computing", size) for compiler, size in (("gcc", 56), ("clang", 40)))]
# Programs of many loops, allocation and set-up among them: size and steps.
CASES += [Case("mini", compiler, f"mini_{name}", "computing", size, steps) for compiler in ("gcc", "clang")
          for name, size, steps in (("stencil", 20, 4), ("gradient", 8, 6), ("particles", 4096, 4), ("hydrodynamics", 48, 4), ("transport", 200, 4))]
# From vectors to longer ones and from one core to two, each in the same place; and with the same vectors from one place to another.
STEPS = (("scalar", "SSE", 1, 1), ("SSE", "AVX", 1, 1), ("AVX", "AVX-512", 1, 1), ("scalar", "AVX-512", 1, 1), ("scalar", "scalar", 1, 2), ("AVX", "AVX", 1, 2))
MOVES = (("first", "gcc", "memory", "L2", STREAMS), ("first", "gcc", "L2", "L1", STREAMS), ("held out", "clang", "L2", "L1", STREAMS),
         ("new", "gcc", "memory", "L3", NEW), ("new", "gcc", "L2", "L1", NEW), ("new", "clang", "L2", "L1", NEW),
         ("latest", "gcc", "memory", "L3", LATEST), ("latest", "gcc", "L2", "L1", (*LATEST, *SHORT)), ("latest", "clang", "L2", "L1", (*LATEST, *SHORT)))
LINE = 64  # bytes, of the model
CORES = {25: (320, 6), 26: (448, 8)}  # window and width in instructions by the family, Zen 4 and Zen 5, by AMD's guides to optimization
ARRAYS = {"residual": 4, "complex": 6, "blend": 4}  # of the others no more than three


def ways(size):
    """So that there are a power of two sets of lines."""
    return next(count for count in (16, 12, 8, 10, 20, 1) if (sets := size / (LINE * count)).is_integer() and int(sets) & int(sets) - 1 == 0)


def latencies():
    """Of this machine, in cycles, as keys of a model: what `catmint incore` measures in double precision, of scalars."""
    done = subprocess.run([portable.PROGRAM, "incore", "--cores", "0", "--load-seconds", "0.01", "--rounds", "2", "--format", "json"], capture_output=True, text=True, check=True)
    named = {"add": "add", "mul": "multiply", "fma": "multiply_add", "div": "divide", "sqrt": "square_root", "loads": "load"}
    figures = {row["operation"]: row["latency"][1] for row in json.loads(done.stdout)["instructions"] if row["vectors"] == "scalar" and row["latency"]}
    return {f"latency_{key}": round(figures[name]) for name, key in named.items()}


def write_model(folder, machine):
    """A model of a PMU with the caches and latencies of this machine."""
    model = folder / "model"
    model.mkdir()
    lines = (portable.SOURCE / "data/pmu/golden-cove/machine.csv").read_text().splitlines()
    window, width = CORES[int(re.search(r"cpu family\s*: (\d+)", pathlib.Path("/proc/cpuinfo").read_text()).group(1))]
    sizes = dict(zip(("l1d_size", "l2_size", "l3_size"), machine["caches"]))
    own = {**sizes, "l3_size": MODELLED_L3, "interference": 0, **latencies(), "reorder_window": window, "dispatch_width": width}
    own |= {name.replace("size", "ways"): ways(own[name]) for name in sizes}
    kept = [line for line in lines if not line.startswith("#") and line.split(",")[0] not in own]
    (model / "machine.csv").write_text("# This machine's caches.\n" + "\n".join(kept) + "\n" + "".join(f"{key},{value}\n" for key, value in own.items()))
    (model / "events.csv").write_text("# None but what a model must have.\nevent,description,expression\nINSTRUCTIONS,Instructions,instructions\n")
    return model


def compile_all(folder):
    """By compiler and setting."""
    programs = {}
    for compiler, settings in SETTINGS.items():
        for setting, flags in settings.items():
            programs[compiler, setting] = folder / f"kernels-{compiler}-{setting}"
            subprocess.run([compiler, *FLAGS[compiler], *flags, "-o", programs[compiler, setting], *portable.SOURCES, "-lm"], check=True)
    return programs


def mixed(folder, program, model, case, size, *options):
    """The mix of one repetition: facts, by which `catmint project` reads it."""
    few, many = (portable.count(folder, program, (case.algorithm, size, case.step, times), "--mix", "--pmu", f"software:{model}", *options)[0] for times in (1, 3))
    return {**{event: (many[event] - few[event]) / 2 for event in few}, "line_bytes": LINE}


def project(folder, source, target, mixes, speeds, least):
    columns = [name for name in mixes[0] if all(name in one for one in mixes)]
    table = folder / "mix.csv"
    table.write_text("event,source,target\n" + "".join(f"{name},{mixes[0][name]},{mixes[1][name]}\n" for name in columns))
    done = subprocess.run([portable.PROGRAM, "project", "--from", source, "--to", target, "--mix", table, "--performance", str(speeds), "--least-share", str(least), "--format", "json"],
                          env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)}, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)["intervals"][0]


def program_of(case):
    return case.algorithm if case.compiler == "gcc" else f"{case.compiler} {case.algorithm}"


def read_speeds(file):
    """Of an earlier run: what it measured, at least and at most, by set, program, place and setting."""
    found = {}
    for row in csv.DictReader(pathlib.Path(file).open(encoding="utf-8", newline="")):
        found[row["set"], row["program"], row["to"]] = [float(row[name]) for name in ("measured", "measured_lowest", "measured_highest")]
        found.setdefault((row["set"], row["program"], row["from"]), [float(row["source"])] * 3)
    return found


class Bench:
    """Programs of all settings, their mixes and speeds, and what was projected of them."""

    def __init__(self, folder, file, least, sets, most_cores):
        self.folder, self.file, self.least, self.rows, self.facts = folder, file, least, [], {}
        self.cases = [case for case in CASES if case.set in sets]
        self.moves = [move for move in MOVES if move[0] in sets]
        self.programs, self.speeds = compile_all(folder), {}
        self.steps = [step for step in STEPS if max(step[2:]) <= most_cores]
        self.settings = sorted({(vectors, cores) for few, many, first, then in self.steps for vectors, cores in ((few, first), (many, then))})

    def time(self, minutes):
        """Repetitions a second until amounts are known."""
        wanted = {}
        for case in self.cases:
            for vectors, cores in self.settings:
                size = case.size**2 if case.algorithm in ("matrix", "transposed", "unrolled", "blocked", "times_vector") else case.size
                words = (case.algorithm, str(case.size), str(case.step))
                wanted[case.set, program_of(case), f"{case.place} {vectors} x{cores}"] = self.programs[case.compiler, vectors], words, 8 * ARRAYS.get(case.algorithm, 3) * size, cores
        machine, self.speeds = speeds.measure(wanted, self.folder, minutes, () if max(cores for _, cores in self.settings) > 1 else ("--cores", "1"))
        self.file.write_text(json.dumps(machine, indent=1) + "\n")

    def count(self, case, model):
        size = MODELLED.get(case.size, case.size)
        self.facts[case] = {vectors: mixed(self.folder, self.programs[case.compiler, vectors], model, case, size, *(("--stepped",) if vectors == "AVX-512" else ()))
                            for vectors in ("scalar", "SSE", "AVX", "AVX-512")}

    def scale(self, case):
        """Speeds are GFLOP/s behind this, by the operations of the scalars' program."""
        amount = portable.operations({**self.facts[case]["scalar"], "vector_bits": None}) * case.size / MODELLED.get(case.size, case.size)
        for vectors, cores in self.settings:
            name = case.set, program_of(case), f"{case.place} {vectors} x{cores}"
            self.speeds[name] = [amount * one / 1e9 for one in self.speeds[name]]

    def project(self, kind, before, after, source, target):
        """A case each, and its setting and cores."""
        (first, _, _), (measured, least, most) = (self.speeds[case.set, program_of(case), "{} {} x{}".format(case.place, *at)] for case, at in ((before, source), (after, target)))
        machines = [f"{self.file}@{vectors}@{cores}" for vectors, cores in (source, target)]
        interval = project(self.folder, *machines, (self.facts[before][source[0]], self.facts[after][target[0]]), first, self.least)
        low, high, wide_low, wide_high = *interval["interval"], *interval["interval_with_spread"]
        bound_low, bound_high = interval["bound"]["interval_with_spread"]
        self.rows.append({"set": before.set, "kind": kind, "program": program_of(before), "from": "{} {} x{}".format(before.place, *source), "to": "{} {} x{}".format(after.place, *target),
                          "source": first, "lowest": low, "highest": high, "spread_lowest": wide_low, "spread_highest": wide_high,
                          "measured": measured, "measured_lowest": least, "measured_highest": most, "inside": int(low <= measured <= high),
                          "inside_spread": int(wide_low <= most and least <= wide_high), "bound_lowest": bound_low, "bound_highest": bound_high,
                          "inside_bound": int(bound_low <= measured <= bound_high), "meets_bound": int(bound_low <= most and least <= bound_high),
                          "holds": int(bound_low <= measured <= bound_high and bound_high < 3 * bound_low)})

    def run(self, given, minutes):
        if given:
            self.speeds = read_speeds(given)
        else:
            self.time(minutes)
        model = write_model(self.folder, json.loads(self.file.read_text()))
        for case in self.cases:
            self.count(case, model)
            if not given:
                self.scale(case)
            for few, many, first, then in self.steps:
                self.project(f"{few} x{first} to {many} x{then}", case, case, (few, first), (many, then))
        for group, compiler, few, many, algorithms in self.moves:
            for algorithm in algorithms:
                before, after = (next(case for case in self.cases if case[:4] == (group, compiler, algorithm, place)) for place in (few, many))
                self.project(f"{few} to {many}", before, after, ("AVX", 1), ("AVX", 1))

    def summary(self):
        """What holds is inside by its median, of an interval narrower than 3."""
        lines = ["| | projections | equations 1 to 4: inside | with spread, by the range | widths with spread, median | tightest roofline: inside | by the range | widths, median | below 3 | inside and below 3 |",
                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
        groups = dict.fromkeys((row["set"], row["kind"]) for row in self.rows)
        for group, kind in (*groups, *((group, "all") for group in dict.fromkeys(group for group, _ in groups))):
            of = [row for row in self.rows if row["set"] == group and kind in (row["kind"], "all")]
            spreads, bounds = (sorted(row[f"{name}_highest"] / row[f"{name}_lowest"] for row in of) for name in ("spread", "bound"))
            inside, inside_spread, inside_bound, meets, holds = (sum(row[name] for row in of) for name in ("inside", "inside_spread", "inside_bound", "meets_bound", "holds"))
            lines.append(f"| {group}: {kind} | {len(of)} | {inside} | {inside_spread} | {spreads[0]:.2f} to {spreads[-1]:.2f}, {statistics.median(spreads):.2f} | "
                         f"**{inside_bound}** | {meets} | {bounds[0]:.2f} to {bounds[-1]:.2f}, {statistics.median(bounds):.2f} | {sum(width < 3 for width in bounds)} | **{holds}** |")
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("machine", type=pathlib.Path)
    parser.add_argument("csv")
    parser.add_argument("--sets", type=lambda text: text.split(","), default=["first", "held out"])
    parser.add_argument("--one-core", action="store_true")
    parser.add_argument("--speeds")
    parser.add_argument("--minutes", type=float, default=5.5)
    parser.add_argument("--least-share", type=float, default=0.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(pathlib.Path(name), asked.machine.resolve(), asked.least_share, asked.sets, 1 if asked.one_core else 2)
        bench.run(asked.speeds, asked.minutes)
    with open(asked.csv, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, bench.rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: f"{value:.5g}" if isinstance(value, float) else value for key, value in row.items()} for row in bench.rows)
    print(bench.summary())


if __name__ == "__main__":
    main()
