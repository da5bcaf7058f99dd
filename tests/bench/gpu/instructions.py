"""Random GPU programs of branches and lanes, and what they execute, by plain recursion over their structure. It shares no code with catmint."""

import itertools
from collections import Counter

BLOCKS, THREADS = 2, 64
FLOATS = {"add.rn.f16": "h", "mul.rn.f16": "h", "fma.rn.f16": "h", "add.rn.f32": "f", "sub.rn.f32": "f", "mul.rn.f32": "f", "fma.rn.f32": "f", "sqrt.approx.ftz.f32": "f",
          "add.rn.f64": "d", "mul.rn.f64": "d", "fma.rn.f64": "d"}
INTEGERS = ("add.s32", "mul.lo.s32", "and.b32", "xor.b32", "lop3.b32", "shf.r.wrap.b32")
HEAD = """.version 7.8
.target sm_90
.address_size 64
.visible .entry judged(.param .u64 memory, .param .u32 trips)
{
\t.reg .b32 %trips, %turn, %tid, %place, %i<4>;
\t.reg .b16 %h<4>;
\t.reg .f32 %f<4>;
\t.reg .f64 %d<4>;
\t.reg .pred %p, %more;
"""


# ---- NVIDIA: PTX ----

def operation(rng):
    """(kind, text) of an instruction on numbers."""
    if rng.random() < 0.5:
        name = rng.choice(INTEGERS)
        inputs = {"lop3.b32": "%i0, %i1, %i2, 0x1e", "shf.r.wrap.b32": "%i0, %i1, %i2"}.get(name, "%i0, %i1")
        return "integer", f"{name} %i{rng.randint(0, 3)}, {inputs}"
    name = rng.choice(list(FLOATS))
    file, inputs = FLOATS[name], 3 if name.startswith("fma") else 1 if name.startswith("sqrt") else 2
    return "float", f"{name} %{file}0, " + ", ".join(f"%{file}{i}" for i in range(inputs))


def items(rng, depth):
    """[(kind, ...)]: instructions, conditions with what stands under them, and what stands under their opposite."""
    found = []
    for _ in range(rng.randint(1, 6)):
        if depth < 3 and rng.random() < 0.35:
            bits = rng.choice((0, 1, 2, 3, 5, 8, 16, 31, 32))
            condition = rng.choice((1, 1, 3, 7)), rng.choice((0, 0, 1, 5)), bits, rng.randint(0, bits) & bits
            found.append(("if", condition, items(rng, depth + 1), items(rng, depth + 1) if rng.random() < 0.4 else []))
        elif rng.random() < 0.15:
            found.append(("predicated", (1, 0, 3, rng.randint(0, 3)), operation(rng)))
        else:
            found.append(operation(rng))
    return found


def lines_of(condition):
    factor, step, bits, value = condition
    return [f"mul.lo.s32 %place, %tid, {factor};", f"mul.lo.s32 %i3, %turn, {step};", "add.s32 %place, %place, %i3;", f"and.b32 %place, %place, {bits};",
            f"setp.eq.u32 %p, %place, {value};"]


def write(program, labels, lines):
    for item in program:
        if item[0] == "if":
            _, condition, then, otherwise = item
            label = next(labels)
            lines += lines_of(condition) + [f"@!%p bra else{label};"]
            write(then, labels, lines)
            lines += [f"bra end{label};"] if otherwise else []
            lines.append(f"else{label}:")
            write(otherwise, labels, lines)
            lines += [f"end{label}:"] if otherwise else []
        elif item[0] == "predicated":
            lines += lines_of(item[1]) + [f"@%p {item[2][1]};"]
        else:
            lines.append(f"{item[1]};")


def ptx(program):
    lines = ["ld.param.u32 %trips, [trips];", "mov.u32 %tid, %tid.x;", "mov.u32 %turn, 0;", "loop:"]
    write(program, itertools.count(), lines)
    lines += ["add.s32 %turn, %turn, 1;", "setp.ne.s32 %more, %turn, %trips;", "@%more bra loop;", "ret;"]
    return HEAD + "".join(line + "\n" if line.endswith(":") else f"\t{line}\n" for line in lines) + "}\n"


