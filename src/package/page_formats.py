#!/usr/bin/env python3
"""Writes catmint-formats(5) from the document about formats: page_formats.py FORMATS.md VERSION PAGE."""

import re
import sys

import roff

SEE_ALSO = ".SH FILES\n.TP\n.I share/catmint/schemas\nThe JSON Schemas.\n.SH SEE ALSO\n.BR catmint (1),\n.BR libcatmint (3)\n"


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(lines):
    """Rows as a list: the first cell names, the others say."""
    head, _, *rows = lines
    titles = cells(head)[1:]
    out = []
    for row in rows:
        name, *others = cells(row)
        said = (f"{title}: {cell}" if len(others) > 1 else cell for title, cell in zip(titles, others) if cell not in ("", "below"))
        out.append(f".TP\n{roff.marked(name)}\n{roff.marked('; '.join(said)) or roff.text('see below')}\n")
    return "".join(out)


def block(lines):
    """One block of the document, without blank lines in it, as roff."""
    heading = re.match(r"## ([^:]*)(?:: (.*))?", lines[0])
    if heading:
        columns = f".PP\n{roff.marked(heading[2])}\n" if heading[2] else ""
        return f".SH \"{roff.text(heading[1]).upper()}\"\n{columns}" + (block(lines[1:]) if lines[1:] else "")
    if lines[0].startswith("|"):
        return table(lines)
    return ".PP\n" + roff.marked(" ".join(line.strip() for line in lines)) + "\n"


def blocks(document):
    """Blocks in their order: those between fences as they are."""
    for number, part in enumerate(re.split(r"(?m)^```.*\n", document)):
        if number % 2 == 1:
            yield roff.verbatim(part.rstrip("\n").split("\n"))
        else:
            yield from (block(piece.split("\n")) for piece in re.split(r"\n{2,}", part.strip("\n")) if piece.strip())


def main(source, version, target):
    with open(source, encoding="utf-8") as stream:
        document = re.sub(r"^# .*\n", "", stream.read())
    with open(target, "w", encoding="utf-8") as stream:
        stream.write(roff.page("catmint-formats", 5, "the files that catmint reads and writes", version, "File Formats",
                               ".SH DESCRIPTION\n" + "".join(blocks(document)) + SEE_ALSO))


if __name__ == "__main__":
    main(*sys.argv[1:])
