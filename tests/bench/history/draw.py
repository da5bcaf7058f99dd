#!/usr/bin/env python3
"""Draws corrections of formulas from the histories of PAPI, LIKWID and perfmon, for a person to look at.

    draw.py --papi GITDIR --likwid GITDIR --perfmon GITDIR [--known CASES.csv ...] [--seed N] [--papi-count N] [--likwid-count N] [--perfmon-count N]

The method: all commits without a second parent whose message has a word of corrections (WORDS below) and that change files of formulas. Of each, the
metrics of BEFORE that AFTER defines differently, but for blanks, or no longer; LONG counts as part of a definition of LIKWID's. A file in which one
commit changes more than MOST metrics is rewritten, and left out. So are cases that the tables given by --known have: the same commit and metric, or the
same file and metric. Commits are then shuffled by the seed, and of each at most two metrics are taken, of files shuffled likewise.

`drawn.csv` has the first 10 of PAPI, 20 of LIKWID and 10 of perfmon in the order of this output (F: seed 36, 60 of LIKWID; G: seed 1127, 45, 70 and 40)
that are corrections, in the share of all known ones, and the first 5, 10 and 5 of a third draw (K: seed 2027, 70, 150 and 70, after all that the
second had shown) and of a fourth (M: seed 2711, 22, 45 and 25). N has one correction of nearly every commit that the rest of all draws
has (seed 2711, 300, 400 and 300, and with WORDS of a single dot, so that messages count that say nothing of a correction). O has the first 13, 7 and 5 of
other metrics of commits that the draws before had, too, with that WORDS and without the rule on the same file and metric. Q has 26 of what a last draw showed (seed 3636, 40, 40 and 30), R 23 (seed 4136, 40, 60
and 40, with that WORDS and a MOST of 60). A person who looked at both texts and the message left out: better events and other
constants for the same, changes of names alone, texts that were right, or that follow a change of the program that reads them, and
perfmon_events.csv, which lists of events do not go with.
"""
import argparse
import collections
import csv
import json
import pathlib
import random
import re
import subprocess

WORDS = r"fix|correct|wrong|typo|bug|missing|mistake|error|instead|remov|revert|does not exist|misnamed|adjust|u[p]dat|proper|stray|swap"
MOST = 12  # metrics of a file that one correction changes
FILES = {"papi": r"^src/(papi|perfmon)_events\.csv$", "likwid": r"^groups/[^/]+/[^/]+\.txt$", "perfmon": r"metric.*\.json$"}


def git(repo, *arguments):
    return subprocess.run(["git", "-C", repo, *arguments], capture_output=True, check=False).stdout.decode("utf-8", "replace")


def presets(text):
    """PAPI: {(processor, preset): definition}; several lines of one are joined."""
    found, names, within = collections.defaultdict(str), [], False
    for line in text.splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(",")]
        if fields[0] == "CPU" and len(fields) > 1:
            names = [*names, fields[1]] if within else [fields[1]]
            within = True
        elif fields[0]:
            within = False
        if fields[0] == "PRESET" and len(fields) > 2:
            for name in names:
                found[(name, fields[1])] += ",".join(field for field in fields[2:] if not field.startswith("NOTE")) + ";"
    return dict(found)


def group(text):
    """LIKWID: {("", metric): formula over events, and the formula of LONG}."""
    part, events, formulas, documented = "", {}, {}, {}
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in ("SHORT", "EVENTSET", "METRICS", "LONG", "REQUIRE_NOHT"):
            part = words[0]
        elif part == "EVENTSET" and len(words) == 2:
            events[words[0]] = words[1]
        elif part == "METRICS" and len(words) > 1:
            formulas[" ".join(words[:-1])] = words[-1]
        elif part == "LONG" and "=" in line:
            name, _, formula = line.partition("=")
            documented[name.strip()] = formula.strip()
    return {("", name): re.sub(r"[A-Z]+[0-9]+[A-Z0-9:=x]*", lambda counter: events.get(counter[0], counter[0]), formula)
            + (" | " + documented[name] if name in documented else "") for name, formula in formulas.items()}


def metrics(text):
    """perfmon: {("", metric): formula}."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return {}
    rows = document.get("Metrics", []) if isinstance(document, dict) else document
    found = {}
    for row in rows:
        if isinstance(row, dict) and "MetricName" in row:
            ids = {one.get("Alias"): one.get("Name") for key in ("Events", "Constants") for one in row.get(key, []) if isinstance(one, dict)}
            formula = row.get("MetricExpr") or row.get("Formula") or ""
            found[("", row["MetricName"])] = formula if "MetricExpr" in row else re.sub(
                r"\b[a-z]\b", lambda alias: ids.get(alias[0], alias[0]) or "", formula)
    return found


READ = {"papi": presets, "likwid": group, "perfmon": metrics}


def changed(kind, repo, commit, path):
    """[(processor, metric, before, after)]"""
    before, after = (READ[kind](git(repo, "show", f"{state}:{path}")) for state in (commit + "^", commit))
    squeezed = {key: re.sub(r"\s", "", text) for key, text in after.items()}
    found = [(*key, text, after.get(key, "")) for key, text in before.items()
             if not re.match(re.escape(re.sub(r"\s", "", text)) + r"(\||$)", squeezed.get(key, ""))]  # LONG may be new
    once = {}  # of processors that share a line, one
    for one in found if after else []:
        once.setdefault(one[1:], one)
    return list(once.values()) if len(once) <= MOST else []


def draw(kind, repo, known, count, luck):
    log = git(repo, "log", "--no-merges", "--format=%x01%H%x02%s %b%x02", "--name-only", "-i", "-E", f"--grep={WORDS}").split("\x01")[1:]
    commits = [(commit, message, [path for path in paths.split("\n") if re.search(FILES[kind], path)]) for commit, message, paths in
               (entry.split("\x02") for entry in log)]
    luck.shuffle(commits)
    drawn = 0
    for commit, message, paths in commits:
        luck.shuffle(paths)
        taken = 0
        for path in paths[:40]:
            here = [one for one in changed(kind, repo, commit, path) if not any(
                metric == one[1] and (commit.startswith(of) or file == (f"{path}:{one[0]}" if one[0] else path)) for of, file, metric in known)]
            if here and taken < 2 and drawn < count:
                processor, metric, before, after = luck.choice(here)
                yield commit[:9], f"{path}:{processor}" if processor else path, metric, message.strip(), before, after
                taken, drawn = taken + 1, drawn + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for repo in READ:
        parser.add_argument(f"--{repo}", required=True, metavar="GITDIR")
        parser.add_argument(f"--{repo}-count", type=int, default=30)
    parser.add_argument("--known", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=36)
    arguments = vars(parser.parse_args())
    known = [(row["commit"], row["file"], row["metric"]) for path in arguments["known"] for row in csv.DictReader(path.open(encoding="utf-8"))]
    for kind in READ:
        for one in draw(kind, arguments[kind], known, arguments[f"{kind}_count"], random.Random(arguments["seed"])):
            print(f"{kind} {one[0]} {one[1]} | {one[2]}\n    {one[3][:150]}\n  - {one[4][:400]}\n  + {one[5][:400]}")


if __name__ == "__main__":
    main()
