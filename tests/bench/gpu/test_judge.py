"""The judge of GPU programs finds nothing wrong in what catmint discovers, and everything in what is doctored."""

import contextlib
import io
import os
import unittest
from pathlib import Path

import judge

BUILD, SOURCE = Path(os.environ["CATMINT_BUILD"]), Path(os.environ["CATMINT_SOURCE"])
PROGRAMS = 40


class Judge(unittest.TestCase):
    def judged(self, model, change):
        """(how many are wrong, the metrics that are) with changed definitions."""
        found, text = judge.definitions(BUILD, model), io.StringIO()
        original, judge.definitions = judge.definitions, lambda build, model: change(found)
        self.addCleanup(setattr, judge, "definitions", original)
        with contextlib.redirect_stdout(text):
            wrong = judge.judge(BUILD, SOURCE, model, PROGRAMS, 7)
        judge.definitions = original
        return wrong, {line.split(": ")[1].split(" is ")[0] for line in text.getvalue().splitlines() if " is " in line}, set(found)

    def test_right_and_wrong(self):
        for model in ("hopper", "mi250x"):
            with self.subTest(model):
                self.assertEqual(self.judged(model, dict)[:2], (0, set()))
                _, wrong, metrics = self.judged(model, lambda found: {metric: {event: 2 * weight for event, weight in terms.items()} for metric, terms in found.items()})
                self.assertEqual(wrong, metrics)


if __name__ == "__main__":
    unittest.main()
