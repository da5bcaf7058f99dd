"""Counts: documents of `catmint count --format json`, and tables of counts."""

import csv
import math

from catmint.errors import Error, read_document


class Counts:
    """The counts of one program. `document` is all of it."""

    def __init__(self, document):
        self.document = document
        self.pmu = document["pmu"]
        self.command = document["command"]

    def rows(self):
        """A dict a metric of each scope: the program, then threads, regions and intervals."""
        return self._rows("metrics", "metric")

    def event_rows(self):
        """The same of events."""
        return self._rows("events", "event")

    def events(self, scope="program", number=0, name=""):
        """{event: count} of one scope, for Metric.evaluate; events that were not counted are left out."""
        return {row["event"]: row["value"] for row in self.event_rows() if row["value"] is not None and
                (row["scope"], row["number"], row["name"]) == (scope, number, name)}

    def _rows(self, member, kind):
        return [{"scope": scope["scope"], "number": scope["number"], "name": scope["name"], kind: value[kind],
                 **{name: value.get(name) for name in ("value", "lowest", "highest", "repetitions", "repetitions_error", "reason")},
                 **({name: value.get(name) for name in ("definition_error", "error", "error_because", "valid_above", "in_range")} if kind == "metric" else {})}
                for scope in self.document["scopes"] for value in scope[member]]


def load_counts(source):
    """Counts of a program from a path, an open file, or the object that they hold."""
    return Counts(read_document(source, "catmint.count/1"))


def read_counts(path):
    """{run: {event: count}} of a table `event,<run>,...`, as `catmint evaluate --counts` takes it."""
    with open(path, encoding="utf-8-sig", newline="") as stream:
        rows = [row for row in csv.reader(line for line in stream if not line.startswith("#")) if row]
    if not rows or rows[0][0] != "event" or len(rows[0]) < 2:
        raise Error(f"{path}: expected a header 'event,<run>,...'")
    runs = {run: {} for run in rows[0][1:]}
    if len(runs) != len(rows[0]) - 1:
        raise Error(f"{path}: two runs have the same name")
    for event, *counts in rows[1:]:
        if len(counts) != len(runs):
            raise Error(f"{path}: '{event}' has {len(counts)} counts, expected {len(runs)}")
        for run, count in zip(runs, counts):
            runs[run][event] = _number(path, event, count)
    return runs


def _number(path, event, text):
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Error(f"{path}: '{text}', of '{event}', is no number")
    return number
