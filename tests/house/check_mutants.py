#!/usr/bin/env python3
"""Holds that each mistake of tests/bench/mutants can still be made: check_mutants.py TREE. What it replaces stands once in its file."""

import csv
import pathlib
import sys


def main(tree):
    faults = 0
    lists = [path.read_text(encoding="utf-8").splitlines(True) for path in sorted((tree / "tests/bench/mutants").glob("*.csv"))]
    for row in (row for lines in lists for row in csv.DictReader(line for line in lines if not line.startswith("#"))):
        file = tree / row["file"]
        found = file.read_text(encoding="utf-8").count(row["before"]) if file.exists() else 0
        if found != 1:
            print(f"{row['mutant']}: its text stands {found} times in {row['file']}, expected once")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
