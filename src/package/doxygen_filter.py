#!/usr/bin/env python3
"""Prints a header with its comments as Doxygen takes them: doxygen_filter.py HEADER.

A comment before a declaration documents it, one behind a member that member, and the first one the file.
"""

import re
import sys

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)


def escaped(words):
    """Words that keep signs which Doxygen would take for a command, a tag, a link or a dash; `code` as code."""
    words = re.sub(r"([\\@<>&#%]|::|--|(?<!\w)_|_(?!\w))", r"\\\1", words).replace('"', "&quot;")
    return re.sub(r"`([^`\n]*)`", r"<code>\1</code>", words)


def main(path):
    with open(path, encoding="utf-8") as stream:
        source = stream.read()
    begins = True

    def put(found):
        nonlocal begins
        line = source[source.rfind("\n", 0, found.start()) + 1:found.start()]
        if begins:
            begins = False
            return f"/** @file\n *{escaped(found[1])}*/"
        if found[1].startswith(" ----"):
            return found[0]
        return f"/**{'<' if line.strip() else ''}{escaped(found[1])}*/"

    sys.stdout.write(COMMENT.sub(put, source))


if __name__ == "__main__":
    main(sys.argv[1])
