#!/usr/bin/env python3
"""How near the cycles that a model of the emulated PMU takes are to those of this processor.

usage: tests/bench/cycles.py CATMINT MODEL [KEY=VALUE ...] [--only=PATTERN,...] [--every=N] [--own | --projections]

Compiles cycles/kernels.c, measures each of its programs beside a chain of additions, and counts the same under MODEL with this machine's caches (KEY=VALUE: other keys
of machine.csv). With --own these are catmint's kernels without a chain, and its workloads (`bench_cycles`, beside CATMINT), less those that need AVX-512, which QEMU 7.2
does not execute. With --projections they are those that portable/projections.py projects, for AVX2. --every=4 takes every fourth. Prints a table, the median error, and how many are within 50 %. The processor should be of the model's family."""

import csv
import fnmatch
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
TURNS = 400_000  # cycles of a repetition, about
AVX2 = ("-O3", "-ffast-math", "-fno-tree-loop-distribute-patterns", "-falign-loops=64", "-mavx2", "-mfma", "-mprefer-vector-width=256")  # as projections.py has it


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)


def write_model(folder, base, keys):
    model = folder / "model"
    model.mkdir()
    (model / "inherits").write_text(base + "\n")
    (model / "machine.csv").write_text("key,value\n" + "".join(f"{key},{value}\n" for key, value in keys.items()))
    (model / "time.csv").write_text("event,description,expression\nCYCLES,Cycles,cycles\n")
    return model


def measured(program, name):
    rough = float(run(program, name, 3, 20).stdout.split()[0])
    turns = max(1, round(TURNS / rough))
    return min(float(run(program, name, turns, 200).stdout.split()[0]) for _ in range(3))


def counted(catmint, model, program, name, turns):
    with tempfile.NamedTemporaryFile(suffix=".csv") as table:
        turns = f"{turns:010}"  # a program's stack, and so its start, depends on the length of its arguments
        run(catmint, "count", "--pmu", f"software:{model}", "--events", "cycles", "--format", "csv", "--output", table.name, "--", program, name, turns, 1)
        rows = csv.DictReader(line for line in open(table.name, encoding="utf-8") if not line.startswith("#"))
        return next(float(row["value"]) for row in rows if row["name"] == "cycles")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict((word[2:] + "=").split("=")[:2] for word in sys.argv[1:] if word.startswith("--"))
    only, every = options.get("only", "*").split(","), int(options.get("every", "1"))
    catmint, base = words[:2]
    os.environ["CATMINT_WITHOUT_ISA"] = "AVX512F"
    keys = dict(word.split("=") for word in words[2:])
    errors = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = pathlib.Path(catmint).resolve().with_name("bench_cycles") if "own" in options else folder / "kernels"
        if "own" in options and not program.exists():
            sys.exit(f"cycles.py: there is no {program}: build the target bench")
        if "projections" in options:
            run("gcc", *AVX2, "-DOF_KERNELS", "-o", program, HERE / "cycles/projections.c", HERE / "portable/others.c", HERE / "portable/mini.c", "-lm")
        elif "own" not in options:
            run("gcc", "-O2", "-o", program, HERE / "cycles/kernels.c", "-lm")
        model = write_model(folder, base, keys)
        print("program,measured,modelled,ratio")
        names = [name for name in run(program).stdout.split() if any(fnmatch.fnmatch(name, pattern) for pattern in only)]
        for kernel in names[::every]:
            here = measured(program, kernel)
            few, many = 3, 3 + max(4, round(TURNS / here))  # so that what begins a program does not count
            modelled = (counted(catmint, model, program, kernel, many) - counted(catmint, model, program, kernel, few)) / (many - few)
            errors[kernel] = abs(modelled / here - 1)
            print(f"{kernel},{here:.0f},{modelled:.0f},{modelled / here:.2f}", flush=True)
    quarter, half = (sum(error <= limit for error in errors.values()) for limit in (.25, .5))
    print(f"# median error {100 * statistics.median(errors.values()):.0f} %, within 25 %: {quarter}, within 50 %: {half} of {len(errors)}")


if __name__ == "__main__":
    main()
