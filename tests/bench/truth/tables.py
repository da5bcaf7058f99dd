"""A PMU of the generator as files: measurement tables, one a benchmark, as a sweep leaves them; and a folder of the software PMU."""

import math
import pathlib
import random

from facts import BENCHMARKS

# Iterations of a run, under hardware counters and (few) under the software PMU, where random branches run longer.
ITERATIONS = {"cpu-flops": 100_000, "branch": 200_000, "dcache": 1 << 18, "dcache-write": 1 << 18, "mem-ops": 100_000, "instructions": 100_000,
              "icache": 1 << 18, "tlb": 1 << 18}
FEW = {"cpu-flops": 400, "branch": 20_000, "dcache": 1 << 11, "dcache-write": 1 << 11, "mem-ops": 1000, "instructions": 400, "icache": 1 << 13,
       "tlb": 1 << 13}
FEW_RANDOM = 50_000
# Where the accesses go that a neighbour takes from a level, of the facts of loads.
TAKEN = {
    "l1d_load_hit": {"l1d_load_hit": -1, "l2_load_hit": 0.6, "l3_load_hit": 0.3, "l3_load_miss": 0.1},
    "l2_load_hit": {"l2_load_hit": -1, "l3_load_hit": 0.7, "l3_load_miss": 0.3},
    "l3_load_hit": {"l3_load_hit": -1, "l3_load_miss": 1},
    "l1i_fetch_hit": {"l1i_fetch_hit": -1, "l2_fetch_hit": 0.6, "l3_fetch_hit": 0.3, "l3_fetch_miss": 0.1},
    "l2_fetch_hit": {"l2_fetch_hit": -1, "l3_fetch_hit": 0.7, "l3_fetch_miss": 0.3},
    "l3_fetch_hit": {"l3_fetch_hit": -1, "l3_fetch_miss": 1},
}
CACHES = ("dcache", "dcache-write", "icache", "tlb")
# A neighbour that comes and goes is there in so many of all bursts, and takes as much more then; a run meets one or two.
PRESENCE = 1 / 8


def iterations(pmu, kernel):
    if not pmu.few:
        return ITERATIONS[kernel.benchmark]
    return FEW_RANDOM if kernel.chances else FEW[kernel.benchmark]


def _taken(event, kernel):
    """What the event counts more for each access that a neighbour takes from the kernel's level."""
    if kernel.benchmark not in CACHES:
        return 0.0
    level = next((TAKEN[name] for name in TAKEN if kernel.facts.get(name, 0) > 0.9), {})
    return event.of(level)


def _bursts(rng):
    """How many times as much as on average a neighbour takes in a run, which begins and ends in the midst of a burst."""
    shares = [rng.random(), 1.0] if rng.random() < 0.5 else [1.0]
    parts = [(share if number == 0 else 1 - shares[0], rng.random() < PRESENCE) for number, share in enumerate(shares)]
    return sum(share for share, there in parts if there) / PRESENCE


def counts(pmu, event, kernel, rng):
    """Raw counts of one event on one kernel, a number a repetition."""
    runs = iterations(pmu, kernel)
    level = event.per_iteration(kernel) * runs
    if kernel.ranges:
        level += runs * event.of({name: by * pmu.lean(name) for name, by in kernel.ranges.items()})
    chance = abs(event.of(kernel.chances)) * math.sqrt(runs) if kernel.chances else 0.0
    taken = _taken(event, kernel) * pmu.interference * runs if pmu.interference else 0.0
    if not (chance or taken or event.noise or event.stray):
        return [max(0, round(level) + event.overhead)] * pmu.repetitions
    found = []
    for _ in range(pmu.repetitions):
        count = level + chance * rng.gauss(0, 1) if chance else level
        if taken and pmu.bursts:
            count += taken * _bursts(rng)
        elif taken:
            count += taken * math.exp(0.5 * rng.gauss(0, 1))
        if event.noise:
            count *= 1 + event.noise * rng.gauss(0, 1)
        if event.stray:
            count += sum(rng.expovariate(1) < event.stray for _ in range(3)) * rng.randint(1, 4)
        found.append(max(0, round(count) + event.overhead))
    return found


