"""With a constant of the method at another value, audits or definitions of a model with kept facts are visibly worse: rows of audits_mutants.csv."""

import os
import pathlib
import unittest

import audits
import facts

ROWS = facts.read_table(pathlib.Path(__file__).resolve().parent / "audits_mutants.csv")


def counts(model, mutation):
    os.environ["CATMINT_MUTATION"] = mutation
    try:
        return audits.Judged(audits.Program(os.environ["CATMINT_MUTANT"]), model).counts
    finally:
        os.environ.pop("CATMINT_MUTATION")


class Mutants(unittest.TestCase):
    def test_mutants(self):
        plain = {model: counts(model, "") for model in sorted({row["model"] for row in ROWS})}
        for row in ROWS:
            with self.subTest(**row):
                less, least = plain[row["model"]][row["what"]], int(row["change"])
                change = counts(row["model"], row["mutation"])[row["what"]] - less
                self.assertGreaterEqual(change if least > 0 else -change, abs(least))


if __name__ == "__main__":
    unittest.main(verbosity=2)
