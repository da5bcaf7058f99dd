"""Errors, and documents of catmint, which are checked when they are read."""

import json


class Error(Exception):
    """A file that is wrong, or a metric that is not there or cannot be evaluated."""


class MissingEvents(Error):
    """Counts that lack events of a definition: `events` names them."""

    def __init__(self, metric, events):
        super().__init__(f"the counts lack events of '{metric}': {', '.join(events)}")
        self.events = events


class NotComposable(Error):
    """A definition that does not measure its metric."""


def read_document(source, schema):
    """An object of that schema from a path, an open file, or as it is."""
    if isinstance(source, dict):
        document, name = source, "the document"
    elif hasattr(source, "read"):
        document, name = parse(source.read(), "the file"), "the file"
    else:
        with open(source, encoding="utf-8") as stream:
            document, name = parse(stream.read(), source), source
    found = document.get("schema") if isinstance(document, dict) else None
    if found != schema:
        raise Error(f"{name}: the schema is {found!r}, expected {schema!r}")
    return document


def parse(text, name):
    try:
        return json.loads(text)
    except ValueError as fault:
        raise Error(f"{name}: this is no JSON: {fault}") from fault
