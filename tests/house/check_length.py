#!/usr/bin/env python3
"""Holds every file but tables to 400 lines: check_length.py TREE."""
import re
import sys
from pathlib import Path

from files import files_of

LIMIT, STEP = 400, 50

TABLES = r".*\.csv|.*\.json|LICENSE|CHANGELOG\.md|tests/(data|fuzz/seeds)/.*"

# Files that are yet to be parted, with the limit that each has until then. Limits only go down.
YET = {
    "tests/unit/test_kernels.c": 450,
}


def lines_of(path):
    return path.read_bytes().count(b"\n")


def main(top):
    wrong = []
    names = [name for name in files_of(top) if not re.fullmatch(TABLES, name)]
    for name in names:
        lines, limit = lines_of(top / name), YET.get(name, LIMIT)
        needed = max(LIMIT, -(-lines // STEP) * STEP)
        if lines > limit:
            wrong.append(f"{name} has {lines} lines, more than {limit}: part it by what it does")
        elif needed < limit:
            wrong.append(f"{name} has only {lines} lines: " +
                         (f"lower its limit to {needed}" if needed > LIMIT else "take it off the list"))
    wrong += [f"{name} is listed and does not exist" for name in YET if name not in names]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong) or not names


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
