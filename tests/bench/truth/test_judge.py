"""The judge on trial: hand-made definitions whose right and wrong are known, its own tables against the tree's, and small runs.

What the method of today makes of the fixed seed is told here, too: where a method is meant to change it, this test changes with it."""

import argparse
import csv
import math
import os
import random
import subprocess
import tempfile
import types
import unittest
import zlib
from fractions import Fraction

import algebra
import cases
import excuse
import facts
import generate
import judge
import programs
import run
import tables
import world

PROGRAM = os.environ["CATMINT_PROGRAM"]
LONG = "CATMINT_LONG" in os.environ  # ten times as many tables
SEED = "1"  # of the run whose figures are known; docs/evidence/truth.md has more of them


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


def paper_table(folder, benchmark):
    """A basis or signatures of the paper's kernels, wherever the tree has them."""
    apart = facts.TREE / folder / "paper" / f"{benchmark}.csv"
    return rows_of(apart if apart.exists() else facts.TREE / folder / f"{benchmark}.csv")


def numbers(count=2, seed=SEED, benchmark="branch", **more):
    given = {"program": PROGRAM, "count": count, "first": 0, "seed": seed, "benchmark": [benchmark], "jobs": 1, "kernels": "paper",
             "bare": False, "live": False, "keep": None, "method": "catmint"}
    return argparse.Namespace(**(given | more))


class Algebra(unittest.TestCase):
    def test_expressions(self):
        self.assertEqual(facts.parse("2*a - (b + 0.5*c)/2"), {"a": 2, "b": Fraction(-1, 2), "c": Fraction(-1, 4)})
        self.assertEqual(facts.parse("a - a"), {})
        for wrong in ("a*b", "1", "a + 1", "1/a", "a if b else c"):
            with self.subTest(wrong), self.assertRaises(ValueError):
                facts.parse(wrong)

    def test_derived_facts_go_down_to_primitive_ones(self):
        derived = world.load("paper").derived
        self.assertEqual(facts.primitive(facts.parse("loads - l1d_load_miss"), derived), {"l1d_load_hit": 1})

    def test_solutions_are_exact(self):
        span = algebra.Span()
        vectors = [facts.parse(text) for text in ("a + b", "3*b + c", "a + 4*b + c", "c - b")]
        self.assertEqual([span.take(vector) for vector in vectors], [True, True, False, True])
        solution = span.solve(facts.parse("a"))
        self.assertEqual(facts.add(*((c, vectors[number]) for number, c in solution.items())), {"a": 1})
        self.assertIsNone(span.solve(facts.parse("a + d")))

    def test_what_costs_cancellation(self):
        near = [facts.parse("a"), facts.parse("a + 0.01*b")]
        cost = algebra.cheapest(near, {"b": facts.parse("b"), "a": facts.parse("3*a"), "c": facts.parse("c")}, [[0, 1], [1, 0]])
        self.assertEqual(cost["a"], 1)
        self.assertGreater(cost["b"], 100)
        self.assertEqual(cost["c"], math.inf)


class Data(unittest.TestCase):
    """The judge's tables say what the tree's say: each was written for itself."""

    def test_kernels_and_bases(self):
        paper = world.load("paper")
        for benchmark in facts.PAPERS:
            kernels = {kernel.name: kernel for kernel in paper.of(benchmark)}
            rows = paper_table("bases", benchmark)
            self.assertEqual({row["kernel"] for row in rows}, set(kernels))
            for row in rows:
                for symbol, expression in paper.symbols[benchmark].items():
                    self.assertEqual(facts.value(expression, kernels[row["kernel"]].exact), Fraction(row[symbol]), (row["kernel"], symbol))

    def test_meanings_and_signatures(self):
        paper = world.load("paper")
        for benchmark in facts.PAPERS:
            found = generate.Pmu(paper, benchmark, "any").signatures
            for row in paper_table("signatures", benchmark):
                wanted = {symbol: Fraction(row[symbol]) for symbol in paper.symbols[benchmark] if Fraction(row[symbol])}
                self.assertEqual(found[row["metric"]], wanted, row["metric"])

    def test_the_tree_itself(self):
        tree = world.load("tree")
        for benchmark in facts.BENCHMARKS:
            metrics = {row["metric"] for row in rows_of(facts.TREE / f"signatures/{benchmark}.csv")}
            self.assertEqual(set(generate.Pmu(tree, benchmark, "any").signatures), metrics)

    def test_truth_cases_count_what_is_said_of_them(self):
        paper = world.load("paper")
        for case, events in cases.truths(paper).items():
            table = rows_of(cases.CASES / f"{case}.csv")
            runs = next((row for row in table if row["event"] == "iterations"), {})
            kernels = [kernel for kernel in paper.kernels if kernel.name in table[0]]
            for event in events:
                row = next(row for row in table if row["event"] == event.name)
                for kernel in kernels if event.known else ():
                    count, wanted = float(row[kernel.name]) / float(runs.get(kernel.name, 1)), float(facts.value(event.facts, kernel.exact))
                    self.assertLessEqual(abs(count - wanted), 0.25 * max(abs(wanted), 0.4), (case, event.name, kernel.name))


