#!/usr/bin/env python3
"""Holds every file but tables, pictures and what is made from other files to 400 lines: check_length.py TREE."""
import re
import sys
from pathlib import Path

from files import files_of

LIMIT = 400

TABLES = r".*\.csv|.*\.symbols|.*\.png|.*\.json|LICENSE|CHANGELOG\.md|docs/reference/(using-)?commands\.md|tests/(data|fuzz/seeds)/.*"


def lines_of(path):
    return path.read_bytes().count(b"\n")


def main(top):
    names = [name for name in files_of(top) if not re.fullmatch(TABLES, name)]
    lengths = {name: lines_of(top / name) for name in names}
    for name, lines in lengths.items():
        if lines > LIMIT:
            print(f"{name} has {lines} lines, more than {LIMIT}: part it by what it does")
    return not names or max(lengths.values()) > LIMIT


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
