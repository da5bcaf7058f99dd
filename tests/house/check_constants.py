#!/usr/bin/env python3
"""Holds that the method has twelve constants, all in src/analysis/rules.h: check_constants.py TREE.

Each has its meaning beside it. In the rooms of the method no other number decides: halves, ones and twos, percent, powers of ten that bound rounding errors, and what is
named below with what it is. A file that has fewer than it is allowed is named, too.
"""
import re
import sys
from pathlib import Path

from files import files_of

MOST = 12
ROOMS = r"src/(?:law|analysis|analysis/solving|discovery)/[^/]+\.[ch]"
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"', re.S)
NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?![\w.])")
ENUMERATOR = re.compile(r"\b([A-Z][A-Z0-9_]+) = [-(\d]")

# Numbers of a file that are no rounding error and decide nothing of a definition by the law.
NUMBERS = {
    "src/law/alternatives.c": "8.0",  # bytes of the least access
    "src/law/kernel_off.c": "3.0 8.0",  # between which a quantile lies
    "src/analysis/analysis.c": "5e-4 1e-2 10.0",  # thresholds, where nobody gives others
    "src/analysis/choose_alpha.c": "0.1 0.25",  # thresholds chosen from the data (--alpha auto)
    "src/analysis/choose_tau.c": "10.0",  # decades
    "src/analysis/least_absolute.c": "1e-2",  # the first step of an iteration
    "src/analysis/linear.c": "1e-3",  # from where on rounding errors are measured
    "src/analysis/linear_test.c": "5.0 20.0",  # a problem whose solution is known
    "src/analysis/rounding.c": "10.0",  # a base of powers
    "src/analysis/solving/solution.c": "10.0 10.0",  # tenths of the natural programs, which order definitions
    "src/analysis/solving/solve.c": "16.0",  # sixteenths of a power of two, which order single events
    "src/analysis/solving/sparse.c": "1e-4 0.05 1e-5 1.5 1.9 0.1 0.4",  # steps and ends of an iteration
    "src/discovery/costs.c": "0.01",  # advice on how events are counted
    "src/discovery/raw_counts.c": "1e5",  # a hint that counts are not of an iteration
}
STUDENT = "src/analysis/interval.c"  # a table of quantiles
RULES = "src/analysis/rules.c"

# Sizes: of memory, of work, of what is printed, and of what a thing consists of.
SIZES = {
    "law": "CM_LAW_CHAINS CM_LAW_LEVELS CM_LAW_LOOKS CM_LAW_NAMED CM_LAW_SETS CM_LAW_STEPS CM_NO_COLUMN CM_NO_TABLE CM_REFUSAL_TEXT MOST_EVENTS MOST_OTHERS SMALL_TABLE SPARE_ROWS",
    "analysis": "BLOCK COLUMNS DIRECTIONS LARGEST_DENOMINATOR MANY_EVENTS MOST_COMBINATIONS MOST_DEFINITIONS MOST_EVENTS MOST_REFUSALS MOST_REPETITIONS MOST_ROUNDS "
    "MOST_STEPS_OF_TAU PASSES PLATEAU_REFINEMENTS PLATEAU_STEPS_A_DECADE PORTION PROBES REFINEMENTS ROWS SEVERAL_EVENTS SMALLEST_CLUSTER STEPS_A_DECADE TOGETHER WORTH_THREADS",
    "analysis/solving": "CM_MANY_EVENTS GRADES MOST_SINGLES MOST_TERMS MOST_TRIES STAGES STEPS WIDTH",
    "discovery": "CM_LISTED_BESIDE CM_LISTED_BEYOND CM_LISTED_EQUIVALENTS MOST_ALTERNATIVES MOST_SEARCHED MOST_SHARED MOST_TERMS",
}


def decides(text):
    value = float(text)
    return value not in (0.0, 0.5, 1.0, 2.0, 100.0) and 1e-6 < value < 1e9


def constants(top):
    """Fields of the one struct: each a double with its meaning."""
    text = (top / "src/analysis/rules.h").read_text()
    body = re.search(r"typedef struct cm_rules \{\n(.*?)\} cm_rules;", text, re.S)[1]
    fields = re.findall(r"^    double (\w+);", body, re.M)
    if len(fields) > MOST:
        yield f"src/analysis/rules.h: {len(fields)} constants, expected {MOST} at most"
    bare = re.findall(r"^    double (\w+); *\n", body, re.M)
    if bare:
        yield f"src/analysis/rules.h: no meaning beside {', '.join(bare)}"
    if len(re.findall(r"^    \S", body, re.M)) != len(fields):
        yield "src/analysis/rules.h: cm_rules has members that are no doubles, each on its own line"


def numbers(top):
    names = set()
    for name in files_of(top):
        if not re.fullmatch(ROOMS, name) or name in (RULES, STUDENT):
            continue
        text = NO_CODE.sub("", (top / name).read_text())
        found, allowed = sorted(filter(decides, NUMBER.findall(text))), sorted(NUMBERS.get(name, "").split())
        if found != allowed:
            yield f"{name}: has the numbers {' '.join(found) or 'none'}, expected {' '.join(allowed) or 'none'}: a constant of the method is a field of cm_rules"
        names |= {(name.removeprefix("src/").rpartition("/")[0], enumerator) for block in re.findall(r"\benum \{(.*?)\}", text, re.S) for enumerator in ENUMERATOR.findall(block)}
    listed = {(room, size) for room, sizes in SIZES.items() for size in sizes.split()}
    for room, size in sorted(names ^ listed):
        yield f"src/{room}: {size} is {'not listed as a size' if (room, size) in names else 'listed as a size, and is none'}"


def main(top):
    found = [*constants(top), *numbers(top)]
    for fault in found:
        print(fault)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
