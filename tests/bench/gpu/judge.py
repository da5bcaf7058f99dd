#!/usr/bin/env python3
"""Judges what `catmint discover` says of GPUs: every definition of memory, matrices and instructions, in random GPU programs.

judge.py BUILD SOURCE [--benchmarks B,...] [--models M,...] [--programs N] [--seed S]
On NVIDIA's model the programs are PTX of its own: any distance between threads, working sets from a few bytes to more than L2, predicates. On AMD's
they are descriptions of accesses, as catmint's code objects hold them. The software GPU executes them, called as a driver; what each does is found again
by memory.py, matrices.py and instructions.py. Prints each definition that is wrong, and how many are; the exit status is 1 if any is.
"""
import argparse
import csv
import json
import random
import re
import subprocess
from pathlib import Path

import device
import instructions
import matrices
import memory

BLOCKS, THREADS, SHARED, GLOBAL = 2, 64, 16 << 10, 96 << 20
DISTANCES = (0, 1, 1, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64, 129)


def definitions(build, model, benchmark, swept=None):
    """{metric: {event: weight}} of those that are usable, where these benchmarks are swept in one go."""
    done = subprocess.run([build / "bin/catmint", "discover", "--pmu", f"software:{model}", "--benchmark", swept or benchmark, "--programs", "0", "--format", "json", "--component", "sde"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    metrics = next(entry for entry in json.loads(done.stdout)["benchmarks"] if entry["benchmark"] == benchmark)["metrics"]
    return {metric["metric"]: {term["event"].split(":::")[-1]: term["coefficient"] for term in metric["definition"]} for metric in metrics if metric["composable"]}


def expressions(source, model):
    rows = csv.DictReader(line for line in (source / f"data/pmu/{model}/events.csv").read_text().splitlines() if not line.startswith("#"))
    return {row["event"]: compile(row["expression"], row["event"], "eval") for row in rows}


class Counts(dict):
    def __missing__(self, name):
        return 0


# ---- NVIDIA: PTX ----

def ptx(rng):
    """(text, trips, [(kind, bytes, distance, step, mask, threads, past L1)]) of a program."""
    accesses, trips = [], rng.randint(1, 5)
    lines = [".version 7.8", ".target sm_90", ".address_size 64", ".visible .entry judged(.param .u64 memory, .param .u32 trips)", "{",
             "\t.shared .align 16 .b8 tile[16384];", "\t.reg .b64 %memory, %at;", "\t.reg .b32 %trips, %turn, %tid, %block, %size, %number, %place, %sum, %tile, %bits, %q<4>;",
             "\t.reg .pred %on, %more;", "\tld.param.u64 %memory, [memory];", "\tld.param.u32 %trips, [trips];", "\tmov.u32 %tid, %tid.x;", "\tmov.u32 %block, %ctaid.x;",
             "\tmov.u32 %size, %ntid.x;", "\tmad.lo.s32 %number, %block, %size, %tid;", "\tmov.u32 %turn, 0;", "\tmov.u32 %sum, 0;", "\tmov.u32 %tile, tile;", "loop:"]
    for _ in range(rng.randint(4, 24)):
        kind = rng.choice(("load", "load", "load", "far", "store", "reduce", "shared load", "shared store"))
        size = 4 if kind == "reduce" else rng.choice((4, 4, 8, 16))
        shared = kind.startswith("shared")
        largest = (SHARED if shared else GLOBAL // 2) // size
        mask = (1 << rng.randint(0, largest.bit_length() - 1)) - 1
        distance, step, threads = rng.choice(DISTANCES), rng.choice((0, 0, 1, 64, 4096, 99991)), rng.choice((0, 0, 0, 1, 3, 5, 16, 32))
        accesses.append((kind, size, distance, step, mask, threads))
        vector, loaded, stored = {4: ("", "%q0", "%sum"), 8: (".v2", "{%q0, %q1}", "{%sum, %sum}"), 16: (".v4", "{%q0, %q1, %q2, %q3}", "{%sum, %sum, %sum, %sum}")}[size]
        lines += [f"\tmul.lo.s32 %place, %turn, {step};", f"\tmad.lo.s32 %place, %number, {distance}, %place;", f"\tand.b32 %place, %place, {mask};",
                  f"\tand.b32 %bits, %tid, {threads};", "\tsetp.eq.u32 %on, %bits, 0;",
                  f"\tmad.lo.s32 %place, %place, {size}, %tile;" if shared else f"\tmad.wide.u32 %at, %place, {size}, %memory;"]
        address = "[%place+0]" if shared else "[%at+0]"
        lines.append("\t@%on " + {"load": f"ld.global{vector}.b32 {loaded}, {address};", "far": f"ld.global.cg{vector}.b32 {loaded}, {address};",
                                  "store": f"st.global{vector}.b32 {address}, {stored};", "reduce": f"red.global.add.u32 {address}, %tid;",
                                  "shared load": f"ld.shared{vector}.b32 {loaded}, {address};", "shared store": f"st.shared{vector}.b32 {address}, {stored};"}[kind])
    lines += ["\tadd.s32 %turn, %turn, 1;", "\tsetp.ne.s32 %more, %turn, %trips;", "\t@%more bra loop;", "\tret;", "}", ""]
    return "\n".join(lines), trips, accesses


def does(accesses, trips, base, machine):
    """What the program does to memory, warp after warp."""
    found = memory.Memory(machine)
    found.launch()
    for block in range(BLOCKS):
        found.block()
        for warp in range(0, THREADS, 32):
            for turn in range(trips):
                for kind, size, distance, step, mask, threads in accesses:
                    lanes = {lane: ((turn * step + (block * THREADS + warp + lane) * distance) & mask) * size for lane in range(32) if (warp + lane) & threads == 0}
                    if not lanes:
                        continue
                    if kind.startswith("shared"):
                        found.share(lanes, size, kind == "shared store")
                    elif kind in ("load", "far"):
                        found.load([base + at for at in lanes.values()], size, kind == "far")
                    else:
                        found.store([base + at for at in lanes.values()], size, kind == "reduce")
    return found.counts


# ---- AMD: descriptions ----

CLASSES = [f"{kind}{rest}" for kind, rests in (("load_", ("4", "8", "16", "4_by_8", "4_by_32")), ("far_", ("4", "16", "chase")), ("stream_", ("4", "16", "chase", "store_4", "store_16")), ("chase", ("",)),
                                               ("store_", ("4", "8", "16", "4_by_32", "4_by_128")), ("reduce", ("", "_by_128", "_same")),
                                               ("shared_load_", ("4", "8", "16", "by_8", "by_16", "by_128", "same")), ("shared_store_", ("4", "16", "by_8", "by_128")))
           for rest in rests]


def described(pieces, mask, trips, machine):
    found = memory.Memory(machine)
    for name, count in pieces:
        size, stride = int((re.search(r"_(4|8|16)(?:_|$)", name) or [0, 4])[1]), re.search(r"by_(\d+)", name)
        if "by_" in name and name.startswith("shared"):
            size = 4
        stride = int(stride[1]) if stride else 0 if name.endswith("same") else size
        lanes = {lane: lane * stride for lane in range(64) if lane & mask == 0}
        for _ in range(count):
            if name.startswith("shared"):
                found.share(lanes, size, "store" in name)
                continue
            way = "store" if "store" in name else "atomic" if name.startswith("reduce") else "load"
            sector = found.sector if way == "load" else found.stored
            moved = sector * len({at // sector for at in lanes.values()})
            stored = "store_miss" if name.startswith("stream") else "store_hit"
            answers = "l2_miss" if name.startswith("stream") else "l2_hit" if name.startswith("far") else "l1_hit"
            found.counts.update({f"{way}_requests": 1, {"load": answers, "store": stored, "atomic": "atomic"}[way]: moved})
            if way != "atomic":
                found.counts[f"asked_{way}"] += size * len(lanes)
    return {name: count * BLOCKS * trips for name, count in found.counts.items()}


# ---- all ----

def programs(gpu, machine, rng, count):
    """For each program of memory the facts as executed, and the metrics' values."""
    for _ in range(count):
        base = gpu.allocate(2 * GLOBAL)
        if machine["gpu"] == "nvidia":
            text, trips, accesses = ptx(rng)
            yield gpu.run(text, "judged", base, trips, BLOCKS, THREADS), memory.truths(does(accesses, trips, base, machine))
        else:
            pieces, mask, trips = [(rng.choice(CLASSES), rng.randint(1, 8)) for _ in range(rng.randint(4, 24))], rng.choice((0, 0, 0, 1, 3, 16, 48)), rng.randint(1, 5)
            yield gpu.differ(2, pieces, mask, base, trips, BLOCKS, THREADS), memory.truths(memory.Counter(described(pieces, mask, trips, machine)))
        gpu.free(base)


PROGRAMS = {"gpu-memory": programs, "gpu-matrix": matrices.programs, "gpu-instructions": instructions.programs}


def judge(build, source, benchmark, model, count, seed, swept=None):
    """How many (metric, program) pairs are wrong."""
    found, events, wrong = definitions(build, model, benchmark, swept), expressions(source, model), 0
    machine = memory.read_machine(source / f"data/pmu/{model}/machine.csv")
    gpu = (device.Cuda if machine["gpu"] == "nvidia" else device.Hip)(build, source / f"data/pmu/{model}")
    for number, (facts, truths) in enumerate(PROGRAMS[benchmark](gpu, machine, random.Random(f"{seed} {model}"), count), 1):
        values = Counts(facts)
        counted = {event: eval(expression, {}, values) for event, expression in events.items()}  # expressions of the model: sums and quotients of facts
        for metric, truth in truths.items():
            if metric in found:
                value = sum(weight * counted[event] for event, weight in found[metric].items())
                if abs(value - truth) > 1e-9 * max(abs(truth), 1):
                    print(f"{model}: {metric} is {value:.10g} in program {number}, and not {truth}")
                    wrong += 1
    print(f"{model}: {len(found)} definitions of {benchmark}, {count} programs, {wrong} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("--benchmarks", default=",".join(PROGRAMS))
    parser.add_argument("--swept", help="sweep these benchmarks in one go (default: each alone)")
    parser.add_argument("--models", default="hopper,mi250x,mi300x")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = [judge(options.build.resolve(), options.source.resolve(), benchmark, model, options.programs, options.seed, options.swept)
             for benchmark in options.benchmarks.split(",") for model in options.models.split(",")]
    raise SystemExit(1 if any(wrong) else 0)


if __name__ == "__main__":
    main()
