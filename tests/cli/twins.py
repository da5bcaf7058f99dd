"""Events of one name in two components, on any machine: the software PMU's, and those of a component that is preloaded."""

import csv
import json
import os

import support

MODELS = ("golden-cove", "skylake", "zen4")
COMPONENTS = ("--component", "sde", "--component", "twin")
PRELOAD = support.preloading(os.environ["CATMINT_TWIN_COMPONENT"])
REFUSED, COUNTED, CRASHING = "!", "", "+"


def marked(model):
    """Namesakes of all of a model's events, as a perf_event that counts some of them lists them: {name: mark}. One
    crashes once it is counted; one more has no namesake."""
    marks = {name: COUNTED if number % 7 == 0 else REFUSED for number, name in enumerate(support.counted_events(model))}
    marks[support.counted_events(model)[3]] = CRASHING
    return {**marks, "ALONE:HERE": COUNTED}


def prefixed(model):
    """What tables name with the component then."""
    shared = [name for name, mark in marked(model).items() if mark != REFUSED and name != "ALONE:HERE"]
    return {f"{component}:::{name}" for component in ("sde", "twin") for name in shared}


def environment(case, marks):
    """That in which the component `twin` lists these events."""
    path = case.write("twin-events", "".join(f"{mark}{name}\n" for name, mark in marks.items()))
    return {**PRELOAD, "TWIN_EVENTS": str(path)}


def read(directory, name):
    lines = [line for line in (directory / name).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def keys(directory, benchmark="cpu-flops"):
    """What identifies the rows of a table, in their order."""
    return [(row["event"], row["repetition"], row["thread"]) for row in read(directory, f"{benchmark}.csv")]


def events(directory):
    """Of every event what a sweep of the same finds again: why it crashed may be said otherwise."""
    return [(row["event"], row["component"], row["status"]) for row in read(directory, "events.csv")]


def manifest(directory):
    return json.loads((directory / "manifest.json").read_text())
