#!/usr/bin/env python3
"""Makes one mistake after the other in the sources of a commit, and says which tests find it: a test of the tests.

    tests/bench/mutants/run.py . tests/bench/mutants/mutants.csv --commit HEAD --output after.csv

mutants.csv says what the mistakes are, law.csv which steps of the law are left out. Tests labelled `long` are left out. Nothing in TREE changes: it is cloned into the folder of --scratch, which
keeps its builds for the next time, or into one that is removed in the end. Two builds and as many runs of tests as there are rows: an hour or more."""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

BUILDS = {"release": "build-test", "asan": "build-asan"}  # presets and their folders
ALWAYS = "pretended_kernel"  # which every test is started with


def read_rows(path, only):
    with open(path, newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(line for line in stream if not line.startswith("#")) if not only or row["mutant"] in only]
    missing = set(only or ()) - {row["mutant"] for row in rows}
    if missing or not rows:
        sys.exit(f"{path}: no mutant {', '.join(sorted(missing)) or 'at all'}")
    return rows


def tests_in(row):
    """{preset: the row's regular expressions of its tests}"""
    tests = {preset: [] for preset in BUILDS}
    for test in row["tests"].split():
        tests["asan" if test.startswith("asan.") else "release"].append(test)
    return {preset: found for preset, found in tests.items() if found}


def clone(tree, commit, source):
    done = subprocess.run(["git", "-C", tree, "rev-parse", "--verify", f"{commit}^{{commit}}"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{tree}: no commit {commit}")
    if not source.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", tree, source], check=True)
    subprocess.run(["git", "-C", source, "checkout", "--quiet", "--force", "--detach", done.stdout.strip()], check=True)


class Tree:
    """The sources and their builds."""

    def __init__(self, source, jobs):
        self.source, self.jobs = source, str(jobs)

    def run(self, *command):
        done = subprocess.run(command, cwd=self.source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        return done.returncode, done.stdout

    def must(self, what, *command):
        code, text = self.run(*command)
        if code != 0:
            sys.exit(f"{what}: {' '.join(command)} failed:\n{text[-4000:]}")

    def configure(self, preset):
        self.must(preset, "cmake", "--preset", preset, "-B", BUILDS[preset], "-DCATMINT_WARNINGS_AS_ERRORS=OFF")

    def build(self, what, preset, targets):
        self.must(what, "cmake", "--build", BUILDS[preset], "--parallel", self.jobs, "--target", ALWAYS, *targets)

    def test(self, preset, tests):
        """{name of a test: whether it passed}, without those that were skipped"""
        results = self.source / BUILDS[preset] / "mutants.xml"
        results.unlink(missing_ok=True)
        code, text = self.run("ctest", "--test-dir", BUILDS[preset], "--tests-regex", f"^({'|'.join(tests)})$", "--label-exclude", "^long$",
                              "--parallel", self.jobs, "--output-on-failure", "--output-junit", str(results.resolve()))
        self.said = text
        if not results.exists():
            if "No tests were found" in text:
                return {}
            sys.exit(f"ctest failed with {code}:\n{text[-4000:]}")
        cases = xml.etree.ElementTree.parse(results).getroot().iter("testcase")
        return {case.get("name"): case.get("status") == "run" for case in cases if case.get("status") in ("run", "fail")}


def check_text(source, row):
    count = (source / row["file"]).read_text(encoding="utf-8").count(row["before"]) if (source / row["file"]).is_file() else 0
    if count != 1 or row["before"] == row["after"]:
        sys.exit(f"{row['mutant']}: {row['file']} has its old text {count} times, expected once, and another new text")


def check_without(tree, rows):
    """{preset: names of the tests that pass without a mutant}; others judge nothing, and are named."""
    passed = {}
    for preset in BUILDS:
        chosen = [row for row in rows if preset in tests_in(row)]
        if chosen:
            tree.configure(preset)
            tree.build("without a mutant", preset, sorted({target for row in chosen for target in row["targets"].split()}))
            results = tree.test(preset, sorted({test for row in chosen for test in tests_in(row)[preset]}))
            passed[preset] = [name for name, good in results.items() if good]
            for name in sorted(set(results) - set(passed[preset])):
                print(f"left out, as it fails without a mutant: {name}\n{tree.said[-4000:]}", file=sys.stderr, flush=True)
    return passed


def judge(tree, row, passed):
    """The tests that fail with the row's mutant, None where none of them runs here."""
    names = {preset: [re.escape(name) for name in passed[preset] if any(re.fullmatch(test, name) for test in tests)] for preset, tests in tests_in(row).items()}
    if not any(names.values()):
        return None
    path = tree.source / row["file"]
    text = path.read_text(encoding="utf-8")
    failed = []
    path.write_text(text.replace(row["before"], row["after"]), encoding="utf-8")
    try:
        for preset in filter(names.get, names):
            tree.build(row["mutant"], preset, row["targets"].split())
            failed += [name for name, good in tree.test(preset, names[preset]).items() if not good]
    finally:
        path.write_text(text, encoding="utf-8")
    return failed


def run(arguments, folder):
    rows = read_rows(arguments.mutants, arguments.only)
    source = folder / "source"
    clone(arguments.tree, arguments.commit, source)
    for row in rows:
        check_text(source, row)
    tree = Tree(source, arguments.jobs)
    passed = check_without(tree, rows)
    with open(arguments.output, "w", newline="", encoding="utf-8") as stream:
        caught = judged = 0

        def say(line):
            print(line, flush=True)
            print(line, file=stream, flush=True)
        say("mutant,caught,by,seconds")
        for row in rows:
            started = time.monotonic()
            failed = judge(tree, row, passed)
            judged += failed is not None
            caught += bool(failed)
            verdict = "no test runs here" if failed is None else "yes" if failed else "no"
            say(f"{row['mutant']},{verdict},{' '.join(failed or ())},{time.monotonic() - started:.0f}")
        say(f"{caught} of {judged} caught")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path, help="a repository of catmint")
    parser.add_argument("mutants", type=pathlib.Path, help="mutants.csv")
    parser.add_argument("--commit", default="HEAD", help="whose sources and tests are taken (default: HEAD)")
    parser.add_argument("--only", nargs="+", metavar="MUTANT", help="these rows alone")
    parser.add_argument("--output", default=os.devnull, help="a file for what is printed, too")
    parser.add_argument("--scratch", type=pathlib.Path, help="a folder for the clone and its builds, which is kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (default: all cores)")
    arguments = parser.parse_args()
    if arguments.scratch is not None:
        arguments.scratch.mkdir(parents=True, exist_ok=True)
        run(arguments, arguments.scratch)
    else:
        with tempfile.TemporaryDirectory(prefix="catmint-mutants-") as folder:
            run(arguments, pathlib.Path(folder))


if __name__ == "__main__":
    main()
