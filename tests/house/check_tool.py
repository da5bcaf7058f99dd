#!/usr/bin/env python3
"""Holds the files of the tree against one tool: check_tool.py TREE format|shell|spelling.

The tools are Debian 12's. Other versions format otherwise and find other things, so there the check is skipped.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

from files import files_of

SKIPPED = 77
# Of wrong spellings that are right here: a branch predictor, additions in vectors.
RIGHT_WORDS = "valu,tage,padd"


def is_c(_, name):
    return name.endswith((".c", ".h"))


def is_shell(path, name):
    return name.endswith(".sh") or "." not in path.name and path.read_bytes().startswith(b"#!/bin/sh")


def is_words(_, name):
    return not name.startswith("tests/fuzz/seeds/")


# What a check takes: programs by preference, what their --version says, options, files.
CHECKS = {
    "format": (("clang-format-14", "clang-format"), r"version 14\.", ("--dry-run", "-Werror"), is_c),
    "shell": (("shellcheck",), r"version: 0\.9\.", (), is_shell),
    "spelling": (("codespell",), r"^2\.2\.2$", ("-L", RIGHT_WORDS, "--ignore-regex", r"\\[nrt]"), is_words),
}


def find(programs, version):
    for program in filter(shutil.which, programs):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        if re.search(version, said, re.MULTILINE):
            return program
    return None


def main(top, check):
    programs, version, options, wanted = CHECKS[check]
    program = find(programs, version)
    if program is None:
        print(f"skipped: {programs[0]} as in Debian 12 is not installed")
        return SKIPPED
    names = [name for name in files_of(top) if wanted(top / name, name)]
    done = subprocess.run([program, *options, "--", *names], cwd=top, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    print(done.stdout, end="")
    return 0 if names and done.returncode == 0 and not done.stdout else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
