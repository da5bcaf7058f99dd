#!/usr/bin/env python3
"""Holds the kernels of docs/howto/add-an-architecture.md against what stands in for them: check_howto.py TREE CC NM

They compile, and define what cat-kernels/none defines: the library needs all of it."""

import pathlib
import re
import subprocess
import sys
import tempfile


def defined(tree, compiler, nm, source, folder):
    """Names of what a file of C defines for others."""
    out = pathlib.Path(folder) / "kernels.o"
    subprocess.run([compiler, "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", f"-I{tree}", f"-I{tree}/include", f"-I{tree}/src", "-c", source, "-o", out], check=True)
    lines = subprocess.run([nm, "--defined-only", "--extern-only", out], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def main():
    tree, compiler, nm = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    page = tree / "docs/howto/add-an-architecture.md"
    block, = [text for text in re.findall(r"(?ms)^```\n(.*?)^```$", page.read_text(encoding="utf-8")) if '#include "cat-kernels/registry.h"' in text]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernels.c"
        source.write_text(block, encoding="utf-8")
        differ = defined(tree, compiler, nm, source, folder) ^ defined(tree, compiler, nm, tree / "cat-kernels/none/kernels.c", folder)
    for name in sorted(differ):
        print(f"{page}: {name}: only one of its kernels.c and cat-kernels/none/kernels.c defines it")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
