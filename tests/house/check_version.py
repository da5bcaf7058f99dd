#!/usr/bin/env python3
"""Holds what repeats the version against CMakeLists.txt: check_version.py TREE VERSION"""

import pathlib
import re
import sys


def main():
    tree, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    packaged, major = version.replace("-", "~"), version.partition(".")[0]
    faults = []
    first = {}
    for name, pattern, expected in (
            ("CHANGELOG.md", r"(?m)^## (\S+) \((\d{4}-\d\d-\d\d)\)$", version),
            ("CITATION.cff", r"(?m)^version: (\S+)\ndate-released: (\S+)$", version),
            ("debian/changelog", r"\Acatmint \((\S+)-1\)", packaged),
            ("debian/control", r"(?m)^Package: libcatmint(\d\S*)$", major),
            ("debian/control", r"(?m)^Package: libcatmint-machines(\d\S*)$", major),
            ("packaging/rpm/catmint.spec", r"(?m)^Version: +(\S+)$", packaged),
            ("packaging/rpm/catmint.spec", r"(?m)^%changelog\n.* - (\S+)-1$", packaged),
            ("packaging/container/Containerfile", r"/libcatmint(\d\S*)_", major)):
        found = re.search(pattern, (tree / name).read_text(encoding="utf-8"))
        first.setdefault(name, found)
        if found is None or found[1] != expected:
            faults.append(f"{name}: expected version {expected}, found {found[1] if found else 'none'}")
    dates = [first[name][2] for name in ("CHANGELOG.md", "CITATION.cff") if first[name]]
    if len(set(dates)) > 1:
        faults.append(f"CITATION.cff: expected the date {dates[0]} of CHANGELOG.md, found {dates[1]}")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
