#!/usr/bin/env python3
"""Holds that a line above each static function longer than ten lines says what it returns: check_comments.py TREE."""
import re
import sys
from pathlib import Path

from files import files_of

LONGEST = 10  # lines of a function, its name and braces included, that needs no comment
COMMENT = re.compile(r"/\*.*?\*/")


def begins(line):
    return line.startswith("static ") and not COMMENT.sub("", line).rstrip().endswith((";", "{", "="))


def functions_of(lines):
    """Yields the first and the last place of each static function, as the tree's clang-format lays it out."""
    for first, line in enumerate(lines):
        if not begins(line):
            continue
        body = next((i for i in range(first, len(lines)) if lines[i] == "{" or lines[i].endswith(";")), None)
        if body is not None and lines[body] == "{":
            yield first, lines.index("}", body)


def uncommented(lines):
    return [first for first, last in functions_of(lines)
            if last - first >= LONGEST and (first == 0 or not lines[first - 1].endswith("*/"))]


def main(top):
    names = [name for name in files_of(top) if re.fullmatch(r"(src|cat-kernels)/.*\.[ch]", name)]
    found = 0
    for name in names:
        lines = (top / name).read_text().split("\n")
        for first in uncommented(lines):
            print(f"{name}:{first + 1}: no line above says what this function returns or does: {lines[first]}")
            found += 1
    return not names or found > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