def table(pmu, benchmark):
    """The measurements of a benchmark, as `catmint analyze` reads them."""
    kernels = pmu.world.of(benchmark)
    lines = ["# Made up by tests/bench/truth.", ",".join(["event", "repetition", "thread", *(kernel.name for kernel in kernels)]),
             ",".join(["iterations", "1", "0", *(str(iterations(pmu, kernel)) for kernel in kernels)])]
    # Each kernel has a generator of its own, so that what a table has of one does not depend on what others there are.
    rngs = [random.Random(f"{pmu.seed}/{benchmark}/{kernel.name}") for kernel in kernels]
    for event in pmu.events:
        columns = [counts(pmu, event, kernel, rng) for kernel, rng in zip(kernels, rngs)]
        for repetition, row in enumerate(zip(*columns), 1):
            lines.append(f"{event.name},{repetition},0," + ",".join(map(str, row)))
    return "\n".join(lines) + "\n"


def write_tables(pmu, folder):
    """Tables of the benchmarks that were swept, whose kernels control each other."""
    for benchmark in pmu.swept:
        if pmu.world.of(benchmark):
            (pathlib.Path(folder) / f"{benchmark}.csv").write_text(table(pmu, benchmark))


# ---- the live road ----

MACHINE = """key,value
line_size,64
page_size,4096
l1d_size,32768
l1d_ways,8
l2_size,262144
l2_ways,8
l3_size,1048576
l3_ways,16
dtlb_entries,72
predictor,{predictor}
wrong_path_window,32
counters,0
interference,{interference}
"""
# Where code and pages are measured, too; without these keys nothing is fetched, and each miss of a TLB is a walk.
FETCHES = """l1i_size,32768
l1i_ways,8
itlb_entries,64
stlb_entries,1536
stlb_ways,12
"""
# Those of real ones: tests/bench/truth/generate.py says which machines have them.
HABITS = """l1d_prefetch_ahead,2
l2_prefetch_ahead,8
fill_accesses,16
prefetch_instructions,1
wrong_path_accesses,1
wrong_path_fetches,1
store_forwarding,32
"""
# Those of a system, and of operations in the unfused domain; walks and lines are on their way for some accesses.
SYSTEM = """interrupt_every,{every}
interrupt_instructions,{handler}
walk_accesses,16
walk_cache_entries,32
operations,1
macro_fusion,3
{fills}"""


def _number(weight):
    """Exact as the model reads it: an integer, or a division by one."""
    return str(weight.numerator) if weight.denominator == 1 else f"{weight.numerator} / {weight.denominator}"


def expression(event):
    """What the event counts, as a model of the software PMU says it."""
    parts = [f"{_number(weight)} * {name}" for name, weight in sorted((event.said or event.facts).items())]
    parts += [f"{_number(weight)} * min({one}, {other})" for weight, one, other in event.pairs]
    return " + ".join(parts + ([str(event.overhead)] if event.overhead else [])) or "0"


def write_model(pmu, folder):
    """The PMU as a model: what can be said in facts; no noise but that of caches, no stray counts."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Made up by tests/bench/truth.", "event,description,expression"]
    lines += [f'{event.name},,"{expression(event)}"' for event in pmu.events]
    (folder / "events.csv").write_text("\n".join(lines) + "\n")
    predictor = pmu.rng.choice(("bimodal", "gshare", "tage"))
    machine = MACHINE.format(predictor=predictor, interference=round(pmu.interference, 4))
    fetches = FETCHES if pmu.benchmark in ("icache", "tlb", "dcache-write") else ""
    system = SYSTEM.format(every=pmu.interrupts[0], handler=pmu.interrupts[1], fills="" if pmu.habits else "fill_accesses,16\n") if pmu.interrupts else ""
    (folder / "machine.csv").write_text(machine + fetches + (HABITS if pmu.habits else "") + system)
