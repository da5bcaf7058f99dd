#!/usr/bin/env python3
"""How often definitions are wrong, and how many that could be found are: random PMUs whose truth is known, by hand.

    tests/bench/truth/run.py build/bin/catmint --count 1000 --seed 1 --benchmark branch --jobs 2

Each PMU is a folder of tables (`--live`: a model of the software PMU, whose kernels are run), from the seed, its benchmark and its number
alone: `--keep DIR --first N --count 1` leaves the files of PMU N. What the table at the end says: docs/evidence/truth.md."""

import argparse
import functools
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import facts
import generate
import judge
import programs
import tables
import world

LINES = (("definition", "definitions"), ("alternative", "alternatives"), ("limited", "with --max-events"), ("all", "all of these"),
         ("equivalent", "by equivalents"))


def analyse(program, *arguments, detail="selected"):
    """The benchmarks of the results."""
    environment = {**os.environ, "CATMINT_DATA_DIR": str(facts.TREE), "LC_ALL": "C.UTF-8"}
    done = subprocess.run([program, *arguments, "--format", "json", "--events-detail", detail], capture_output=True, text=True,
                          env=environment, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)["benchmarks"]


def options_of(pmu, method):
    """All roads to a definition: at most one to three events, now and then without one of them, or from some of them alone, thresholds from
    the data."""
    rng = random.Random(f"{pmu.seed}/options")
    options = ["--method", method, "--max-events", str(rng.randint(1, 3))] + (["--avoid", pmu.avoided.name] if pmu.avoided else [])
    options += [word for event in pmu.only or () for word in ("--only", event.name)]
    return options + (["--tau", "auto", "--alpha", "auto"] if pmu.noise and rng.random() < 0.5 else [])


def run_one(program, pmu, folder, arguments):
    """The metrics that the program finds for one PMU."""
    if arguments.bare:
        pmu.swept = (pmu.benchmark,)
    if arguments.live:
        tables.write_model(pmu, folder)
        results = analyse(program, "discover", "--pmu", f"software:{folder}", "--component", "sde", "--benchmark",
                          ",".join(pmu.swept), "--programs", arguments.programs, *options_of(pmu, arguments.method))
    else:
        tables.write_tables(pmu, folder)
        results = analyse(program, "analyze", str(folder), "--benchmark", pmu.benchmark, *options_of(pmu, arguments.method))
    result = next(entry for entry in results if entry["benchmark"] == pmu.benchmark)
    pmu.lose([name for name in result["dropped_symbols"] if name in pmu.symbols])
    return result["metrics"]


@functools.cache
def prepare(kernels, seed):
    """What all PMUs share: the world and its programs."""
    loaded = world.load(kernels)
    return loaded, programs.Programs(loaded, random.Random(f"programs/{seed}"))


def judge_many(job):
    arguments, benchmark, numbers = job
    tally = judge.Tally()
    for number in numbers:
        try:
            judge_one(arguments, benchmark, number, tally)
        except RuntimeError as error:
            tally.failures.append(f"{benchmark} {number}: {error}")
    return benchmark, tally


def judge_one(arguments, benchmark, number, tally):
    loaded, made = prepare(arguments.kernels, arguments.seed)
    pmu = generate.Pmu(loaded, benchmark, f"{arguments.seed}/{benchmark}/{number}", arguments.live, getattr(arguments, "neighbour", None),
                       getattr(arguments, "beside", False))
    with tempfile.TemporaryDirectory(prefix="catmint-truth-") as folder:
        if arguments.keep:
            folder = pathlib.Path(arguments.keep) / f"{benchmark}-{number}"
            folder.mkdir(parents=True, exist_ok=True)
            write_truth(pmu, folder)
        metrics = run_one(arguments.program, pmu, folder, arguments)
    tally.take(judge.Verdict(pmu, metrics, made), f"{benchmark} {number}")


