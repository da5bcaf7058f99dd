#!/usr/bin/env python3
"""Judges what `catmint audit` says of formulas, and which definitions `catmint analyze` chooses, on the models whose facts are kept.

    tests/bench/natural/audits.py build/bin/catmint [MODEL...]

Of each metric it writes formulas from the model's own events: right ones (one event, two, or what linear algebra finds) and wrong ones (the nearest other
events, right ones without a term or with one too many). A formula is right where its facts are exactly those of the metric, and wrong where it
is off in natural programs (judge.py); what lies between is left out. It shares no code with the program."""

import argparse
import collections
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "truth"))

import algebra  # noqa: E402 pylint: disable=wrong-import-position
import facts  # noqa: E402 pylint: disable=wrong-import-position
import judge  # noqa: E402 pylint: disable=wrong-import-position
import programs  # noqa: E402 pylint: disable=wrong-import-position
from expressions import Expression  # noqa: E402 pylint: disable=wrong-import-position

MODELS = facts.TREE / "data/pmu"
MEANINGS = "data/meanings.csv"
COUNT = 24  # natural programs of each class
MOST = 3  # formulas of one sort, and terms of those that linear algebra finds
NEAR = 4.0  # another event that is off by more, of the metric, is nobody's choice
COLUMNS = ("right", "false alarms", "too noisy", "in a range", "undecided", "wrong", "missed", "not tried", "untold", "definitions", "needless ranges", "not exact", "lost", "untrue notes")


# ---- the model ----

def _rows(path):
    return facts.read_table(path) if path.exists() else []


def whole_model(name):
    """({event: expression}, {key: value}) with what is inherited (docs/reference/pmu-models.md)."""
    folder = MODELS / name
    events, keys, listed = {}, {}, False
    if (folder / "inherits").exists():
        lines = (folder / "inherits").read_text(encoding="utf-8").splitlines()
        parent, *how = " ".join(line for line in lines if not line.startswith("#")).split()
        events, keys = whole_model(parent)
        listed = how == ["listed"]
    own = {row["event"]: row["expression"] for row in _rows(folder / "events.csv")}
    merged = {} if listed else dict(events)
    for event, expression in own.items():
        if expression in ("none", "unknown"):
            merged.pop(event, None)
        elif expression or event in events:
            merged[event] = expression or events[event]
    return merged, {**keys, **{row["key"]: row["value"] for row in _rows(folder / "machine.csv")}}


def write_model(name, folder):
    """The model in two files, as judge.py reads them."""
    folder.mkdir()
    events, keys = whole_model(name)
    for path, head, rows in ((folder / "events.csv", ("event", "expression"), events), (folder / "machine.csv", ("key", "value"), keys)):
        with open(path, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream)
            writer.writerow(head)
            writer.writerows(rows.items())
    return folder


# ---- formulas ----

class Formulas:
    """Right and wrong formulas of a model's metrics: [(key, terms)]."""

    def __init__(self, verdict, measured, seed):
        self.verdict, self.rng = verdict, random.Random(seed)
        known = programs.names()
        self.vectors = {event: self._vector(expression) for event, expression in verdict.events.items() if set(expression.names) <= known}
        self.vectors = {event: vector for event, vector in self.vectors.items() if vector}
        self.by_vector = collections.defaultdict(list)
        for event, vector in self.vectors.items():
            self.by_vector[frozenset(vector.items())].append(event)
        self.targets = {key: self._vector(verdict.meanings[key]) for key in measured}
        self.solved = self._solutions()
        self.right, self.wrong = [], []
        for key in sorted(self.targets):
            right = self._right(key) if self.targets[key] else []
            self.right += [(key, terms) for terms in right]
            if self.targets[key]:
                self.wrong += [(key, terms) for terms in self._wrong(key, right)]

    def _vector(self, expression):
        linear, meetings = expression.parts(self.verdict.derived)
        return facts.add(linear, {meeting.text: weight for meeting, weight in meetings.items()})

    def _named(self, vector):
        return self.by_vector.get(frozenset(vector.items()), [])

    def _solutions(self):
        """{key: terms} of sums with simple coefficients, as verdict.definable has them."""
        found, events = {}, list(self.vectors)
        for _ in range(2):
            self.rng.shuffle(events)
            span = algebra.Span()
            for event in events:
                span.take(self.vectors[event])
            for key, target in self.targets.items():
                solution = span.solve(target) if target and key not in found else None
                if solution and judge.is_simple(solution, [self.vectors[event] for event in events], target):
                    found[key] = [(events[number], float(c)) for number, c in solution.items()]
        return found

    def _right(self, key):
        target = self.targets[key]
        single = [[(event, 1.0)] for event in self._named(target)]
        double = []
        for event, vector in self.vectors.items():
            if set(vector) & set(target):
                double += [[(event, 1.0), (other, 1.0)] for other in self._named(facts.add(target, (-1, vector))) if event < other]
                double += [[(event, 1.0), (other, -1.0)] for other in self._named(facts.add(vector, (-1, target)))]
        found = self.rng.sample(single, min(MOST, len(single))) + self.rng.sample(double, min(MOST, len(double)))
        solved = self.solved.get(key)
        return found + ([solved] if solved and 2 < len(solved) <= MOST else [])

    def off(self, key, terms):
        """The largest median deviation of a class."""
        meant = self.verdict.columns(self.verdict.meanings[key])
        counted = [(coefficient, self.verdict.columns(self.verdict.events[event])) for event, coefficient in terms]
        worst = 0.0
        for name, wanted in meant.items():
            off = [abs(sum(coefficient * values[name][number] for coefficient, values in counted) / one - 1.0)
                   for number, one in enumerate(wanted) if one >= judge.OFTEN]
            worst = max(worst, judge.median(off)) if len(off) >= judge.FEWEST else worst
        return worst

    def _wrong(self, key, right):
        """Of those that are off in natural programs, and certainly so."""
        target = set(self.targets[key])
        near = [[(event, 1.0)] for event, vector in self.vectors.items() if set(vector) & target]
        off = sorted((self.off(key, terms), terms) for terms in near)
        found = [terms for deviation, terms in off if judge.WRONG < deviation <= NEAR][:MOST]
        for terms in right:
            broken = [terms[:number] + terms[number + 1:] for number in range(len(terms)) if len(terms) > 1]
            others = sorted(set(self.vectors) - {event for event, _ in terms})
            broken += [terms + [(self.rng.choice(others), 1.0)]] if others else []
            found += [one for one in broken if self.off(key, one) > judge.WRONG]
        return found


