"""Reads catmint's results, as rows for pandas, and evaluates definitions on counts.

    results = catmint.load("results.json")
    results["DP Ops."].evaluate({"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE": 1000, ...})
    pandas.DataFrame(results.term_rows())
"""

from catmint.counts import Counts, load_counts, read_counts
from catmint.errors import Error, MissingEvents, NotComposable
from catmint.metric import Metric, Term
from catmint.results import Results, load
from catmint.version import __version__

__all__ = ["Counts", "Error", "Metric", "MissingEvents", "NotComposable", "Results", "Term", "load", "load_counts",
           "read_counts", "__version__"]
