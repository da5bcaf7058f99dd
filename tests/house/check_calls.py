#!/usr/bin/env python3
"""Holds the calls of the object files against the floors of the house: check_calls.py TREE NM OBJECT...

A header may stand low and its function high: include lines do not show that, the symbols of the objects do. Each symbol
that an object needs must be defined in its own room, in one of a lower floor, or where check_includes.py or a table below allows it.
Files of a room call one another in one direction: there are no circles.
"""
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from check_includes import LEVEL, find_rooms, may, room_of

# Tables of rows, which may call the rooms that lie in theirs: one row a format, or what the architecture has.
TABLES = ("cat-kernels/code_chain.c", "cat-kernels/isa.c", "cat-kernels/registry.c", "counting/machine.c", "formats/formats.c", "programs/programs.c",
          "software_pmu/engine.c")
# What a room's own header declares and one of its folders gives, the one that the build chooses.
CHOSEN = (("counting", "counting/papi"), ("counting", "counting/direct"), ("software_pmu/qemu", "software_pmu/x86_64"), ("machines", "machines/x86_64"))


def source_of(tree, name):
    """src/core/text.c.o below any folder of objects is core/text.c."""
    parts = Path(name).with_suffix("").parts
    for i in range(len(parts)):
        path = Path(*parts[i:])
        if parts[i] in ("src", "cat-kernels") and (tree / path).is_file():
            return str(path).removeprefix("src/")
    return None


def symbols_of(nm, objects):
    """Of each object the names that it defines for others and those that it needs."""
    text = subprocess.run([nm, "-A", "-g", "-P", *objects], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        found = re.match(r"(.+?): (\S+) (\w)", line)
        if found:
            yield found[1], found[2], found[3] not in "UwvWV"


def circles(calls):
    """Files of one room that call each other in a circle, one list a circle; {file: {file that it calls: symbol}}."""
    while True:
        try:
            TopologicalSorter(calls).prepare()
            return
        except CycleError as found:
            circle = found.args[1][::-1]  # each calls the one behind it
            yield circle
            calls[circle[0]].pop(circle[1])


def circle_text(calls, circle):
    return "a circle of files: " + ", ".join(f"{one} calls {calls[one][other]} of {other}" for one, other in zip(circle, circle[1:]))


def main(tree, nm, objects):
    find_rooms(tree)
    defined, needed, used, wrong = {}, [], set(), []
    for name, symbol, own in symbols_of(nm, objects):
        source = source_of(tree, name)
        if source is None:
            wrong.append(f"{name}: is of no source of this tree")
        elif own:
            defined[symbol] = source
        else:
            needed.append((source, symbol))
    calls = {}
    for source, symbol in needed:
        if symbol not in defined:
            continue
        if defined[symbol] != source and defined[symbol].split("/")[0] == source.split("/")[0]:
            calls.setdefault(source, {})[defined[symbol]] = symbol
        room, other = room_of(source), room_of(defined[symbol])
        if room not in LEVEL or other not in LEVEL:
            wrong.append(f"{source}: no floor has {room} or {other}")
        elif source in TABLES and other.startswith(room + "/"):
            used.add(source)
        elif (room, other) not in CHOSEN and not may(room, other):
            wrong.append(f"{source}: {room} must not call {other}: {symbol} of {defined[symbol]}")
    wrong += [f"{__file__}: nothing needs '{edge}' any more" for edge in TABLES if edge not in used]
    for circle in circles({source: dict(others) for source, others in calls.items()}):
        wrong.append(circle_text(calls, circle))
    print("\n".join(dict.fromkeys(wrong)), end="\n" if wrong else "")
    return bool(wrong) or not defined


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