class Judge(unittest.TestCase):
    """Claims by hand, on events whose truth is known."""

    EVENTS = {"TAKEN": "branches_cond_taken", "OVER": "1.04*branches_cond_taken", "COND": "branches_cond",
              "JUMPS": "branches_uncond + calls", "RARE": "branches_cond_taken + 0.0001*instructions", "MEET": "branches_cond_taken",
              "BOTH": "branches_cond_taken + 0.05*turns"}

    def setUp(self):
        self.paper = world.load("paper")
        self.programs = programs.Programs(self.paper, random.Random("judge"))
        self.pmu = generate.Pmu(self.paper, "branch", "judge")
        self.pmu.events = []
        for name, text in self.EVENTS.items():
            event = generate.Event("honest", facts.parse(text))
            event.name = name
            event.pairs = [(Fraction(1, 5), "branches_cond_taken", "calls")] * (name in ("MEET", "BOTH"))
            self.pmu.events.append(event)

    def claims(self, metric, terms, **more):
        entry = {"metric": metric, "composable": True, "alternatives": [], "limited": None,
                 "definition": [{"event": name, "coefficient": c} for name, c in terms.items()]} | more
        return judge.Verdict(self.pmu, [entry], self.programs).claims

    def test_right_and_wrong(self):
        for metric, terms, wrong in (
                ("Conditional Branches Taken", {"TAKEN": 1}, False),
                ("Conditional Branches Taken", {"TAKEN": 1.014}, False),
                ("Conditional Branches Taken", {"TAKEN": 1.016}, True),
                ("Conditional Branches Taken", {"TAKEN": 0.984}, True),
                ("Conditional Branches Taken", {"OVER": 1}, True),
                ("Conditional Branches Taken", {"OVER": 1 / 1.04}, False),
                ("Conditional Branches Taken", {"RARE": 1}, False),
                ("Conditional Branches Taken", {}, True),
                ("Conditional Branches Not Taken", {"COND": 1, "TAKEN": -1}, False),
                ("Conditional Branches Not Taken", {"COND": 1, "OVER": -1}, True),
                ("Unconditional Branches", {"JUMPS": 1}, True)):
            with self.subTest(metric, terms=terms):
                self.assertEqual([claim.wrong for claim in self.claims(metric, terms)], [wrong])

    def test_everything_that_is_claimed_is_judged(self):
        bad = {"definition": [{"event": "OVER", "coefficient": 1}], "composable": True}
        good = {"definition": [{"event": "TAKEN", "coefficient": 1}], "composable": True}
        found = self.claims("Conditional Branches Taken", {"TAKEN": 1}, alternatives=[bad, good | {"composable": False}], limited=bad,
                            definition=[{"event": "TAKEN", "coefficient": 1, "equivalents": [{"event": "OVER", "factor": 1.04},
                                                                                             {"event": "OVER", "factor": 1}]}])
        self.assertEqual([(claim.sort, claim.wrong) for claim in found],
                         [("definition", False), ("equivalent", False), ("equivalent", True), ("alternative", True), ("limited", True)])
        self.assertEqual(self.claims("Conditional Branches Taken", {"OVER": 1}, composable=False), [])

    def test_confounded_is_an_excuse_only_where_it_names_what_no_kernel_tells(self):
        for metric, event, said, truly in (
                ("Unconditional Branches", "JUMPS", ["calls"], True),  # no kernel of the paper's calls
                ("Unconditional Branches", "JUMPS", ["loads, calls, which no kernel has for sure"], True),
                ("Unconditional Branches", "JUMPS", ["loads", "returns beside calls, branches_uncond, which no kernel has"], False),
                ("Unconditional Branches", "JUMPS", ["anything that these kernels do alike: there are no control kernels"], False),
                ("Unconditional Branches", "JUMPS", [], False),
                ("Conditional Branches Taken", "OVER", ["calls"], False),
                ("Conditional Branches Taken", "OVER", ["branches_cond_taken"], False),  # all kernels tell
                ("Conditional Branches Taken", "MEET", ["branches_cond_taken beside loads, which no kernel has", "branches_cond_taken beside calls, which no kernel has"], True),
                ("Conditional Branches Taken", "MEET", ["branches_cond_taken beside loads, which no kernel has"], False),
                ("Conditional Branches Taken", "MEET", ["branches_cond_taken beside others, which no kernel has"], True),
                ("Conditional Branches Taken", "MEET", ["loads beside others, which no kernel has"], False),
                ("Conditional Branches Taken", "BOTH", ["branches_cond_taken beside calls, which no kernel has"], True),  # kernels show turns alone
                ("Conditional Branches Taken", "BOTH", ["branches_cond_taken beside loads, which no kernel has"], False)):
            with self.subTest(event, said=said):
                claim, = self.claims(metric, {event: 1}, confounded_with=said)
                self.assertEqual((claim.wrong, claim.truly), (True, truly))

    def test_what_is_excused_is_counted_apart(self):
        claims = [self.claims(metric, {event: 1}, confounded_with=["calls"])[0]
                  for metric, event in (("Unconditional Branches", "JUMPS"), ("Conditional Branches Taken", "OVER"))]
        tally = judge.Tally()
        tally.take(types.SimpleNamespace(pmu=self.pmu, claims=claims, definable=set(), found=set(), kinds=lambda _: {"honest"}), "")
        self.assertEqual((tally.counts["all", "wrong"], tally.counts["all", "confounded"]), (1, 1))

    def test_recall(self):
        for event in self.pmu.events:
            event.symbols = {"TAKEN": {"T": Fraction(1)}, "COND": {"CR": Fraction(1)}}.get(event.name)
        self.assertEqual(judge.definable(self.pmu), {"Conditional Branches Taken", "Conditional Branches Not Taken", "Conditional Branches Retired"})
        self.pmu.events[0].noise = 0.002  # too much to ask for
        self.assertEqual(judge.definable(self.pmu), {"Conditional Branches Retired"})


