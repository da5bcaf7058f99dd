"""No right formula is called wrong, no wrong one right, and no definition is worse than what audits.csv has for its model, by kept facts: of two models,
with CATMINT_LONG=1 of all."""

import os
import pathlib
import unittest

import audits
import facts

LONG = os.environ.get("CATMINT_LONG") == "1"
QUICK = ("golden-cove", "neoverse-v2")
BOUNDS = {row["model"]: row for row in facts.read_table(pathlib.Path(__file__).resolve().parent / "audits.csv")}
BOUNDED = ("false alarms", "missed", "needless ranges", "lost")


class Audits(unittest.TestCase):
    def test_models(self):
        for model in BOUNDS if LONG else QUICK:
            found = audits.Judged(audits.Program(os.environ["CATMINT_PROGRAM"]), model)
            self.assertGreaterEqual(found.counts["right"], 1)
            self.assertGreater(found.counts["wrong"], found.counts["right"])
            self.assertEqual(found.counts["untrue notes"], 0, [line for line in found.lines if "untrue notes" in line])
            for what in BOUNDED:
                with self.subTest(model=model, what=what):
                    self.assertLessEqual(found.counts[what], int(BOUNDS[model][what]), [line for line in found.lines if f": {what}: " in line])

    def test_tables(self):
        """Every model with kept facts has its bounds; one that inherits has its own events, and the machine of another."""
        self.assertEqual(sorted(BOUNDS), audits.kept_models())
        events, keys = audits.whole_model("haswell")
        self.assertIn("BR_INST_RETIRED:ALL_BRANCHES", events)
        self.assertNotIn("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", events)
        self.assertEqual(keys["architecture"], "x86_64")


if __name__ == "__main__":
    unittest.main(verbosity=2)
