"""The judge of GPU programs finds nothing wrong in what catmint discovers, and everything in what is doctored."""

import contextlib
import io
import itertools
import os
import unittest
from pathlib import Path

import judge

BUILD, SOURCE = Path(os.environ["CATMINT_BUILD"]), Path(os.environ["CATMINT_SOURCE"])
PROGRAMS = 40


class Judge(unittest.TestCase):
    def judged(self, benchmark, model, change):
        """(how many are wrong, the metrics that are) with changed definitions."""
        found, text = judge.definitions(BUILD, model, benchmark), io.StringIO()
        original, judge.definitions = judge.definitions, lambda *_: change(found)
        self.addCleanup(setattr, judge, "definitions", original)
        with contextlib.redirect_stdout(text):
            wrong = judge.judge(BUILD, SOURCE, benchmark, model, PROGRAMS, 7)
        judge.definitions = original
        return wrong, {line.split(": ")[1].split(" is ")[0] for line in text.getvalue().splitlines() if " is " in line}, set(found)

    def test_right_and_wrong(self):
        for benchmark, model in itertools.product(judge.PROGRAMS, ("hopper", "mi250x")):
            with self.subTest(benchmark=benchmark, model=model):
                self.assertEqual(self.judged(benchmark, model, dict)[:2], (0, set()))
                _, wrong, metrics = self.judged(benchmark, model, lambda found: {metric: {event: 2 * weight for event, weight in terms.items()} for metric, terms in found.items()})
                self.assertEqual(wrong, metrics)


if __name__ == "__main__":
    unittest.main()