def write_truth(pmu, folder):
    """What each event counts, beside its tables."""
    lines = ["# What the events count in facts (tests/bench/truth).", "event,kind,noise,counts"]
    lines += [f'{event.name},{event.kind},{event.noise:.3g},"{tables.expression(event)}"' for event in pmu.events]
    (folder / "truth.txt").write_text("\n".join(lines) + "\n")


def run(arguments, progress=False):
    """{benchmark: Tally}."""
    numbers = range(arguments.first, arguments.first + arguments.count)
    jobs = [(arguments, benchmark, numbers[at:at + 25]) for benchmark in arguments.benchmark for at in range(0, len(numbers), 25)]
    tallies = {benchmark: judge.Tally() for benchmark in arguments.benchmark}
    prepare(arguments.kernels, arguments.seed)  # once, for all that are forked
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for done, (benchmark, tally) in enumerate(pool.imap(judge_many, jobs), 1):
            tallies[benchmark].add(tally)
            if progress:
                print(f"\r{done} of {len(jobs)} parts", end="", file=sys.stderr, flush=True)
    return tallies


def report(benchmark, tally, arguments):
    count = tally.counts
    print(f"\n{benchmark}: {count['tables']:,} {'models' if arguments.live else 'tables'}, seed {arguments.seed}, from {arguments.first}")

    for failure in tally.failures:
        print(f"  FAILED {failure}")

    def line(words, name):
        said = count[name, "confounded"]
        print(f"  {words:<34} {judge.share(count[name, 'wrong'], count[name, 'claims']):<28}" + (f" {said:,} said to be confounded" if said else ""))

    print("  claims that are wrong")
    for name, words in LINES:
        line("  " + words, name)
    print("  by what their events are (all but equivalents)")
    for kind in ("honest", *generate.LIES):
        line("  " + kind, f"kind {kind}")
    print("  found, of what honest events define")
    for name in ("without noise", "with noise", "all metrics"):
        print(f"    {name:<32} {judge.share(count[name, 'found'], count[name, 'definable'])}")
    print("  by metric: wrong of claims, found of definable")
    for name in sorted({name for name, _ in (key for key in count if isinstance(key, tuple)) if name.startswith("metric ")}):
        print(f"    {name[7:]:<32} {judge.share(count[name, 'wrong'], count[name, 'claims']):<28} "
              f"{judge.share(count[name, 'found'], count[name, 'definable'])}")


def arguments_of(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000, help="PMUs a benchmark")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--benchmark", type=lambda text: text.split(","), default=list(facts.BENCHMARKS), help="separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kernels", choices=("tree", "paper"), default="tree", help="bases/facts.csv, or the paper's kernels")
    parser.add_argument("--method", choices=("catmint", "paper"), default="catmint")
    parser.add_argument("--bare", action="store_true", help="the benchmark's own table alone, without control kernels")
    parser.add_argument("--live", action="store_true", help="models of the software PMU instead of tables")
    parser.add_argument("--programs", default="16", metavar="N", help="with --live: programs that are run beside the kernels")
    parser.add_argument("--neighbour", type=float, metavar="X", help="15 repetitions, and a neighbour that comes and goes takes X of all accesses' lines")
    parser.add_argument("--beside", action="store_true", help="events, too, that count on control kernels what the benchmark does not have")
    parser.add_argument("--keep", metavar="DIR", help="keep the files of every PMU")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="the N definitions that are furthest off")
    found = parser.parse_args(words)
    found.program = os.path.abspath(found.program)
    return found


def main():
    arguments = arguments_of()
    for benchmark, tally in run(arguments, progress=sys.stderr.isatty()).items():
        report(benchmark, tally, arguments)
        for off, where, sort, metric, terms in sorted(tally.worst, key=lambda entry: -entry[0])[:arguments.show]:
            print(f"  {where}: {sort} of {metric}, {100 * off:.1f} % off: " + " ".join(f"{c:+.6g} * {name}" for name, c in terms))


if __name__ == "__main__":
    main()