def write_formulas(rows, folder):
    """Two files for `catmint audit`; formulas are named by number."""
    formulas, mapped = folder / "formulas.csv", folder / "map.csv"
    with open(formulas, "w", encoding="utf-8") as out, open(mapped, "w", encoding="utf-8") as names:
        out.write("metric,formula,unit,source\n")
        names.write("metric,signature\n")
        for number, (key, terms) in enumerate(rows):
            text = " + ".join(f"({coefficient!r}) * '{event}'" for event, coefficient in terms)
            out.write(f'f{number},"{text}",,\n')
            names.write(f'f{number},"{key[1]}"\n')
    return formulas, mapped


# ---- the program ----

class Program:
    def __init__(self, path):
        self.path = str(path)

    def run(self, *arguments, codes=(0, 1)):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "CATMINT_DATA_DIR": str(facts.TREE), "LC_ALL": "C.UTF-8"})
        if done.returncode not in codes:
            raise RuntimeError(f"{arguments[0]}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def analysed(self, model, folder):
        """The path of the results of a model by kept facts."""
        self.run("sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", folder / "sweep")
        self.run("analyze", folder / "sweep", "--format", "json", "--output", folder / "results.json")
        return folder / "results.json"

    def audited(self, results, rows, folder):
        """The verdict of each formula."""
        formulas, mapped = write_formulas(rows, folder)
        said = json.loads(self.run("audit", formulas, "--against", results, "--map", mapped, "--format", "json"))["formulas"]
        found = {entry["metric"]: entry for entry in said}
        return [found[f"f{number}"] for number in range(len(rows))]


# ---- the judge ----

def untold(architecture):
    """Facts that no verdict is about: free ones, what prefetchers do, and what only kernels of other processors have."""
    judged = {row["fact"] for row in facts.read_table(facts.TREE / "bases/primitive-facts.csv")
              if row["kind"] != "free" and (not row["architecture"] or architecture in row["architecture"].split())}
    return sorted(programs.names() - judged)


def counted(sweep):
    """The events that count anything on any kernel of a sweep."""
    found = set()
    for path in sweep.glob("*.csv"):
        with open(path, newline="", encoding="utf-8") as stream:
            found.update(row[0] for row in csv.reader(stream) if len(row) > 3 and row[1].isdigit() and any(count.strip("0") for count in row[3:]))
    return found


def other_meanings():
    """{metric: meaning} of those that formulas alone have, of facts that natural programs have."""
    found = {row["metric"]: Expression(row["meaning"]) for row in facts.read_table(facts.TREE / MEANINGS)}
    return {name: expression for name, expression in found.items() if set(expression.names) <= programs.names()}


class Judged:
    """Figures of one model, and a line for each fault."""

    def __init__(self, program, model, seed=1):
        self.counts, self.lines, self.model = collections.Counter(), [], model
        with tempfile.TemporaryDirectory(prefix="catmint-audits-") as name:
            folder = pathlib.Path(name)
            results = program.analysed(model, folder)
            document = json.loads(results.read_text(encoding="utf-8"))
            self.counted = counted(folder / "sweep")
            self.untold = untold(whole_model(model)[1].get("architecture", "x86_64"))
            self.verdict = judge.Verdict(document, write_model(model, folder / "model"), COUNT)
            measured = {(one["benchmark"], entry["metric"]) for one in document["benchmarks"] for entry in one["metrics"] if entry.get("measurable", True)}
            measured &= set(self.verdict.meanings)
            self.verdict.meanings.update(((MEANINGS, name), expression) for name, expression in other_meanings().items() if name not in {key[1] for key in measured})
            measured |= {key for key in self.verdict.meanings if key[0] == MEANINGS}
            self.formulas = Formulas(self.verdict, measured, f"{model}/{seed}")
            rows = self.formulas.right + self.formulas.wrong
            said = program.audited(results, rows, folder) if rows else []
        for number, (row, entry) in enumerate(zip(rows, said)):
            (self._right if number < len(self.formulas.right) else self._wrong)(row, entry)
        self._definitions()

    def _fault(self, what, key, terms, why=""):
        self.counts[what] += 1
        self.lines.append(f"{self.model}: {what}: {key[1]}: " + judge.Claim("", key, terms, {}).text() + (f": {why}" if why else ""))

    def _right(self, row, entry):
        self.counts["right"] += 1
        if entry["verdict"] == "wrong":
            why = entry["numerator"]["measures"]
            self._fault("too noisy" if why.startswith("is too noisy") else "false alarms", *row, why)
        elif entry["verdict"] != "right":
            self._fault("undecided", *row, entry["verdict"])
        elif entry["in_range"]:
            self._fault("in a range", *row, f"{entry['numerator']['valid_above']}")

    def _claimed(self, row, said):
        claim = judge.Claim("formula", *row, said)
        self.verdict.judge(claim)
        return claim

    def _wrong(self, row, entry):
        self.counts["wrong"] += 1
        if entry["verdict"] == "right":
            claim = self._claimed(row, entry["numerator"])
            if claim.wrong and entry["partial"]:
                remark = entry["numerator"]["remark"]
                self._fault("not tried", *row, remark)
                if "on the kernels that ran" in remark and any(event in remark.split(", which counts nothing")[0] for event, _ in row[1] if event in self.counted):
                    self._fault("untrue notes", *row, remark)
            elif claim.wrong and not self._claimed(row, {**entry["numerator"], "also_counts": self.untold}).wrong:
                self._fault("untold", *row, claim.culprit)
            elif claim.wrong:
                self._fault("missed", *row, f"{100 * claim.deviations[claim.wrong]:.0f} % in {claim.wrong}, {claim.culprit}")
        elif entry["verdict"] != "wrong":
            self.counts["undecided"] += 1

    def _definitions(self):
        """Whether each is what it could be: exact where some sum of events is, and without a range where it is exact."""
        chosen = set()
        for claim in self.verdict.claims:
            if claim.sort != "definition":
                continue
            self.counts["definitions"] += 1
            chosen.add(claim.key)
            total = facts.add(*((coefficient, self.formulas.vectors[event]) for event, coefficient in claim.terms))
            rest = facts.add(total, (-1, self.formulas.targets[claim.key]))
            if all(abs(weight) < 1e-9 for weight in rest.values()):
                if claim.ranges:
                    self._fault("needless ranges", claim.key, claim.terms, f"{claim.ranges}")
            elif claim.key in self.verdict.definable:
                self._fault("not exact", claim.key, claim.terms, " ".join(f"{float(weight):+g}*{fact}" for fact, weight in list(rest.items())[:4]))
        for key in sorted(self.verdict.definable - chosen):
            self._fault("lost", key, self.formulas.solved.get(key, []))


def kept_models():
    """Those that the tree says facts are kept for."""
    rows = facts.read_table(facts.TREE / "data/defined-metrics.csv")
    return sorted({model for row in rows for model in row["models"].split()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--seed", default="1", help="of what formulas are drawn")
    arguments = parser.parse_args()
    total, lines = collections.Counter(), []
    print("model".ljust(20) + "  ".join(COLUMNS))
    for model in arguments.models or kept_models():
        found = Judged(Program(arguments.program.resolve()), model, arguments.seed)
        total.update(found.counts)
        lines += found.lines
        print(model.ljust(20) + "  ".join(str(found.counts[column]).rjust(len(column)) for column in COLUMNS), flush=True)
    print("all".ljust(20) + "  ".join(str(total[column]).rjust(len(column)) for column in COLUMNS))
    print("\n".join(["", *lines]))
    return bool(total["false alarms"] + total["missed"])


if __name__ == "__main__":
    sys.exit(main())
