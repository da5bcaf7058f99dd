#!/usr/bin/env python3
"""Holds the comments that a reader begins with: check_comments.py TREE.

A file begins with a sentence that says what it holds, unless a heading in a header of its room, or of one above, names it. A static function
longer than ten lines has a line above it that says what it returns.
"""
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


def is_headed(name, text, headings):
    """Whether the file says what it holds, or a header of its room or above does."""
    rooms = [str(room) for room in Path(name).parents]
    return text.startswith("/*") or any(re.search(rf"\b{re.escape(Path(name).name)}\b", headings.get(room, "")) for room in rooms)


def main(top):
    names = [name for name in files_of(top) if re.fullmatch(r"(src|cat-kernels)/.*\.[ch]", name)]
    texts = {name: (top / name).read_text() for name in names}
    headings = {}
    for name in names:
        if name.endswith(".h"):
            room = str(Path(name).parent)
            headings[room] = headings.get(room, "") + "".join(re.findall(r"/\* ---- .*", texts[name]))
    found = 0
    for name in names:
        if not is_headed(name, texts[name], headings):
            print(f"{name}:1: no sentence says what this file holds, and no heading in a header of its room names it")
            found += 1
        lines = texts[name].split("\n")
        for first in uncommented(lines):
            print(f"{name}:{first + 1}: no line above says what this function returns or does: {lines[first]}")
            found += 1
    return not names or found > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
