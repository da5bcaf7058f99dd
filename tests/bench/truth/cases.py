#!/usr/bin/env python3
"""What becomes of the small tables that fooled the first edition (tests/data/truth-cases), row by row as wanted or not, by hand:

    tests/bench/truth/cases.py build/bin/catmint

The exit status is 1 where a row is not as wanted."""

import os
import random
import sys
import types

import facts
import judge
import programs
import run
import world

CASES = facts.TREE / "tests/data/truth-cases"
# Where no kernel of the table can tell, and the results must say so (README.md there).
CONFOUNDED = ("2", "5", "9")


class Truth:
    """What an event of a table counts, as the judge wants it: in symbols and facts. ?: nothing that programs have."""

    def __init__(self, paper, benchmark, row):
        self.name, self.known, self.pairs, self.kernel, self.kind, self.noise = row["event"], row["counts"] != "?", (), None, "honest", 0
        symbols = paper.symbols.get(benchmark, {}) | paper.derived
        self.facts = facts.primitive(facts.parse(row["counts"]), symbols) if self.known else {}

    def of(self, found):
        return sum(float(weight) * found.get(name, 0.0) for name, weight in self.facts.items())

    def per_iteration(self, kernel):
        return self.of(kernel.facts)


def truths(paper):
    """{case: its events}."""
    benchmarks = {row["case"]: row["benchmark"] for row in facts.read_table(CASES / "wanted.csv")}
    found = {case: [] for case in benchmarks}
    for row in facts.read_table(CASES / "events.csv"):
        found[row["case"]].append(Truth(paper, benchmarks[row["case"]], row))
    return found


def judged(paper, made, benchmark, events, metrics):
    """All claims of a table's results, each with how far it is off."""
    pmu = types.SimpleNamespace(world=paper, benchmark=benchmark, events=events, meanings=paper.meanings[benchmark], seed="",
                                signatures={}, quiet=lambda: [], repetitions=1, few=False, swept=facts.BENCHMARKS)
    return judge.Verdict(pmu, metrics, made).claims


def became(row, claims, result):
    """What became of a row's metric or event, and whether that is wanted."""
    if row["wanted"] == "nothing wrong":
        wrong = [claim for claim in claims if claim.wrong and not (row["case"] in CONFOUNDED and claim.confounded)]
        if not wrong:
            return True, "nothing is wrong"
        worst = max(wrong, key=lambda claim: claim.off)
        return False, f"{len(wrong)} wrong, such as {worst.sort} of {worst.metric}: {_said(worst)}"
    if row["wanted"] == "unrepresentable":
        status = next(event["status"] for event in result["events"] if event["event"] == row["name"])
        return status in ("unrepresentable", "noisy"), status
    claim = next((claim for claim in claims if claim.sort == "definition" and claim.metric == row["name"]), None)
    if claim is None:
        return row["wanted"] == "not composable", "not composable"
    return row["wanted"] == "right" and claim.off <= float(row["within"]), _said(claim)


def _said(claim):
    return " ".join(f"{c:+.6g} * {name}" for name, c in claim.terms[:4]) + f"{' ...' * (len(claim.terms) > 4)}, {100 * claim.off:.3g} % off"


def compare(program):
    """Rows of wanted.csv, each with whether it is as wanted and what became of it."""
    paper = world.load("paper")
    made, events, results = programs.Programs(paper, random.Random("cases")), truths(paper), {}
    for row in facts.read_table(CASES / "wanted.csv"):
        case = row["case"]
        if case not in results:
            result = run.analyse(program, "analyze", str(CASES / f"{case}.csv"), "--benchmark", row["benchmark"], "--max-events", "1",
                                 *row["options"].split(), detail="all")[0]
            results[case] = result, judged(paper, made, row["benchmark"], events[case], result["metrics"])
        result, claims = results[case]
        yield row, *became(row, claims, result)


def main():
    missed = total = 0
    for row, good, text in compare(os.path.abspath(sys.argv[1])):
        total, missed = total + 1, missed + (not good)
        print(f"{row['case']:>2}  {row['name'] or 'all claims':<31} {row['wanted']:<16} {'yes' if good else 'NO':<4} {text}")
    print(f"{total - missed} of {total} rows are as wanted")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
