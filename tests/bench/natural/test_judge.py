"""The judge of natural programs on trial: programs whose facts agree, and hand-made definitions whose right and wrong are known."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "truth"))

import judge  # noqa: E402 pylint: disable=wrong-import-position
import programs  # noqa: E402 pylint: disable=wrong-import-position
import rates  # noqa: E402 pylint: disable=wrong-import-position
import run  # noqa: E402 pylint: disable=wrong-import-position
from expressions import Expression  # noqa: E402 pylint: disable=wrong-import-position

COUNT = 40
FULL = {"l2_size": 1, "l3_size": 1, "stlb_entries": 1, "l1i_size": 1, "itlb_entries": 1, "huge_page_size": 1}


def entry(metric, terms, **more):
    """A metric as `catmint discover` writes it, as far as the judge reads it."""
    definition = [{"event": event, "coefficient": coefficient, "equivalents": []} for event, coefficient in terms]
    return {"metric": metric, "composable": bool(terms), "definition": definition, "alternatives": [], "confounded_with": [], "also_counts": [], "leaks": [], **more}


def results_of(benchmark, *metrics):
    return {"benchmarks": [{"benchmark": benchmark, "dropped_symbols": ["H_ADD_SCAL"], "metrics": list(metrics)}]}


def write_model(model, events, keys):
    (model / "machine.csv").write_text("key,value\n" + "".join(f"{key},{value}\n" for key, value in keys.items()), encoding="utf-8")
    (model / "events.csv").write_text("event,description,expression\n" + "".join(f'{name},,"{text}"\n' for name, text in events.items()), encoding="utf-8")


def verdict(events, *metrics, benchmark="dcache", keys=None):
    """What becomes of those metrics where the model has these events."""
    with tempfile.TemporaryDirectory(prefix="catmint-natural-") as folder:
        write_model(pathlib.Path(folder), events, keys or FULL)
        return judge.Verdict(results_of(benchmark, *metrics), pathlib.Path(folder), COUNT)


def claim(events, *terms, metric="L1 Misses", benchmark="dcache", **more):
    return verdict(events, entry(metric, terms, **more), benchmark=benchmark).claims[0]


class Programs(unittest.TestCase):
    def test_classes(self):
        self.assertGreaterEqual(len(programs.classes()), 16)
        known = set(programs.classes()["ordinary"])
        for name, rates in programs.classes().items():
            self.assertEqual(set(rates), known, name)
            for rate, (low, high, scale) in rates.items():
                self.assertLessEqual(low, high, (name, rate))
                self.assertIn(scale, ("linear", "log"))
                self.assertGreater(low, 0 if scale == "log" else -1, (name, rate))

    def test_rate_without_base(self):
        rows = [{"class": name, "rate": "loads", "low": 1, "high": 2, "scale": "log"} for name in programs.BASES]
        lost = {**rows[0], "class": "ordinary", "rate": "nonsense"}
        with mock.patch.object(programs.facts, "read_table", return_value=[*rows, lost]), self.assertRaisesRegex(ValueError, "nonsense of class ordinary"):
            programs._rows.__wrapped__()  # pylint: disable=protected-access

    def test_facts_agree(self):
        for made in programs.of(programs.Machine(FULL), COUNT).values():
            for one in made[:10]:
                for kind in ("load", "store"):
                    misses = one[f"l1d_{kind}_miss"]
                    self.assertAlmostEqual(one[f"{kind}s"], one[f"l1d_{kind}_hit"] + misses + (one["nt_stores"] if kind == "store" else 0))
                    self.assertAlmostEqual(misses, one[f"l2_{kind}_hit"] + one[f"l2_{kind}_miss"])
                    widths = {width: one[f"{kind}s_{width}"] for width in programs.WIDTHS}
                    self.assertAlmostEqual(sum(widths.values()), one[f"{kind}s"])
                    self.assertAlmostEqual(sum(width * often for width, often in widths.items()), one[f"{kind}_bytes"])
                    self.assertLess(0, one[f"{kind}_walks_huge"])
                    self.assertLessEqual(one[f"{kind}_walks"], one[f"dtlb_{kind}_miss"])
                    self.assertLess(0, one[f"split_{kind}s"])
                    self.assertLess(one[f"split_{kind}s"], one[f"{kind}s"])
                self.assertLessEqual(one["branches_cond_taken"], one["branches_cond"])
                self.assertLessEqual(one["mispredicted_cond_taken"], one["branches_cond_taken"])
                self.assertLess(one["branches_cond"], one["cond_executed"])
                self.assertLessEqual(one["returns"], one["calls"])
                self.assertLessEqual(one["l3_written_back"], one["l2_written_back"])
                self.assertAlmostEqual(one["instructions"], 1000)
                self.assertLessEqual(set(one), programs.names() | {"loads_10", "stores_10"})

    def test_machines_that_lack_levels(self):
        small = programs.Machine({"l2_size": 1})
        for one in (made[0] for made in programs.of(small, 1).values()):
            self.assertEqual(one["l3_load_hit"] + one["l1i_fetch_hit"] + one["itlb_miss"] + one["dtlb_load_miss_huge"], 0)
            self.assertAlmostEqual(one["l2_load_miss"], one["l3_load_miss"])
            self.assertAlmostEqual(one["load_walks"], one["dtlb_load_miss"])
            self.assertAlmostEqual(one["l3_written_back"], one["l2_written_back"])

    def test_habits_agree(self):
        """A machine with all habits: parts add up, and joins by hash are where most prefetches miss the data TLB."""
        made = programs.of(programs.Machine(rates.WHOLE), COUNT)
        for one in (program for of_class in made.values() for program in of_class[:5]):
            for first, second in (("l1d_hint_miss", "l2_hint"), ("l1d_wrong_load_miss", "l2_wrong_load"), ("l1i_wrong_fetch_miss", "l2_wrong_fetch"),
                                  ("kernel_l1d_load_miss", "kernel_l2_load"), ("kernel_l1i_fetch_miss", "kernel_l2_fetch"), ("l2_wrong_load_miss", "l3_wrong_load")):
                self.assertAlmostEqual(one[first], one[f"{second}_hit"] + one[f"{second}_miss"])
            for walk in ("load_walk", "store_walk", "fetch_walk"):
                self.assertLess(0, one[f"{walk}_misses"])
                self.assertLess(one[f"{walk}s"], one[f"{walk}_steps"])
            for part, whole in (("hint_walks", "dtlb_hint_miss"), ("wrong_load_walks", "dtlb_wrong_load_miss"), ("dtlb_wrong_load_miss", "wrong_path_loads"),
                                ("itlb_wrong_fetch_miss", "l1i_wrong_fetch_hit"), ("l1d_prefetch_used", "l1d_prefetch_miss"), ("loads_forwarded", "l1d_load_hit")):
                self.assertLess(0, one[part], part)
                self.assertLessEqual(one[part], one[whole], part)
        self.assertLess(0.2, min(one["dtlb_hint_miss"] / sum(one[f"prefetches_{kind}"] for kind in ("nta", "t0", "t1_t2", "w")) for one in made["joins"]))
        for bare in (programs.of(programs.Machine(FULL), 1)["joins"][0], programs.of(programs.Machine({**rates.WHOLE, "architecture": "riscv64"}), 1)["joins"][0]):
            self.assertEqual(bare["dtlb_hint_miss"] + bare["hint_walks"], 0)
        self.assertLess(0, bare["itlb_miss"] * bare["wrong_fetch_walks"] * bare["loads_16"] * bare["csr_reads"])  # of riscv64, where no kernel misses such a TLB
        self.assertEqual(bare["nt_stores"] + bare["x87_instructions"] + bare["int_128_add"] + bare["string_instructions"], 0)

    def test_every_fact_has_a_rate(self):
        self.assertEqual(rates.missing(), [])
        self.assertGreater(len(rates.usable()), 600)
        self.assertLessEqual({"hint_walk_steps", "microcode_wrong_operations", "fp_d_v256_fma", "tsc_cycles"}, rates.usable())
        for fact in ("dtlb_hint_miss", "load_walk_steps"):  # neither of which had a rate once
            with mock.patch.object(rates, "had", lambda fact=fact, all_of=rates.had(): all_of - {fact}):
                self.assertEqual(rates.missing(), [fact])
        page = "| `key` | of machine.csv |\n## Facts\n\n| fact | meaning |\n| --- | --- |\n| `new_fact` | as `old_fact`, with `key_b`, `lea` |\n## Errors\n| `no` | |\n"
        self.assertEqual(rates.listed(page), {"new_fact", "old_fact", "key_b"})

    def test_expressions(self):
        expression = Expression("2*loads - 0.5*(calls if stores > 1 else 0) + min(calls, stores)/2")
        self.assertEqual(expression.value({"loads": 3, "calls": 4, "stores": 2}), 5)
        linear, meetings = expression.parts({})
        self.assertEqual(linear, {"loads": 2})
        self.assertEqual(sorted((part.text, float(weight)) for part, weight in meetings.items()),
                         [("calls if stores > 1 else 0", -0.5), ("min(calls, stores)", 0.5)])


class Judge(unittest.TestCase):
    LEAKY = {"LD": "loads", "MISS": "l1d_load_miss + 0.003*l1d_load_hit", "HIT": "l1d_load_hit"}

    def test_right(self):
        for terms in ([("LD", 1), ("HIT", -1)], [("MISS", 1), ("HIT", -0.003)]):
            found = claim(self.LEAKY, *terms)
            self.assertIsNone(found.wrong)
            self.assertEqual(set(found.deviations), set(programs.classes()))
            self.assertLess(max(found.deviations.values()), 1e-9)

    def test_a_leak(self):
        found = claim(self.LEAKY, ("MISS", 1))
        self.assertGreater(found.deviations["resident"], judge.WRONG)
        self.assertLess(found.deviations["pointers"], judge.WRONG)
        self.assertTrue(found.wrong)
        self.assertIn("l1d_load_hit +", found.culprit)

    def test_a_range(self):
        def within(share):
            return [{"fact": "l1d_load_miss", "per": "loads", "share": share}]
        low = claim(self.LEAKY, ("MISS", 1), valid_above=within(0.0001))
        self.assertTrue(low.wrong)
        self.assertEqual(low.in_range, 1)
        made = verdict(self.LEAKY, entry("L1 Misses", [("MISS", 1)], valid_above=within(0.02)))
        high, count = made.claims[0], made.counts()
        self.assertIsNone(high.wrong)
        self.assertTrue(0.2 < high.in_range < 0.9, high.in_range)
        self.assertNotIn("resident", high.deviations)
        self.assertEqual([count["all", what] for what in ("wrong", "ranged", "wrong in range", "wrong without range")], [0, 1, 0, 1])
        self.assertIsNone(claim(self.LEAKY, ("LD", 1), ("HIT", -1), valid_above=None).wrong)

    def test_a_range_of_nothing(self):
        """A share of what the program has none of holds there."""
        for per, judged in (("l3_wrong_load_miss", True), ("instructions", False)):
            found = claim(self.LEAKY, ("MISS", 1), valid_above=[{"fact": "l1d_load_miss", "per": per, "share": 2}])
            self.assertEqual((bool(found.wrong), found.in_range), (judged, float(judged)), per)

    def test_a_part_of_the_metric(self):
        """What is named excuses no part of the metric that the definition leaves out or counts twice."""
        events = {"L3_MISS": "l3_load_miss", "MORE": "l2_load_miss + l3_load_hit", "BESIDE": "l2_load_miss + 2*prefetches_t0"}
        named = ["l3_load_hit, which no kernel has", "prefetches_t0"]
        for event, wrong in (("L3_MISS", True), ("MORE", True), ("BESIDE", False)):
            found = claim(events, (event, 1), metric="L2 Misses", confounded_with=named)
            self.assertEqual((bool(found.wrong), found.excused), (wrong, not wrong), event)

    def test_what_is_named(self):
        events = {"MISS": "l1d_load_miss + 3*prefetches_t0", "COND": "branches_cond + 20*fp_compares",
                  "MEET": "l1d_load_miss + 0.9*min(l1d_load_miss, split_loads)"}
        no_kernel = ", which no kernel or program shows"
        other = ["locked_loads, calls" + no_kernel, "event MISS, which counts as COND on every kernel"]
        for event, metric, benchmark, names in (
                ("MISS", "L1 Misses", "dcache", {"confounded_with": other + ["prefetches_nta" + no_kernel, "prefetches_t0" + no_kernel]}),
                ("COND", "Conditional Branches Retired", "branch", {"also_counts": ["comparisons"]}),
                ("MEET", "L1 Misses", "dcache", {"confounded_with": other + ["split_loads beside l2_load_hit" + no_kernel, "split_loads beside calls" + no_kernel]})):
            bare = claim(events, (event, 1), metric=metric, benchmark=benchmark, confounded_with=other)
            self.assertTrue(bare.wrong and not bare.excused, event)
            named = claim(events, (event, 1), metric=metric, benchmark=benchmark, **names)
            self.assertTrue(named.excused and named.wrong is None, event)

    def test_what_prefetches_do(self):
        """Prefetches that miss the TLB are seen, most in joins, and excused where prefetches are named."""
        metric = "Data TLB Load Misses", [("DTLB", 1)]
        for names, wrong in (({}, True), ({"also_counts": ["prefetches into all levels"]}, False)):
            found = verdict({"DTLB": "dtlb_load_miss + dtlb_hint_miss"}, entry(*metric, **names), benchmark="tlb", keys={**FULL, "prefetch_instructions": 1}).claims[0]
            self.assertEqual((bool(found.wrong), found.excused), (wrong, not wrong))
            self.assertEqual(max(found.deviations, key=found.deviations.get), "joins")

    def test_all_kinds_of_claims(self):
        of_miss = entry("L1 Misses", [("LD", 1), ("HIT", -1)])
        of_miss["definition"][1]["equivalents"] = [{"event": "MISS", "factor": 2}]
        of_miss["alternatives"] = [entry("", [("MISS", 1)])]
        found = verdict(self.LEAKY, of_miss)
        self.assertEqual([(one.sort, bool(one.wrong)) for one in found.claims], [("definition", False), ("equivalent", True), ("alternative", True)])
        count = found.counts()
        self.assertEqual((count["all"], count["all", "wrong"], count["definition", "wrong"], count["equivalent", "wrong"]), (2, 1, 0, 1))

    def test_recall(self):
        events = {"LD": "loads", "BOTH": "l1d_load_hit - l2_load_hit", "HIT": "l1d_load_hit + min(calls, loads)", "SAME": "min(calls, loads)", "L2_LEAK": "l2_load_miss + calls"}
        found = verdict(events, *(entry(metric, terms) for metric, terms in (("L1 Misses", []), ("L1 Hits", [("HIT", 1), ("SAME", -1)]), ("L1 Reads", [("LD", 2)]),
                                                                             ("L2 Hits", []), ("L2 Misses", [("L2_LEAK", 1)]))))
        self.assertEqual({metric for _, metric in found.definable}, {"L1 Misses", "L1 Hits", "L1 Reads", "L2 Hits", "L2 Misses"})
        self.assertEqual({metric for _, metric in found.found}, {"L1 Hits"})
        del events["BOTH"], events["LD"]
        self.assertEqual({metric for _, metric in verdict(events, entry("L2 Misses", []), entry("L1 Hits", []), entry("HP Instrs.", [], measurable=False)).definable}, {"L1 Hits"})

    def test_what_the_machine_lacks(self):
        found = verdict({"REFILL": "l2_load_miss"}, entry("L2 Misses", [("REFILL", 1)]), entry("L3 Hits", []), keys={"l2_size": 1})
        self.assertEqual(found.definable, {("dcache", "L2 Misses")})
        self.assertIsNone(found.claims[0].wrong)


class Run(unittest.TestCase):
    def test_results_that_are_there(self):
        with tempfile.TemporaryDirectory(prefix="catmint-natural-") as folder:
            model, output = pathlib.Path(folder) / "leaky", pathlib.Path(folder) / "out"
            for one in (model, output):
                one.mkdir()
            write_model(model, Judge.LEAKY, {**FULL, "interference": 0.004})
            (output / "leaky.json").write_text(json.dumps(results_of("dcache", entry("L1 Misses", [("MISS", 1)]), entry("L1 Hits", []))), encoding="utf-8")
            text = (run.copy(model, output, "0.00001") / "machine.csv").read_text(encoding="utf-8")
            self.assertIn("\ninterference,0.00001\n", text)
            said = io.StringIO()
            with mock.patch("sys.argv", ["run.py", str(model), "--output", str(output), "--count", str(COUNT), "--missed"]), contextlib.redirect_stdout(said):
                self.assertFalse(run.main())
        lines = said.getvalue().splitlines()
        for line in lines[1:3]:
            self.assertEqual(line.split()[1:3], ["1", "1"])
            self.assertEqual(line.split()[-5:], ["0/0", "0", "2", "0.0", "%"])
        self.assertRegex(lines[4], r"leaky: dcache L1 Misses: \d+ % in \w+: 1 x MISS: l1d_load_hit \+\d+ %")
        self.assertEqual(lines[5:], ["leaky: dcache L1 Hits: not found, though definable", "leaky: dcache L1 Misses: wrong, though definable"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