class Warp:
    """Counts what a warp executes, with the threads that are there."""
    def __init__(self, first):
        self.counts, self.threads = Counter(), range(first, first + 32)

    def issue(self, active, on, kind=None, times=1):
        self.counts.update({"slots": 32 * times, "active": len(active) * times, "on": len(on) * times})
        if kind:
            self.counts[kind] += len(on) * times

    def branch(self, active, taken):
        self.issue(active, taken)
        self.counts.update(branches=32, divergent=0 < len(taken) < len(active))

    def holds(self, condition, turn, active):
        factor, step, bits, value = condition
        self.issue(active, active, "integer", 5)
        return {thread for thread in active if (thread * factor + turn * step) & bits == value}

    def run(self, program, turn, active):
        for item in program:
            if item[0] == "if":
                _, condition, then, otherwise = item
                within = self.holds(condition, turn, active)
                self.branch(active, active - within)
                if within:
                    self.run(then, turn, within)
                    if otherwise:
                        self.branch(within, within)
                if active - within:
                    self.run(otherwise, turn, active - within)
            elif item[0] == "predicated":
                self.issue(active, self.holds(item[1], turn, active), item[2][0])
            else:
                self.issue(active, active, item[0])

    def launch(self, program, trips):
        everyone = set(self.threads)
        self.issue(everyone, everyone, times=3)
        for turn in range(trips):
            self.run(program, turn, everyone)
            self.issue(everyone, everyone, "integer", 2)
            self.branch(everyone, everyone if turn + 1 < trips else set())
        self.issue(everyone, everyone)
        return self.counts


def of_nvidia(counts):
    """{metric: value}, from what its name says."""
    return {"GPU Instructions": counts["on"], "Instructions of Active Threads": counts["active"], "Instruction Slots": counts["slots"], "Threads Predicated Off": counts["active"] - counts["on"],
            "Idle Threads": counts["slots"] - counts["active"], "GPU Branches": counts["branches"], "Divergent Branches": counts["divergent"],
            "Floating-Point Instructions": counts["float"], "Integer Instructions": counts["integer"]}


# ---- AMD: descriptions ----

PARTS = {"part_2": 1, "part_4": 3, "part_half": 16}
ARITHMETIC = [f"{precision}_{operation}" for precision in "hsd" for operation in ("add", "sub", "mul", "fma", "sqrt")] + ["int_add", "int_mul", "int_logic", "int_shift"]
OTHERS = ("branch_taken", "branch_not_taken", "tested", "scalar", "scalar_load", *PARTS)


def described(pieces, mask):
    """{metric: value} of one turn of one wavefront, without the loop's own instructions."""
    on, counts = sum(lane & mask == 0 for lane in range(64)), Counter()
    for name, count in pieces:
        vectors, lanes = 1, on
        if name in PARTS:
            vectors, lanes = 4, sum(lane & (mask | PARTS[name]) == 0 for lane in range(64))
            counts["scalar"] += 2 * count
        elif name in ("branch_taken", "scalar", "scalar_load"):
            vectors = 0
        counts["scalar"] += count * (name in ("scalar", "tested"))
        counts["loads"] += count * (name == "scalar_load")
        counts["branches"] += count * (name in ("branch_taken", "branch_not_taken", "tested"))
        counts["float"] += count * name.startswith(("h_", "s_", "d_"))
        counts["vectors"] += count * vectors
        counts["lanes"] += count * vectors * lanes
    everything = sum(counts[kind] for kind in ("scalar", "loads", "branches", "vectors"))
    return {"GPU Instructions": everything, "Instructions of Active Threads": everything, "Instruction Slots": everything, "GPU Branches": counts["branches"],
            "Floating-Point Instructions": counts["float"], "Vector Instructions": counts["vectors"], "Vector Instructions by Active Lanes": counts["lanes"] / 64,
            "Vector Instructions by Idle Lanes": counts["vectors"] - counts["lanes"] / 64, "Scalar Instructions": counts["scalar"], "Scalar Loads": counts["loads"]}


# ---- all ----

def programs(gpu, machine, rng, count):
    """For each program the facts as executed, and the metrics' values."""
    for _ in range(count):
        base, trips = gpu.allocate(192 << 20), rng.randint(1, 5)
        if machine["gpu"] == "nvidia":
            program, counts = items(rng, 0), Counter()
            for first in range(0, THREADS, 32):
                counts.update(Warp(first).launch(program, trips))
            yield gpu.run(ptx(program), "judged", base, trips, BLOCKS, THREADS), {metric: BLOCKS * value for metric, value in of_nvidia(counts).items()}
        else:
            pieces, mask = [(rng.choice(rng.choice((ARITHMETIC, OTHERS))), rng.randint(1, 8)) for _ in range(rng.randint(4, 24))], rng.choice((0, 0, 0, 1, 3, 16, 48))
            yield gpu.differ(3, pieces, mask, base, trips, BLOCKS, THREADS), {metric: BLOCKS * trips * value for metric, value in described(pieces, mask).items()}
        gpu.free(base)
