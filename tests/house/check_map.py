#!/usr/bin/env python3
"""Holds the map of the house against the rooms: check_map.py TREE.

Each room is a row of the table in CONTRIBUTING.md, with the sentence that its CMakeLists.txt begins with.
"""
import re
import sys
from pathlib import Path


def rooms(top):
    for script in [*top.glob("src/*/**/CMakeLists.txt"), *top.glob("cat-kernels/**/CMakeLists.txt")]:
        with open(script) as stream:
            yield f"| `{script.parent.relative_to(top)}` | {stream.readline().removeprefix('# ').rstrip()} |"


def main(top):
    needed = set(rooms(top))
    present = set(re.findall(r"^\| `(?:src|cat-kernels)\b.*", (top / "CONTRIBUTING.md").read_text(), re.MULTILINE))
    for row in sorted(needed - present):
        print(f"CONTRIBUTING.md lacks: {row}")
    for row in sorted(present - needed):
        print(f"CONTRIBUTING.md has what is no room, or its sentence differs: {row}")
    return needed != present


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
