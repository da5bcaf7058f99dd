#!/usr/bin/env python3
"""Writes libcatmint(3) or libcatmint-machines(3) from the public headers, and an example: page_library.py FOLDER VERSION PAGE."""

import pathlib
import re
import sys
import textwrap

import roff

LEFT_OUT = ("api.h", "catmint.h", "machines.h")  # which declare no function
MACHINES = ("incore.h", "ports.h", "project.h", "roofline.h")
NOTHING = "\\&"
WIDTH = 68  # of indented text on a terminal of 80 columns
SYNOPSIS = ".nh\n.ad l\n.SH SYNOPSIS\n.nf\n.B #include <catmint/{}.h>\n.PP\n.B cc mine.c $(pkg\\-config \\-\\-cflags \\-\\-libs {})\n.fi\n"


def inside(comment):
    """A comment without its frame."""
    return re.sub(r"(?m)^ *\* ?", "", comment.strip()[2:-2]).strip("\n")


def narrow(lines):
    """Lines that a terminal of 80 columns holds: each entry of a list that is wider is filled anew, indented from its second line on."""
    if max(map(len, lines)) <= WIDTH:
        return lines
    entries = []
    for line in lines:
        if entries and len(line) - len(line.lstrip()) > len(lines[0]) - len(lines[0].lstrip()):
            entries[-1] += " " + line.strip()
        else:
            entries.append(re.sub(r" {3,}", "  ", line.strip()))
    return [filled for entry in entries
            for filled in textwrap.wrap(entry, WIDTH, initial_indent="  ", subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)]


def paragraphs(comment):
    """Paragraphs as roff; lines set by blanks stay as they are."""
    out = []
    for part in re.split(r"\n\s*\n", inside(comment)):
        lines = part.rstrip().split("\n")
        out.append(roff.verbatim(narrow(lines)) if all(line.startswith("  ") for line in lines) else
                   f".PP\n{roff.marked(' '.join(part.split()))}\n")
    return "".join(out)


def head(source):
    return re.match(r"/\*.*?\*/", source, re.DOTALL)[0]


def functions(source):
    """(prototype, its comment or None) of each function, in their order."""
    pattern = r"(?:^(/\*(?:(?!\*/).)*?\*/)\n)?^CM_API (.*?;)"
    for found in re.finditer(pattern, source, re.DOTALL | re.MULTILINE):
        prototype = " ".join(re.sub(r"\s*CM_PRINTF\([^)]*\)", "", found[2]).split())
        yield prototype, found[1]


def section(path):
    source = path.read_text(encoding="utf-8")
    body = [f".SS <catmint/{path.name.removesuffix('.in')}>\n"]
    if path.name != "error.h":  # which the description begins with
        body.append(paragraphs(head(source)))
    for prototype, comment in functions(source[len(head(source)):]):
        said = " ".join(inside(comment).split()) if comment and not comment.startswith("/* ----") else ""
        body.append(f".TP\n\\fB{roff.text(prototype)}\\fR\n{roff.marked(said) or NOTHING}\n")
    return "".join(body)


def main(folder, version, target):
    machines = pathlib.Path(target).stem == "libcatmint-machines"
    name, header, summary, other = ("libcatmint-machines", "machines", "what machines can do at most, for programs", "libcatmint (3)") if machines else \
        ("libcatmint", "catmint", "what hardware events count, and metrics made of them, for programs", "libcatmint\\-machines (3)")
    headers = sorted(path for path in pathlib.Path(folder).glob("*.h*") if path.name not in LEFT_OUT and (path.name in MACHINES) == machines)
    conventions = paragraphs(head((pathlib.Path(folder) / "error.h").read_text(encoding="utf-8")))
    body = SYNOPSIS.format(header, name.removeprefix("lib").replace("-", "\\-")) + ".SH DESCRIPTION\n" + conventions + ".SH HEADERS\n" + "".join(map(section, headers))
    example = pathlib.Path(folder).parents[1] / "docs/examples" / ("loop_cycles.c" if machines else "find_metric.c")
    body += ".SH EXAMPLES\n" + roff.verbatim(example.read_text(encoding="utf-8").rstrip("\n").split("\n"))
    page = roff.page(name, 3, summary, version, "Library Functions",
                     body + f".SH SEE ALSO\n.BR catmint (1),\n.BR {other},\n.BR catmint\\-formats (5)\n")
    pathlib.Path(target).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
