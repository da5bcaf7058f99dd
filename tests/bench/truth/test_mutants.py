"""Each rule of the method is needed: a program with one of them changed gets something wrong, or finds less. Of the PMUs of a seed those run that show it:
where a change of the method moves that, run.py with CATMINT_MUTATION finds others."""

import argparse
import csv
import os
import pathlib
import tempfile
import unittest

import cases
import facts
import run

PLAIN, MUTANT = os.environ["CATMINT_PROGRAM"], os.environ["CATMINT_MUTANT"]


def mutated(name):
    os.environ["CATMINT_MUTATION"] = name


class Mutants(unittest.TestCase):
    def tearDown(self):
        os.environ.pop("CATMINT_MUTATION", None)

    def counts(self, mutation, program=MUTANT, benchmark="branch", count=12, seed="1", first=0, bare=False, neighbour=None):
        mutated(mutation)
        tally = run.run(argparse.Namespace(program=program, count=count, first=first, seed=seed, benchmark=[benchmark], jobs=1, kernels="tree",
                                           bare=bare, live=False, keep=None, method="catmint", neighbour=neighbour))[benchmark]
        self.assertEqual(tally.failures, [])
        return tally.counts

    def missed(self, mutation):
        mutated(mutation)
        return {row["case"] for row, good, _ in cases.compare(MUTANT) if not good}

    def test_nothing_changed(self):
        """The mutant is the program where nothing is changed."""
        self.assertEqual(self.missed(""), set())

    def test_small_tables(self):
        for mutation, case in (("round counts", "10"), ("round freely", "10"), ("tolerance x 3", "13")):
            with self.subTest(mutation):
                self.assertIn(case, self.missed(mutation))

    def test_lawless(self):
        """Nobody else judges what is near a metric, alternatives among it."""
        chosen = {"seed": "7", "first": 3, "count": 2}
        plain, without = self.counts("", **chosen), self.counts("lawless", **chosen)
        self.assertEqual(plain["all", "wrong"], 0)
        self.assertGreaterEqual(without["all", "wrong"], 2)

    def test_constants(self):
        """With others, metrics are lost that are found else; unit.law_constants has the rest."""
        chosen = {"benchmark": "dcache", "count": 6, "seed": "a1"}
        plain = self.counts("", **chosen)
        self.assertEqual(plain["all", "wrong"], 0)
        for mutation in ("rule sure 10", "rule prior 20", "rule fit 50"):
            with self.subTest(mutation):
                self.assertLess(self.counts(mutation, **chosen)["all metrics", "found"], plain["all metrics", "found"])

    def test_a_neighbour_that_comes_and_goes(self):
        """Where disturbed runs are kept like others, metrics are lost that are found else."""
        chosen = {"benchmark": "dcache", "count": 5, "seed": "nb5", "neighbour": 0.05}
        plain, without = self.counts("", **chosen), self.counts("disturbed runs like others", **chosen)
        self.assertEqual(plain["all", "wrong"], 0)
        self.assertLess(without["all metrics", "found"], 0.95 * plain["all metrics", "found"])

    def test_no_controls(self):
        """That nothing was controlled is no excuse where the table has control kernels. With them, nothing of these is wrong (truth.judge)."""
        self.assertGreater(self.counts("no controls", first=5, count=7)["all", "wrong"], 3)

    def test_no_nuisance_symbols(self):
        """Without symbols for calls, returns and indirect jumps the sums that hold them are gone."""
        mutated("")
        pmu_options = run.options_of
        with tempfile.TemporaryDirectory() as folder:
            options = []
            for kind in ("basis", "signatures"):
                path = pathlib.Path(folder) / f"{kind}.csv"
                rows = facts.read_table(facts.TREE / {"basis": "bases"}.get(kind, kind) / "branch.csv")
                with open(path, "w", newline="", encoding="utf-8") as stream:
                    writer = csv.DictWriter(stream, [name for name in rows[0] if name not in ("CALL", "RET", "IND")], extrasaction="ignore")
                    writer.writeheader()
                    writer.writerows(rows)
                options += [f"--{kind}", str(path)]
            run.options_of = lambda pmu, method: options + pmu_options(pmu, method)
            try:
                fewer = self.counts("", count=3)
            finally:
                run.options_of = pmu_options
        self.assertLess(fewer["all metrics", "found"], self.counts("", count=3)["all metrics", "found"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
