"""Results: documents of `catmint discover` and `catmint analyze` with --format json."""

import difflib

from catmint.errors import Error, read_document
from catmint.metric import Metric


class Results:
    """All metrics and events of one document, which is `document`."""

    def __init__(self, document):
        self.document = document
        self.pmu = document["pmu"]
        self.machine = document["machine"]
        self.metrics = [Metric(benchmark["benchmark"], metric) for benchmark in document["benchmarks"]
                        for metric in benchmark["metrics"]]

    def __repr__(self):
        return f"<catmint results of {self.pmu or 'a table'}: {len(self.composable)} of {len(self.metrics)} metrics composable>"

    def __iter__(self):
        return iter(self.metrics)

    def __len__(self):
        return len(self.metrics)

    @property
    def composable(self):
        """The metrics whose definitions measure them."""
        return [metric for metric in self.metrics if metric.composable]

    @property
    def usable(self):
        """These, and those that do so if the metric is frequent enough: `valid_above`."""
        return [metric for metric in self.metrics if metric.usable]

    @property
    def benchmarks(self):
        return [benchmark["benchmark"] for benchmark in self.document["benchmarks"]]

    def metric(self, name, benchmark=None):
        """The metric of that name or preset; of several, one that is usable."""
        found = [metric for metric in self.metrics if name and name in (metric.name, metric.preset) and
                 benchmark in (None, metric.benchmark)]
        found = [metric for metric in found if metric.usable] or found
        if not found:
            names = [name for metric in self.metrics for name in (metric.name, metric.preset) if name]
            near = difflib.get_close_matches(str(name), names, 3)
            raise Error(f"there is no metric '{name}'" + (f"; near it are {', '.join(near)}" if near else ""))
        if len(found) > 1:
            others = (f"'{metric.name}' of {metric.benchmark}" for metric in found)
            raise Error(f"'{name}' is {' and '.join(others)}: name one, and its benchmark")
        return found[0]

    __getitem__ = metric

    def evaluate(self, counts):
        """A dict a usable metric: its value, or None and the events that the counts lack."""
        rows = []
        for metric in self.usable:
            missing = [term.event for term in metric.terms if term.event not in counts]
            rows.append({"benchmark": metric.benchmark, "metric": metric.name, "preset": metric.preset,
                         "value": None if missing else metric.evaluate(counts), "missing": missing})
        return rows

    def metric_rows(self):
        """A dict a metric."""
        return [metric.row() for metric in self.metrics]

    def term_rows(self):
        """A dict a term of a definition."""
        return [row for metric in self.metrics for row in metric.rows()]

    def event_rows(self):
        """A dict an event and benchmark: its status and its noise."""
        names = ("event", "status", "max_rnmse", "residual", "offset", "equivalent_to")
        return [{"benchmark": benchmark["benchmark"], **{name: event.get(name) for name in names}}
                for benchmark in self.document["benchmarks"] for event in benchmark["events"]]

    def representation_rows(self):
        """A dict an event, benchmark and symbol that it counts: the coordinate."""
        return [{"benchmark": benchmark["benchmark"], "event": event["event"], "symbol": symbol, "coordinate": coordinate}
                for benchmark in self.document["benchmarks"] for event in benchmark["events"]
                for symbol, coordinate in zip(benchmark["symbols"], event["representation"] or ()) if coordinate != 0]


def load(source):
    """Results from a path, an open file, or the object that they hold."""
    return Results(read_document(source, "catmint.metrics/1"))
