#!/usr/bin/env python3
"""Holds the include lines of src/, cat-kernels/ and include/ against the floors of the house: check_includes.py TREE.

A room may include itself, the folder that it lies in, and rooms of lower floors; others of its floor only where SIDEWAYS
says so. Names each line that does otherwise, and each exception that nothing needs any more.
"""
import re
import sys
from pathlib import Path

# From the lowest floor to the highest. A folder belongs to the longest name that it begins with; * stands for each folder there.
FLOORS = (
    "core",
    "gpu",
    "cat-kernels cat-kernels/*",
    "formulas/events result/bundle result/bundle/none",
    "analysis",
    "analysis/solving",
    "tables formulas",
    "formats formats/*",
    "formulas/lint",
    "software_pmu software_pmu/*",
    "programs programs/*",
    "counting counting/*",
    "counting/doctor",
    "sweep/plan sweep/record sweep/run verify",
    "law verify/freestanding verify/snippet",
    "discovery",
    "verify/validation",
    "result",
    "audit formats/export formulas/evaluate",
    "count",
    "report report/*",
    "machines machines/*",  # libcatmint-machines: no room of libcatmint is above
    "machines/report",
    "cli",
)

# The room of a public header that is not called as its room is.
HEADERS = {
    "data_path": "core", "core_type": "core", "error": "core", "api": "core", "matrix": "core", "output": "core", "style": "core", "text": "core", "version": "core", "kernels": "cat-kernels",
    "names": "formulas/events", "import": "formats/cat", "import_table": "formats/sheet", "import_ncu": "formats/ncu", "import_console": "formats/console", "sweep": "sweep/plan", "merge": "sweep/record", "from_facts": "sweep/record", "request": "law", "results": "discovery", "definitions": "result", "kept": "result",
    "export_definitions": "formats/export", "validation": "verify/validation", "catmint": "cli", "view": "report", "project": "machines/projection", "roofline": "machines", "incore": "machines", "ports": "machines/ports", "machines": "machines/report", "evaluate": "formulas/evaluate", "doctor": "counting/doctor", "snippet": "verify/snippet", "freestanding": "verify/freestanding", "bundle": "result/bundle",
}

SIDEWAYS = (
    "cat-kernels -> cat-kernels/gpu",  # the registry has them, too
    "formats/ncu -> formats/sheet",  # cells, numbers and counts of a foreign table
    "software_pmu/model -> software_pmu/machine",
    "software_pmu/x86_64 -> software_pmu/machine",
    "software_pmu/x86_64 -> software_pmu/qemu",
    "software_pmu/aarch64 -> software_pmu/machine",
    "software_pmu/aarch64 -> software_pmu/qemu",  # what a decoder gives
    "software_pmu/ppc64le -> software_pmu/machine",
    "software_pmu/ppc64le -> software_pmu/qemu",
    "software_pmu/riscv64 -> software_pmu/qemu",
    "software_pmu/qemu -> software_pmu/machine",
    "software_pmu -> software_pmu/gpu",  # the engine for GPUs
    "software_pmu/gpu -> software_pmu/machine",
    "sweep/record -> sweep/plan",
    "sweep/run -> sweep/plan",
    "sweep/run -> sweep/record",
    "verify -> sweep/plan",
    "verify -> sweep/run",
    "counting -> counting/raw",  # sets by code beside the source's
    "counting -> counting/uncore",  # and sets of a socket's events
    "counting/uncore -> counting/raw",  # formats of devices
    "machines -> machines/ports",  # predictions beside measured loops
    "machines/projection -> machines",
    "report/compare -> report/view",
    "report/plots -> report/view",
    "report/html -> report/view",
    "report/html -> report/compare",
    "report/html -> report/plots",
)

LEVEL = {}


def find_rooms(top):
    for level, rooms in enumerate(FLOORS):
        for room in rooms.split():
            folders = [*top.glob(room), *top.glob(f"src/{room}")] if "*" in room else [top / room]
            found = [str(path.relative_to(top)).removeprefix("src/") for path in folders if "*" not in room or path.is_dir()]
            LEVEL.update(dict.fromkeys(found, level))


def room_of(path):
    """Of a path below src, or of one that begins with cat-kernels."""
    parts = path.split("/")[:-1]
    while parts and "/".join(parts) not in LEVEL:
        parts.pop()
    return "/".join(parts)


def included(folder, line):
    """The room that a line includes, None where it is none of catmint's."""
    public = re.match(r"\s*#\s*include\s*<catmint/(\w+)\.h>", line)
    if public:
        return HEADERS.get(public[1], public[1])
    own = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
    return room_of(own[1] if "/" in own[1] else f"{folder}/{own[1]}") if own else None


def may(room, other):
    return room == other or LEVEL[other] < LEVEL[room] or \
        f"{room} -> {other}" in SIDEWAYS or f"{room} -> {room}/*" in SIDEWAYS and other.startswith(room + "/") or \
        LEVEL[other] == LEVEL[room] and room.startswith(other + "/")


def main(top):
    find_rooms(top)
    needed, wrong = set(), []
    for path in sorted([*top.glob("src/**/*.[chS]"), *top.glob("cat-kernels/**/*.[chS]"), *top.glob("include/catmint/*.h")]):
        name = str(path.relative_to(top)).removeprefix("src/")
        room = HEADERS.get(path.stem, path.stem) if name.startswith("include/") else room_of(name)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            other = included(name.rpartition("/")[0], line)
            if other is None:
                continue
            needed |= {f"{room} -> {other}", f"{room} -> {other.rpartition('/')[0]}/*"}
            if room not in LEVEL or other not in LEVEL:
                wrong.append(f"{path}:{number}: no floor has a room of this: {line.strip()}")
            elif not may(room, other):
                wrong.append(f"{path}:{number}: {room} must not include {other}: {line.strip()}")
    wrong += [f"{__file__}: nothing needs '{edge}' any more" for edge in SIDEWAYS if edge not in needed]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
