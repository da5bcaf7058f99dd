"""Random models of the software PMU, whose kernels are run: what the judge knows of their events is what they count."""

import argparse
import os
import unittest

import run

PROGRAM = os.environ["CATMINT_PROGRAM"]


class Live(unittest.TestCase):
    def test_models(self):
        for benchmark, first in (("branch", 1), ("cpu-flops", 5), ("dcache", 0)):  # the first two have a system, the last two habits
            with self.subTest(benchmark):
                tally = run.run(argparse.Namespace(program=PROGRAM, count=1, first=first, seed="live", benchmark=[benchmark], jobs=1,
                                                   kernels="tree", bare=False, live=True, programs="4", keep=None, method="catmint"))[benchmark]
                self.assertEqual((tally.counts["tables"], tally.failures, tally.worst), (1, [], []))
                self.assertGreater(tally.counts["kind honest", "claims"], 0)

    def test_controls_take_part_in_solving(self):
        """Events that are alike on what is fitted differ in what controls show: which to take is for the solving to find."""
        metrics = run.analyse(PROGRAM, "discover", "--pmu", "software:golden-cove", "--component", "sde", "--benchmark", "branch", "--repetitions", "2",
                              "--programs", "4")[0]["metrics"]
        entry = next(metric for metric in metrics if metric["metric"] == "Correctly Predicted Branches")
        self.assertTrue(entry["composable"], entry["refused"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