class Generator(unittest.TestCase):
    def test_a_seed_is_a_pmu(self):
        paper = world.load("paper")
        for benchmark in facts.PAPERS:
            one, same, other = (tables.table(generate.Pmu(paper, benchmark, seed), benchmark) for seed in ("a", "a", "b"))
            self.assertEqual(one, same)
            self.assertNotEqual(one, other)

    def test_everything_happens(self):
        paper, kinds, seen = world.load("paper"), set(), set()
        for number in range(120):
            pmu = generate.Pmu(paper, ("branch", "cpu-flops")[number % 2], number)
            kinds |= {event.kind for event in pmu.events}
            seen |= {name for event in pmu.events for name in ("noise", "stray", "overhead", "pairs", "kernel") if getattr(event, name)}
            self.assertLessEqual(max(event.noise for event in pmu.events), generate.NOISE)
            self.assertTrue(all(event.symbols for event in pmu.events if event.honest))
        self.assertEqual(kinds, {"honest", *generate.LIES})
        self.assertEqual(seen, {"noise", "stray", "overhead", "pairs", "kernel"})

    def test_programs_are_no_kernels(self):
        made = programs.Programs(world.load("paper"), random.Random("free"), 50)
        adds, muls = made.columns["fp_d_256_add"], made.columns["fp_d_256_mul"]
        self.assertGreater(len({round(a / m, 3) for a, m in zip(adds, muls) if m}), 20)
        for whole, part in (("branches_cond", "branches_cond_taken"), ("mispredicted_cond", "mispredicted_cond_taken"),
                            ("cond_executed", "branches_cond")):
            self.assertTrue(all(w >= p - 1e-9 for w, p in zip(made.columns[whole], made.columns[part])), (whole, part))


