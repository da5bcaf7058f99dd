#!/usr/bin/env python3
"""A library exports the symbols that its list has, and its headers declare the same: symbols.py LIBRARY LIST TREE BUILD.

A symbol that comes or goes is seen in the list, src/package/LIBRARY.symbols, where a change of it is reviewed.
"""

import pathlib
import re
import subprocess
import sys


def exported(library):
    """Lines as the list has them, by what the loader sees."""
    done = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True, text=True, check=True)
    names = [line.split()[-1].split("@@") for line in done.stdout.splitlines() if line.split()[1] != "A"]  # A: the versions themselves
    return {f"{name} private" if "_PRIVATE_" in version else name for name, version in (pair if len(pair) == 2 else (pair[0], "") for pair in names)}


def declared(paths, mark, suffix=""):
    found = set()
    for path in paths:
        code = re.sub(r"/\*.*?\*/|^#.*?$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
        found |= {f"{name}{suffix}" for name in re.findall(rf"\b{mark}\s[^(;]*?(cm_\w+)\(", code)}
    return found


def without_size(path):
    """Structures of options that do not begin with their size, or have no `_default`."""
    text = path.read_text()
    for name, first in re.findall(r"typedef struct (cm_\w+_options) {\s*(\w+ \w+;)?", text):
        if first != "size_t size;" or f"CM_OPTIONS_DEFAULT({name})" not in text and f"inline void {name}_default(" not in text:
            yield name


def main(library, listing, tree, build):
    headers = [*tree.glob("include/catmint/*.h"), *build.glob("include/catmint/*.h")]
    machines = re.findall(r"#include <catmint/(\w+\.h)>", (tree / "include/catmint/machines.h").read_text())
    is_machines = listing.stem == "libcatmint-machines"
    said = declared([path for path in headers if (path.name in machines) == is_machines], "CM_API")
    if not is_machines:
        said |= declared(tree.glob("src/**/*.h"), "CM_SHARED", " private")
    lines = [line for line in listing.read_text().splitlines() if not line.startswith("#")]
    wrong = [f"{listing}: it is not sorted, or has a name twice"] if lines != sorted(set(lines)) else []
    wrong += [f"{path}: {name}: expected size_t size first, and {name}_default" for path in headers for name in without_size(path)]
    for what, names in (("exported", exported(library)), ("declared", said)):
        wrong += [f"{listing}: {name}: listed and not {what}" for name in sorted(set(lines) - names)]
        wrong += [f"{listing}: {name}: {what} and not listed" for name in sorted(names - set(lines))]
    print("\n".join(wrong))
    return bool(wrong) or not lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(pathlib.Path, sys.argv[2:])))
