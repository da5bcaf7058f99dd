"""Random models of the software PMU, whose kernels are run: what the judge knows of their events is what they count."""

import argparse
import os
import unittest

import facts
import run

PROGRAM = os.environ["CATMINT_PROGRAM"]


class Live(unittest.TestCase):
    def test_honest_events_measure_what_they_are(self):
        for benchmark in facts.BENCHMARKS:
            with self.subTest(benchmark):
                tally = run.run(argparse.Namespace(program=PROGRAM, count=1, first=1, seed="live", benchmark=[benchmark], jobs=1,
                                                   kernels="tree", bare=False, live=True, keep=None))[benchmark]
                self.assertEqual((tally.counts["tables"], tally.failures), (1, []))
                self.assertGreater(tally.counts["kind honest", "claims"], 0)
                self.assertEqual(tally.counts["kind honest", "wrong"], 0, tally.worst)


if __name__ == "__main__":
    unittest.main(verbosity=2)