class Program(unittest.TestCase):
    """The program itself, on a few tables."""

    def test_fixed_seed(self):
        """Nothing is wrong but what the program says it cannot tell, and nearly all that honest events define is found."""
        found = definable = 0
        for benchmark, count in (("branch", 8), ("cpu-flops", 3), ("dcache", 5), ("dcache-write", 3), ("mem-ops", 3), ("instructions", 3),
                                 ("icache", 2), ("tlb", 2)):
            first = 2 if benchmark == "cpu-flops" and not LONG else 0  # number 1 has events for 12 s of analysis
            tally = run.run(numbers(10 * count if LONG else count, benchmark=benchmark, kernels="tree", first=first))[benchmark]
            self.assertEqual((tally.failures, tally.worst), ([], []))
            self.assertGreater(tally.counts["definition", "claims"], 0)
            found += tally.counts["all metrics", "found"]
            definable += tally.counts["all metrics", "definable"]
        self.assertGreaterEqual(found, 0.97 * definable)

    def test_a_neighbour_that_comes_and_goes(self):
        """It takes 5 % of all accesses' lines, in an eighth of all bursts: nothing is wrong, and at least 95 % is found."""
        found = definable = 0
        for benchmark in ("dcache", "dcache-write"):
            tally = run.run(numbers(5, "nb5", benchmark, kernels="tree", neighbour=0.05))[benchmark]
            self.assertEqual((tally.failures, tally.worst), ([], []))
            found += tally.counts["all metrics", "found"]
            definable += tally.counts["all metrics", "definable"]
        self.assertGreater(definable, 20)
        self.assertGreaterEqual(found, 0.95 * definable)

    def check_one(self, tally):
        """Nothing of a table is wrong, and all that honest events define is found: tests/bench/mutants/law.csv says which steps of the law each needs."""
        self.assertEqual((tally.counts["tables"], tally.failures, tally.worst), (1, [], []))
        self.assertEqual(tally.counts["all metrics", "found"], tally.counts["all metrics", "definable"])

    def test_found_wrong_once(self):
        """Random PMUs for which a definition was wrong before the method was mended."""
        for seed, benchmark, first in (("824cb7f2d7ec3a09981535156d18d49d79882c91", "cpu-flops", 0),  # 6/7 for 1/1.159: all symbols off, a little
                                       ("b", "dcache", 56),  # 1/66 for 1/66.8, by an equivalent
                                       ("u1", "dcache", 102),  # -3 for -2.9, 55 % off
                                       ("u1", "dcache", 112),  # 7/6 for 1.104 in a representation with noise
                                       ("w1", "dcache", 139),  # 4 counts of 2,048 iterations, times 512
                                       ("t2", "branch", 271),  # jumps on wrong paths, which no kernel had for sure
                                       ("1", "branch", 5),  # twins too noisy to show what the two of them are for
                                       ("r1", "branch", 45), ("r1", "branch", 61),  # facts of which a machine may have none
                                       ("16302", "branch", 169),  # called wrong by a kernel whose coins fall otherwise by as much
                                       ("T1", "cpu-flops", 2617),  # called wrong by what minima count
                                       ("9f18baced56c835fca189b3cdae2ed395d10d80a", "mem-ops", 2),  # -0.01 of what is no split load
                                       ("s34x", "branch", 91), ("s34x", "branch", 170),  # read as what the machine decides, where other facts are likelier
                                       ("s34x", "branch", 53),  # what is decided by chance on one kernel was noise of all
                                       ("s21", "branch", 72),  # 0.0067 of all vector instructions, which programs have in plenty
                                       ("s24", "tlb", 1035),  # 3.27 and 0.437 times events, by two fitted numbers
                                       ("s20", "dcache", 1386),  # what the machine decides was forgiven beyond its bounds
                                       ("s20", "icache", 225), ("s21", "icache", 87),  # a twentieth, and a thirtieth, of all misses counted as hits
                                       ("s29", "branch", 317), ("s29", "tlb", 1205),  # 5 and 9 % more where two facts meet
                                       ("k31", "mem-ops", 0),  # more for split stores that hit L3, taken for more beside loads that do
                                       ("s29", "branch", 943),  # an event that counts next to nothing, and what others are read as was not asked
                                       ("s29", "icache", 2316)):  # called wrong by kernels that show something else than what is named
            tally = run.run(numbers(1, seed, benchmark, kernels="tree", first=first))[benchmark]
            self.check_one(tally)

        for seed, benchmark, first in (("s22", "mem-ops", 18), ("s22", "mem-ops", 49),  # a leak of one fact taken for one of another
                                       ("s24", "dcache-write", 78),  # SIMD taken for x87, which all kernels of both do alike but a free one
                                       ("s25", "mem-ops", 69),  # a place where two facts meet taken for a leak of moves
                                       ("s25", "mem-ops", 114),  # facts that no kernel has side by side, behind others in a long list
                                       ("s25", "dcache-write", 23), ("k31", "mem-ops", 18),  # likewise
                                       ("s23", "branch", 16)):  # taken branches on wrong paths for all branches there
            tally = run.run(numbers(1, seed, benchmark, kernels="tree", first=first, bare=True))[benchmark]
            self.check_one(tally)

        # Called wrong by what minima count; and twenty numbers in proportions that noise decides, where terms that may be 0 stay.
        for seed, first, least in (("T1", 2741, 5), ("s34", 17, 17)):
            tally = run.run(numbers(1, seed, "cpu-flops", kernels="tree", first=first))["cpu-flops"]
            self.assertEqual((tally.counts["tables"], tally.failures, tally.worst), (1, [], []))
            self.assertGreaterEqual(tally.counts["all metrics", "found"], least)

    def test_stores_are_named(self):
        """What fills a cache for loads may do so for stores: where no kernel that was measured has these, the results say so."""
        pmu = generate.Pmu(world.load("tree"), "dcache", "1/dcache/0")
        with tempfile.TemporaryDirectory() as folder:
            found = {metric["metric"]: metric["confounded_with"]
                     for metric in run.run_one(PROGRAM, pmu, folder, numbers(bare=True)) if metric["composable"] or metric["valid_above"]}
        for metric, fact in (("L2 Hits", "l2_store_hit"), ("L3 Hits", "l3_store_hit")):
            self.assertIn(fact, excuse.Named(found[metric]).of_facts(pmu.world.derived))

    def test_first_edition_on_the_fixed_seed(self):
        tally = run.run(numbers(20, method="paper"))["branch"]
        count = tally.counts
        self.assertEqual(tally.failures, [])
        self.assertGreaterEqual(count["definition", "wrong"], 0.1 * count["definition", "claims"])
        self.assertGreater(count["definition", "claims"], 50)
        self.assertGreater(count["all metrics", "found"], 0.5 * count["all metrics", "definable"])

    def test_other_benchmarks(self):
        for benchmark in ("cpu-flops", "dcache"):
            count = run.run(numbers(6, benchmark=benchmark))[benchmark].counts
            self.assertGreater(count["definition", "claims"], 0)
            self.assertGreater(count["definition", "claims"], count["definition", "wrong"])

    def test_seed_of_the_commit(self):
        """PMUs that nobody has seen."""
        done = subprocess.run(["git", "-C", facts.TREE, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
        seed = done.stdout.strip() or str(zlib.crc32((facts.TREE / "CHANGELOG.md").read_bytes()))
        print(f"seed {seed}", flush=True)
        for benchmark in facts.BENCHMARKS:
            count = 20 if LONG else 2
            tally = run.run(numbers(count, seed, benchmark, kernels="tree"))[benchmark]
            self.assertEqual((tally.counts["tables"], tally.failures, tally.worst), (count, [], []))

    def test_truth_cases(self):
        found = [(row["case"], good) for row, good, _ in cases.compare(PROGRAM)]
        self.assertEqual(len({case for case, _ in found}), 15)
        self.assertEqual([case for case, good in found if not good], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
