#!/usr/bin/env python3
"""How often definitions are wrong in programs like real ones: models of PMUs, whose kernels are run, and what each event counts known.

    tests/bench/natural/run.py MODEL... --program build/bin/catmint --interference 0.00001

A MODEL is a folder with events.csv and machine.csv. --output DIR keeps MODEL.json of each, and takes those that are there already.
--habits gives each third model prefetchers, wrong paths, interrupts and what else tests/bench/truth/tables.py has."""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "truth"))

import facts  # noqa: E402 pylint: disable=wrong-import-position
import judge  # noqa: E402 pylint: disable=wrong-import-position
import programs  # noqa: E402 pylint: disable=wrong-import-position
import tables  # noqa: E402 pylint: disable=wrong-import-position

COLUMNS = ("wrong", "of", "excused", "ranged", "wrong in range", "programs in range", "wrong equivalents", "found", "definable", "recall")


# Instructions from an interrupt to the next, and of its handler.
EVERY, HANDLER = 50_000, 256


def give_habits(machine):
    """Adds the habits that a machine.csv lacks."""
    text = machine.read_text(encoding="utf-8")
    there = {line.split(",")[0] for line in text.splitlines()}
    habits = tables.HABITS + tables.SYSTEM.format(every=EVERY, handler=HANDLER, fills="")
    machine.write_text(text.rstrip("\n") + "\n" + "".join(f"{line}\n" for line in habits.splitlines() if line.split(",")[0] not in there), encoding="utf-8")


def copy(model, folder, interference):
    """The model in the folder, with that interference; returns where."""
    made = pathlib.Path(folder) / model.name
    shutil.copytree(model, made)
    if interference is not None:
        machine = made / "machine.csv"
        text, changed = re.subn(r"(?m)^interference,[^,\n]*", f"interference,{interference}", machine.read_text(encoding="utf-8"))
        if not changed:
            raise SystemExit(f"{model}/machine.csv has no interference")
        machine.write_text(text, encoding="utf-8")
    return made


def discover(arguments, made):
    """The results of one model."""
    kept = pathlib.Path(arguments.output) / f"{made.name}.json" if arguments.output else None
    if kept and kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="catmint-natural-") as folder:
        command = [arguments.program, "discover", "--pmu", f"software:{made}", "--component", "sde", "--programs", str(arguments.programs), "--format", "json",
                   "--out", f"{folder}/sweep"] + (["--benchmark", arguments.benchmark] if arguments.benchmark else [])
        done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "CATMINT_DATA_DIR": str(facts.TREE), "LC_ALL": "C.UTF-8"})
    if done.returncode:
        raise RuntimeError(f"{made.name}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    results = json.loads(done.stdout)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(done.stdout, encoding="utf-8")
    return results


def row(count):
    """The figures of one model, or of all, as the columns have them."""
    ranged = count["all", "ranged"]
    share = f"{100 * count['all', 'share'] / ranged:.0f} %" if ranged else "-"
    recall = f"{100 * count['found'] / count['definable']:.1f} %" if count["definable"] else "-"
    return (count["all", "wrong"], count["all"], count["all", "excused"], ranged, count["all", "wrong in range"], share,
            f"{count['equivalent', 'wrong']}/{count['equivalent']}", count["found"], count["definable"], recall)


def wrong_lines(name, verdict):
    for claim in verdict.claims:
        if claim.wrong:
            more = "" if claim.sort == "definition" else f" ({claim.sort})"
            where = f"{100 * claim.deviations[claim.wrong]:.0f} % in {claim.wrong}"
            yield f"{name}: {claim.key[0]} {claim.key[1]}{more}: {where}: {claim.text()}: {claim.culprit}"


def missed_lines(name, verdict):
    wrong = {claim.key for claim in verdict.claims if claim.wrong and claim.sort == "definition"}
    for key in sorted(verdict.definable - verdict.found):
        yield f"{name}: {key[0]} {key[1]}: {'wrong' if key in wrong else 'not found'}, though definable"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--interference", help="of every model; as the model has it where this is not said")
    parser.add_argument("--output", help="keep the results here, and take those that are here")
    parser.add_argument("--program", default="build/bin/catmint")
    parser.add_argument("--benchmark", help="these benchmarks, separated by commas")
    parser.add_argument("--programs", type=int, default=16, help="of `discover`, not of the judge")
    parser.add_argument("--count", type=int, default=programs.COUNT, help="natural programs of each class")
    parser.add_argument("--seed", type=int, default=programs.SEED, help="of natural programs")
    parser.add_argument("--habits", action="store_true", help="give each third model habits")
    parser.add_argument("--missed", action="store_true", help="name each metric that could have been found")
    arguments = parser.parse_args()
    total, lines, failed = collections.Counter(), [], []
    width = max(len(model.name) for model in arguments.models) + 2
    print("".ljust(width) + "  ".join(COLUMNS))
    for number, model in enumerate(arguments.models):
        with tempfile.TemporaryDirectory(prefix="catmint-natural-") as folder:
            made = copy(model.resolve(), folder, arguments.interference)
            if arguments.habits and number % 3 == 0:
                give_habits(made / "machine.csv")
            try:
                verdict = judge.Verdict(discover(arguments, made), made, arguments.count, arguments.seed)
            except RuntimeError as error:
                failed.append(str(error))
                continue
        count = verdict.counts()
        total.update(count)
        print(model.name.ljust(width) + "  ".join(str(cell).rjust(len(column)) for column, cell in zip(COLUMNS, row(count))), flush=True)
        lines += wrong_lines(model.name, verdict)
        lines += missed_lines(model.name, verdict) if arguments.missed else []
    print("all".ljust(width) + "  ".join(str(cell).rjust(len(column)) for column, cell in zip(COLUMNS, row(total))))
    print("\n".join(["", *lines, *failed]))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
