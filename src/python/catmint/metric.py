"""A metric and its definition."""

from typing import NamedTuple, Optional, Tuple

from catmint.errors import MissingEvents, NotComposable


class Term(NamedTuple):
    """One event of a definition."""

    event: str
    coefficient: float
    interval: Optional[Tuple[float, float]]  # holds the coefficient as solved with a probability of 95 %; None: unknown
    equivalents: Tuple[str, ...]  # events that may stand in for this one


class Metric:
    """A metric with its definition. `document` is its object in the results."""

    def __init__(self, benchmark, document):
        self.benchmark = benchmark
        self.document = document
        self.name = document["metric"]
        self.preset = document["preset"]
        self.description = document.get("description", "")
        self.composable = document["composable"]
        self.valid_above = document.get("valid_above") or []  # its range, if it does not hold everywhere: all of these
        self.valid_share = document.get("valid_share")  # of natural programs that do the metric, those in which all of these hold
        self.usable = self.composable or bool(self.valid_above)
        self.refused = document.get("refused")  # why it does not hold; None: it does, or nobody said
        self.constant = document.get("constant") or 0.0  # to be added for each iteration of a kernel
        self.backward_error = document["definition_backward_error"]
        self.misfit = document["definition_misfit"]
        intervals = {term["event"]: term.get("interval") for term in document["terms"]}
        self.terms = [Term(term["event"], term["coefficient"], _pair(intervals.get(term["event"])),
                           tuple(other["event"] for other in term.get("equivalents", ())))
                      for term in document["definition"]]

    def __repr__(self):
        return f"<{self}{'' if self.composable else ', in a range' if self.usable else ', not composable'}>"

    def __str__(self):
        terms = (f"{'-' if term.coefficient < 0 else '+'} {abs(term.coefficient):.12g} x {term.event}" for term in self.terms)
        return f"{self.name} = {' '.join(terms).removeprefix('+ ') or 'nothing'}"

    def evaluate(self, counts, anyway=False):
        """The metric's value: the sum of coefficient times count.

        `counts` gives the count of an event by its name, as the definition spells it: a dict, a pandas Series, or a
        DataFrame with a column an event, which yields a Series. A metric that is not composable is refused, since its
        definition measures something else, unless it is wanted `anyway`. One that is `valid_above` something is a
        guess elsewhere.
        """
        if not self.usable and not anyway:
            raise NotComposable(f"'{self.name}' is not composable: {self.refused or 'its definition does not measure it'}")
        if not self.terms:
            raise NotComposable(f"'{self.name}' has no definition: no event counts any of it")
        missing = [term.event for term in self.terms if term.event not in counts]
        if missing:
            raise MissingEvents(self.name, missing)
        return sum(term.coefficient * counts[term.event] for term in self.terms)

    def row(self):
        """The metric's figures and texts, as a dict."""
        validation = self.document.get("validation") or {}
        return {"benchmark": self.benchmark, "metric": self.name, "preset": self.preset, "description": self.description,
                "composable": self.composable, "usable": self.usable, "terms": len(self.terms), "backward_error": self.backward_error,
                "misfit": self.misfit, "programs": validation.get("programs", 0), "worst_program": validation.get("worst"),
                "resolution": self.document.get("resolution"), "together": self.document.get("together"),
                "refused": self.refused}

    def rows(self):
        """A dict a term of the definition."""
        return [{"benchmark": self.benchmark, "metric": self.name, "preset": self.preset, "composable": self.composable,
                 "event": term.event, "coefficient": term.coefficient, "low": term.interval and term.interval[0],
                 "high": term.interval and term.interval[1]} for term in self.terms]


def _pair(interval):
    return tuple(interval) if interval else None
