#!/usr/bin/env python3
"""Follows the relative links of README.md, of other documents beside it and of docs/: check_links.py TREE.

Names each link to a file that is not there, or to a heading that its page lacks, each page of docs/ that docs/README.md
does not lead to, each public header that docs/reference/c-api.md does not lead to, and each path docs/... in sources and
tests that leads nowhere.
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^()\s]+)\)")
MENTION = re.compile(r"\bdocs/[\w./-]+\.(?:md|json|c)\b")
SOURCES = ("include", "src", "cat-kernels", "tests", "scripts", "bases", "signatures", "data")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def anchors(page):
    """The headings of a page, as links spell them."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page):
    """Line and target of each relative link."""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for target in LINK.findall(line):
            if not re.match(r"\w+:", target):
                yield number, target


def faults_of_page(page, reached):
    for number, target in links(page):
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page.resolve()
        if not file.exists():
            yield f"{page}:{number}: no such file: {target}"
        elif heading and heading not in anchors(file):
            yield f"{page}:{number}: no such heading: {target}"
        reached.add(file)


def faults_of_source(top, path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        for mention in MENTION.findall(line):
            if not (top / mention).exists():
                yield f"{path}:{number}: no such file: {mention}"


def main(top):
    pages = sorted([*top.glob("*.md"), *top.glob("docs/**/*.md")])
    wrong, reached = [], {page: set() for page in pages}
    for page in pages:
        wrong += faults_of_page(page, reached[page])
    for guide, led_to in ((top / "docs/README.md", [page for page in pages if top / "docs" in page.parents]),
                          (top / "docs/reference/c-api.md", sorted(top.glob("include/catmint/*.h")))):
        wrong += [f"{guide} does not lead to {file}" for file in led_to
                  if file != guide and file.name != "catmint.h" and file.resolve() not in reached.get(guide, ())]
    for folder in SOURCES:
        for path in sorted((top / folder).glob("**/*")):
            if path.is_file() and path.suffix in (".c", ".h", ".py", ".sh", ".csv", ".txt", ".md"):
                wrong += faults_of_source(top, path)
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
