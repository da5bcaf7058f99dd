#!/usr/bin/env python3
"""Holds the map of the house against the rooms: check_map.py TREE [--write].

Each room is a row of the table in CONTRIBUTING.md, with the sentence that its CMakeLists.txt begins with. --write mends sentences there, and adds
a new room behind its neighbour by name.
"""
import re
import sys
from pathlib import Path


def rooms(top):
    for script in [*top.glob("src/*/**/CMakeLists.txt"), *top.glob("cat-kernels/**/CMakeLists.txt")]:
        with open(script) as stream:
            yield f"| `{script.parent.relative_to(top)}` | {stream.readline().removeprefix('# ').rstrip()} |"


def mend(guide, needed):
    """Each row as it is needed; one that has no place goes behind the last row of its parent that is not after it by name."""
    lines = guide.read_text().splitlines()
    room_of = {row: row.split("`")[1] for row in needed}
    for row, room in sorted(room_of.items(), key=lambda item: item[1]):
        places = {line.split("`")[1]: number for number, line in enumerate(lines) if re.match(r"\| `(?:src|cat-kernels)\b", line)}
        before = [other for other in places if other.rpartition("/")[0] == room.rpartition("/")[0] and other < room] or [room.rpartition("/")[0]]
        if room in places:
            lines[places[room]] = row
        else:
            lines.insert(places[max(before)] + 1, row)
    guide.write_text("\n".join(lines) + "\n")


def main(top, write):
    needed = set(rooms(top))
    if write:
        mend(top / "CONTRIBUTING.md", needed)
    present = set(re.findall(r"^\| `(?:src|cat-kernels)\b.*", (top / "CONTRIBUTING.md").read_text(), re.MULTILINE))
    for row in sorted(needed - present):
        print(f"CONTRIBUTING.md lacks: {row}")
    for row in sorted(present - needed):
        print(f"CONTRIBUTING.md has what is no room, or its sentence differs: {row}")
    return needed != present


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:] == ["--write"]))
