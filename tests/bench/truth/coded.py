#!/usr/bin/env python3
"""Judges what a sweep of raw codes finds on models that answer to codes, with garbage from seeds:

    tests/bench/truth/coded.py build/bin/catmint --model golden-cove zen4 --seeds 10

What a code counts follows from the model's events.csv and docs/reference/pmu-models.md alone: nothing here is catmint's code."""

import argparse
import os
import re
import resource
import sys
import tempfile

import facts
import generate
import judge
import run

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
PLAIN = re.compile(r"0x[0-9a-f]+(:0x[0-9a-f]+)?$")
CODE = re.compile(r"[\w]+:event=(0x[0-9a-f]+)(?:,umask=(0x[0-9a-f]+))?$")
SPECS = {"golden-cove": "event=0x00-0xff,umask=0x00-0xff", "zen4": "event=0x00-0xff,umask=0x00-0xff", "neoverse-v2": "event=0x0000-0xffff"}


# A fact without its operation is all operations but FMA.
OPERATIONS = "add sub mul div sqrt other".split()
SUMS = {f"fp_{precision}_{width}": {f"fp_{precision}_{width}_{operation}": facts.Fraction(1) for operation in OPERATIONS}
        for precision in "hsd" for width in ("scalar", "128", "256", "512", "v128", "v256", "v512")}


def splitmix(state):
    while True:
        state = (state + STEP) & MASK
        x = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
        yield x ^ x >> 31


def packed(text):
    """A code as a number: the event's lower eight bits, the unit mask above them, edge, inv and cmask, the rest of the event from bit 32 on."""
    numbers, fields = [], {}
    for part in text.split(":"):
        name, _, value = part.partition("=")
        if value:
            fields[name] = int(value, 0)
        else:
            numbers.append(int(part, 16))
    event, *umask = numbers
    more = sum(value << {"edge": 18, "inv": 23, "cmask": 24}[name] for name, value in fields.items())
    return event & 0xFF | umask[0] << 8 | event >> 8 << 32 | more if umask else event


class Model:
    """What every code counts: (facts, noisy), or None where it is refused."""

    def __init__(self, name, seed, derived):
        rows = [row for row in facts.read_table(facts.TREE / "data/pmu" / name / "events.csv") if row.get("code")]
        self.seed, self.derived = seed, {**SUMS, **derived}
        # The only difference that never is below zero without being held there: cycles less instructions.
        for row in rows:
            row["expression"] = re.sub(r"^max\((.*), 0\)$", r"\1", row["expression"])
        self.listed = [row["expression"] for row in rows]
        self.known = {packed(row["code"]): row["expression"] for row in reversed(rows)}

    def _facts(self, expression):
        return facts.primitive(facts.parse("" if expression == "0" else expression), self.derived)

    def counts(self, code):
        if code in self.known:
            return self._facts(self.known[code]), False
        numbers = splitmix((self.seed * STEP + code) & MASK)
        lot, pick = next(numbers) % 1000, lambda: self.listed[next(numbers) % len(self.listed)]
        if not self.seed or lot >= 80:
            return {}, False
        if lot < 10:
            return None
        if lot < 50 or lot >= 65:
            return self._facts(pick()), lot >= 65
        parts = []
        for number in range(1 + next(numbers) % 3):
            expression, weight = pick(), next(numbers)
            small = number and weight >> 32 & 1
            parts.append(((2 + weight % 19) / facts.Fraction(100) if small else 1 + weight % 4, self._facts(expression)))
        return facts.add(*parts), False


def _without(expression, gone):
    return {name: weight for name, weight in expression.items() if name not in gone}


def not_executed(world, results):
    """Facts that nothing here can do."""
    symbols = [world.symbols[benchmark].get(name, {}) for benchmark, entry in results.items() for name in entry["dropped_symbols"]]
    return set().union(*symbols)


class Coded(generate.Pmu):
    """What the judge asks of a PMU, for the codes that definitions use."""

    def __init__(self, world, benchmark, model, names, gone):  # pylint: disable=super-init-not-called
        self.world, self.benchmark, self.live, self.noise = world, benchmark, True, 0.0
        self.seed, self.avoided, self.swept, self.repetitions = str(model.seed), None, facts.BENCHMARKS, 5
        self.symbols, self.meanings = world.symbols[benchmark], world.meanings[benchmark]
        self.signatures, self.events = {}, []
        self.meanings = {metric: _without(meaning, gone) for metric, meaning in self.meanings.items()}
        for name in sorted(names):
            event, umask = CODE.match(name).groups()
            counts, noisy = model.counts(packed(event if umask is None else f"{event}:{umask}"))
            self.events.append(generate.Event("impostor" if noisy else "honest", {} if noisy else _without(counts, gone)))
            self.events[-1].name = name

    def quiet(self):
        return []


def names_of(metrics):
    return {name for claim in judge.claims(metrics) for name, _ in claim.terms}


def discover(program, *options):
    """Of the benchmarks that the judge has meanings of."""
    return {entry["benchmark"]: entry for entry in run.analyse(program, "discover", *options) if entry["benchmark"] in facts.BENCHMARKS}


def judge_one(program, name, seed, spec, named, options=()):
    """(found of the named model's metrics, wrong claims, claims)."""
    loaded, made = run.prepare("tree", "coded")
    model = Model(name, seed, loaded.derived)
    results = discover(program, "--pmu", f"software:{name}-coded@{seed}", "--raw", spec, *options)
    tally, found, gone = judge.Tally(), 0, not_executed(loaded, results)
    for benchmark, entry in results.items():
        pmu = Coded(loaded, benchmark, model, names_of(entry["metrics"]), gone)
        tally.take(judge.Verdict(pmu, entry["metrics"], made), f"{name}@{seed} {benchmark}")
        found += len(named[benchmark] & composable(entry))
    return found, tally


def composable(entry):
    return {metric["metric"] for metric in entry["metrics"] if metric["composable"] or metric.get("valid_above")}


def named_metrics(program, name, *options):
    """What the model defines by the names of those events that an event and a unit mask suffice for: no sweep of these finds others."""
    rows = facts.read_table(facts.TREE / "data/pmu" / name / "events.csv")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as list_of_events:
        list_of_events.write("".join(row["event"] + "\n" for row in rows if PLAIN.match(row.get("code") or "")))
        list_of_events.flush()
        found = discover(program, "--pmu", f"software:{name}", "--component", "sde", "--events-file", list_of_events.name, *options)
    return {benchmark: composable(entry) for benchmark, entry in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--model", nargs="+", default=list(SPECS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    for name in arguments.model:
        named = named_metrics(program, name)
        wanted = sum(map(len, named.values()))
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            found, tally = judge_one(program, name, seed, SPECS[name], named)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            count = tally.counts
            print(f"{name}@{seed}: {found} of {wanted} metrics; wrong {count['all', 'wrong']} of {count['all', 'claims']} claims and "
                  f"{count['equivalent', 'wrong']} of {count['equivalent', 'claims']} equivalents, {count['all', 'confounded']} excused; "
                  f"{seconds:.0f} s of processors, "
                  f"at most {after.ru_maxrss >> 10} MiB", flush=True)
            for off, where, sort, metric, terms in sorted(tally.worst, key=lambda entry: -entry[0]):
                print(f"  {where}: {sort} of {metric}, {100 * off:.1f} % off: " + " ".join(f"{c:+.6g} * {term}" for term, c in terms))
    return 0


if __name__ == "__main__":
    sys.exit(main())
