#!/usr/bin/env python3
"""Names each fact that a model can use and that no natural program has: a definition by an event of such a fact is judged as if it counted nothing of it.

    tests/bench/natural/rates.py

Exits with 1 where there is one. Facts come from bases/, the list in docs/reference/pmu-models.md, kept facts, and the models' expressions."""

import fnmatch
import json
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "truth"))

import facts  # noqa: E402 pylint: disable=wrong-import-position
import programs  # noqa: E402 pylint: disable=wrong-import-position
from expressions import Expression  # noqa: E402 pylint: disable=wrong-import-position

PAGE = facts.TREE / "docs/reference/pmu-models.md"
# Programs of each class; a rate is never 0, so few do.
COUNT = 2
ARCHITECTURES = ("x86_64", "aarch64", "ppc64le", "riscv64")
# A machine that has all that machine.csv can say.
WHOLE = {key: 1 for key in """l2_size l3_size l1i_size dtlb_entries itlb_entries stlb_entries huge_page_size l1d_prefetch_ahead l2_prefetch_ahead prefetch_instructions
         wrong_path_accesses wrong_path_fetches store_forwarding macro_fusion operations opcache_entries combining_buffers fill_accesses walk_cache_entries walk_accesses
         interrupt_every interrupt_instructions""".split()}
# What natural programs need not have, and why.
WITHOUT = {"gpu_*": "of GPUs, whose programs are no natural ones",
           "load_uses": "no model counts it", "jump_uses": "no model counts it",
           **{name: "of time, which no kernel counts" for name in ("cycles", "slots", "slots_*", "stall_*", "commits_*", "waits_*", "in_core_cycles")}}


def _cells(text, heading):
    """The cells of the rows of a heading's tables."""
    part = re.split(r"\n#+ ", text.split(f"\n{heading}\n", 1)[1])[0]
    return [line.split("|")[1:3] for line in part.splitlines() if line.startswith("| `")]


def listed(text):
    """Facts of the page's list: all names of the first column, and those of the second that are no key of machine.csv."""
    keys = {name for line in text.splitlines() for name in re.findall(r"`([a-z0-9_]+)`", line.split("|")[1] if line.startswith("| `") else "")}
    found, said = set(), set()
    for name, meaning in _cells(text, "## Facts"):
        found.update(re.findall(r"`([a-z][a-z0-9_]*)`", name))
        said.update(one for one in re.findall(r"`([a-z][a-z0-9]*_[a-z0-9_]*[a-z0-9])`", meaning) if one not in keys)
    return found | said


def expressions(tree):
    """Names in the expressions of the tree's models."""
    found = set()
    for path in [*tree.glob("data/pmu/**/events.csv"), *tree.glob("data/pmu/**/uncore.csv")]:
        for row in facts.read_table(path):
            if row["expression"] not in ("", "none", "unknown", None):
                found.update(Expression(row["expression"]).names)
    return found


def usable(tree=facts.TREE):
    """Every fact that a model can use."""
    found = listed(PAGE.read_text(encoding="utf-8")) | expressions(tree)
    for table in ("primitive", "derived"):
        found.update(row["fact"] for row in facts.read_table(tree / f"bases/{table}-facts.csv"))
    for path in tree.glob("data/facts/*/manifest.json"):
        found.update(json.loads(path.read_text(encoding="utf-8"))["facts"])
    return found


def had():
    """Facts that some natural program has, on some machine that has everything."""
    found = set()
    for architecture in ARCHITECTURES:
        made = programs.of(programs.Machine({**WHOLE, "architecture": architecture}), COUNT)
        found.update(name for one in made.values() for program in one for name, value in program.items() if value)
    return found


def missing():
    """Facts that have no rate and need one."""
    return sorted(name for name in usable() - had() if not any(fnmatch.fnmatch(name, pattern) for pattern in WITHOUT))


def main():
    found = missing()
    for name in found:
        print(f"{name}: no natural program has it; give it a rate in classes.csv")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
