#!/usr/bin/env python3
"""Designs of Figures 10 to 17 of Gavaille et al. 2022: longer vectors, other memory and another compiler, by projections of small programs (mini.c).

usage: tests/bench/portable/designs.py [CSV [PLOTS]]

Each machine is projected to itself with SVE of 128 to 2048 bits, and with the HBM2 of the A64FX: from code for NEON, on the A64FX from SVE of 512 bits. Mixes are counted under
the emulated PMU with each machine's model, as differences between two numbers of steps. Nothing is timed: intervals are of the speed on the source, which equations 1 to 4
multiply. Prints a table for docs/evidence, and writes all intervals to CSV and plots of each program and machine to PLOTS/PROGRAM-MACHINE."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import portable

BITS = (128, 256, 512, 1024, 2048)
FLAGS = ("-O3", "-ffast-math", "-static")
# The size, and the two numbers of steps.
PROGRAMS = {"hydrodynamics": (96, 1, 3), "gradient": (16, 2, 6), "transport": (2000, 1, 3), "stencil": (48, 1, 3), "particles": (20000, 1, 3)}
MACHINES = {"thunderx2": ("-mcpu=thunderx2t99", "-march=armv8.1-a+sve", "-mtune=thunderx2t99"), "neoverse-n1": ("-mcpu=neoverse-n1", "-march=armv8.2-a+sve", "-mtune=neoverse-n1"),
            "a64fx": (None, "-mcpu=a64fx")}
CLANG = ("clang", "--target=aarch64-linux-gnu", "-mcpu=a64fx")
HBM2 = 65.52  # GB/s, Table 1


def build(folder, name, *command):
    program = folder / name
    subprocess.run([*command, *FLAGS, "-o", program, portable.HERE / "mini.c", "-lm"], check=True)
    return program


def mixed(folder, program, words, model, bits):
    """The mix of a step."""
    size, few, many = PROGRAMS[words]
    options = ("--mix", "--pmu", f"software:{model}", *(("--vector-bits", bits) if bits else ()))
    counted = [portable.count(folder, program, (words, size, steps), *map(str, options)) for steps in (few, many)]
    line = json.loads((folder / "counts.json").read_text())["line_bytes"]
    facts = {name: (counted[1][0][name] - counted[0][0][name]) / (many - few) for name in counted[0][0] if counted[1][0][name] is not None}
    return {**facts, "vector_bits": bits or 0, "line_bytes": line}


def write_mix(file, columns):
    names = [name for name in next(iter(columns.values())) if all(name in one for one in columns.values())]
    file.write_text("".join(",".join(map(str, row)) + "\n" for row in (("event", *columns), *((name, *(one[name] for one in columns.values())) for name in names))))


def project(folder, machine, columns, plots):
    """Intervals as multiples of the source's speed, by column and memory; and what the notes say."""
    write_mix(folder / "mix.csv", columns)
    file = portable.SOURCE / f"data/machines/{machine}.csv"
    own = next(float(line.split(",")[1]) for line in file.read_text().splitlines() if line.startswith("bandwidth:MEM"))
    command = [portable.PROGRAM, "project", "--from", file, "--to", file, "--mix", folder / "mix.csv", "--performance", "1", "--format", "json",
               "--memory-bandwidth", f"own={own},HBM2={HBM2}", *(("--plots", plots) if plots else ())]
    done = subprocess.run(command, env={**os.environ, "CATMINT_DATA_DIR": str(portable.SOURCE)}, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    document = json.loads(done.stdout)
    return {(entry["program"].rpartition(": ")[2], entry["memory"]["name"]): entry["interval"] for entry in document["intervals"]}, document["notes"]


def vectorised(facts):
    """The share of operations that vectors do."""
    scalar = sum(facts[f"fp_{precision}_scalar"] + 2 * facts[f"fp_{precision}_scalar_fma"] for precision in "sd")
    return 1 - scalar / portable.operations(facts)


def explore(folder, machine, words, plots):
    neon, *sve = MACHINES[machine]
    compiler = "aarch64-linux-gnu-gcc"
    source = build(folder, f"{machine}-neon", compiler, neon) if neon else None
    target = build(folder, f"{machine}-sve", compiler, *sve)
    columns = {"NEON": mixed(folder, source, words, machine, None)} if source else {}
    columns |= {f"SVE {bits}": mixed(folder, target, words, machine, bits) for bits in BITS}
    if not source:
        columns = {"SVE 512 native": columns["SVE 512"], **columns}
        clang = build(folder, "a64fx-clang", *CLANG)
        columns |= {f"Clang {bits}": mixed(folder, clang, words, machine, bits) for bits in BITS}
    return columns, *project(folder, machine, columns, plots)


def text_of(interval):
    low, high = (f"{value:.3g}" for value in interval)
    return low if low == high else f"{low} to {high}"


def main(arguments):
    plots = pathlib.Path(arguments[1]) if len(arguments) > 1 else None
    rows = []
    if plots:
        plots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="catmint-designs-") as text:
        for words in PROGRAMS:
            for machine in MACHINES:
                columns, intervals, notes = explore(pathlib.Path(text), machine, words, plots and plots / f"{words}-{machine}")
                borrowed = "which level answers" in notes
                shares = [vectorised(columns[name]) for name in columns if "Clang" not in name]
                print(f"| {words} | {machine} | {shares[0]:.0%}, {shares[-3]:.0%} | " + " | ".join(text_of(intervals[f"SVE {bits}", "own"]) for bits in BITS)
                      + f" | {text_of(intervals['SVE 512', 'HBM2'])} |" + (" borrowed" if borrowed else ""), flush=True)
                if machine == "a64fx":
                    print(f"| {words} | a64fx, Clang | {vectorised(columns['Clang 512']):.0%} | " + " | ".join(text_of(intervals[f"Clang {bits}", "own"]) for bits in BITS) + " | |", flush=True)
                rows += [{"program": words, "machine": machine, "mix": name, "memory": memory, "lowest": f"{low:.4g}", "highest": f"{high:.4g}"} for (name, memory), (low, high) in intervals.items()]
    if arguments:
        with open(arguments[0], "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
