#!/usr/bin/env python3
"""Bytes and arithmetic intensity of STREAM and matrix products, by definitions found live, as tests/cli/workloads.py holds them against the algorithms.

usage: tests/bench/bytes.py PROGRAM"""

import os
import pathlib
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ |= {"CATMINT_PROGRAM": str(pathlib.Path(sys.argv[1]).resolve()), "CATMINT_SOURCE": str(TREE)}
sys.path.insert(0, str(TREE / "tests/cli"))

import workloads  # after the path  pylint: disable=wrong-import-position

case = workloads.Workloads()
case.setUp()
print("| workload | operations | bytes loaded | bytes stored | operations a byte |\n| --- | --- | --- | --- | --- |")
for name in case.counts:
    if name.startswith(("stream-", "matrix-default.", "matrix-transposed.")):
        operations, loaded, stored = case.values(name)
        print(f"| `{name}` | {operations:,.0f} | {loaded:,.0f} | {stored:,.0f} | {operations / (loaded + stored):.5f} |")
case.test_bytes_and_intensity()
print(f"All within {100 * workloads.WITHIN:g} % of the algorithms.")
case.doCleanups()
