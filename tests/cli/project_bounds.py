"""Projections by the tightest roofline, against figures worked by hand."""

import csv
import io
import math

import support
from projecting import MIX, MOVED, SOURCE, TARGET, Projected, ceiling, machine, measured, mix


class Bounds(Projected):
    """The tightest roofline, worked by hand, and what mixes of counts and of measured machines make of it."""

    def bound(self, source, target, *mixes, options=(), **expected):
        return self.project(source, target, *mixes, options=("--format", "json", *options), **expected).json()["intervals"][0]["bound"]

    def test_by_hand(self):
        """Source: 8 by arithmetic, 100 x 1000 / 4000 = 25 in L1, 40 x 1000 / 800 = 50 in L2, 10 x 1000 / 320 = 31.25 in memory."""
        found = self.bound(machine(SOURCE), machine({**TARGET, "bandwidth:L2": 16}), mix(MOVED, "here", "there"), err="")
        self.assertEqual((found["source"]["roofline"]["value"], found["source"]["limited_by"]), (8, "arithmetic"))
        # Target: 18.75 by arithmetic, 100 in L1, 16 x 1000 / 1600 in L2, 93.75 in memory.
        self.assertEqual((found["target"]["roofline"]["value"], found["target"]["limited_by"]), (10, "L2"))
        # As far below it, and half of the distance to it in logarithms; with spread 5 % further out.
        ends = [1.5 / 8 * 10, math.sqrt(1.5 / 8) * 10]
        self.assertEqual((found["interval"], found["interval_with_spread"]), (ends, [ends[0] / 1.05, ends[1] * 1.05]))

    def test_instructions_that_wait(self):
        """0.5 and 0.2 instructions an operation: 0.4 times as long a wait where clocks are the same."""
        slow = {**TARGET, "bandwidth:L2": 16}
        for clocks, highest in (((2, 4), 7.5), ((2, 2), math.sqrt(1.5 / 8) * 10), ((2, 8), 10)):  # 1.5 / 0.4 x 4 / 2; 3.75 is below half of the distance; the roofline
            found = self.bound(machine({**SOURCE, "clock": clocks[0]}), machine({**slow, "clock": clocks[1]}), mix(MOVED, "here", "there"))
            self.assertAlmostEqual(found["interval"][1], highest, places=12, msg=clocks)
        # At half of its roofline it waits for 1/4 - 1/8 ns an operation, and 0.4 x 4 / 1 times as long on the target.
        found = self.bound(machine({**SOURCE, "clock": 4}), machine({**TARGET, "clock": 1}), mix({**MOVED, "performance": (4, None)}, "here", "there"))
        self.assertAlmostEqual(found["interval"][0], 1 / (1 / 18.75 + 0.2), places=12)

    def test_accesses_that_cross_lines(self):
        """30000 bytes in L1, and 10000 once more: 300 GB/s are 10 GFLOP/s, or 7.5."""
        crossing = {**MOVED, "moved:L1": (4000, 30000), "split_bytes": (0, 10000)}
        found = self.bound(machine(SOURCE), machine(TARGET), mix(crossing, "here", "there"))
        self.assertEqual((found["target"]["limited_by"], found["target"]["roofline"]), ("L1", {"value": 10, "lowest": 7.5, "highest": 10}))
        self.assertEqual((found["interval"][0], found["interval_with_spread"][0]), (1.5 / 8 * 10, 1.5 / 8 * 7.5 / 1.05))

    def test_what_a_core_takes_at_least(self):
        """1000 operations in 500 and 250 cycles of 2 and 3 GHz: 4 and 12 GFLOP/s."""
        waiting = {**MOVED, "in_core_cycles": (500, 250)}
        found = self.bound(machine({**SOURCE, "clock": 2}), machine({**TARGET, "clock": 3}), mix(waiting, "here", "there"))
        self.assertEqual([(found[side]["limited_by"], found[side]["roofline"]["value"]) for side in ("source", "target")], [("in-core", 4), ("in-core", 12)])
        # At 3/8 of its roofline it waits for 1/1.5 - 1/4 ns an operation, and 0.4 x 2 / 3 times as long on the target.
        self.assertAlmostEqual(found["interval"][0], min(1.5 / 4 * 12, 1 / (1 / 12 + (1 / 1.5 - 1 / 4) * 0.4 * 2 / 3)), places=12)
        # Without a clock there is no such roofline, nor of 0 cycles.
        plain = [self.bound(machine(one), machine(two), mix(both, "here", "there"))["target"]
                 for one, two, both in ((SOURCE, TARGET, waiting), (SOURCE, TARGET, MOVED), ({**SOURCE, "clock": 2}, {**TARGET, "clock": 3}, {**MOVED, "in_core_cycles": (0, 0)}))]
        self.assertEqual({one["limited_by"] for one in plain}, {"arithmetic"})

    def test_what_one_core_alone_takes(self):
        """Of one side alone it is no roofline of either."""
        waiting = {**MOVED, "in_core_cycles": (500, 250)}
        fast, faster = {**SOURCE, "clock": 2}, {**TARGET, "clock": 3}
        for source, target, both, known in ((fast, TARGET, waiting, "source"), (SOURCE, faster, waiting, "target"), (fast, faster, {**waiting, "in_core_cycles": (500, None)}, "source")):
            run = self.project(machine(source), machine(target), mix(both, "here", "there"), options=("--format", "json"), err=None)
            document = run.json()
            self.assertEqual([document["intervals"][0]["bound"][side]["limited_by"] for side in ("source", "target")], ["arithmetic", "arithmetic"])
            self.assertIn(f"there: the least cycles of a core are known of {known} alone", document["notes"])
        self.assertNotIn("known of", self.project(machine(fast), machine(faster), mix(waiting, "here", "there"), options=("--format", "json")).json()["notes"])

    def test_faster_than_the_core(self):
        """1000 operations in 500 cycles of 2 GHz are 4 GFLOP/s; within 5 % nothing is said."""
        waiting = {**MOVED, "in_core_cycles": (500, 250)}
        for speed, said in ((4.1, False), (4.3, True)):
            document = self.project(machine({**SOURCE, "clock": 2}), machine({**TARGET, "clock": 3}), mix({**waiting, "performance": (speed, None)}, "here", "there"), options=("--format", "json"), err=None).json()
            self.assertEqual(any("whose core reaches 4 GFLOP/s at most" in doubt for doubt in document["doubts"]), said, speed)
            self.assertEqual([(one["in_core_cycles"], one["store_share"]) for one in document["mixes"]], [(500, None), (250, None)])

    def streams(self, vectors, **rates):
        ceilings = [ceiling("flops", "fma", vectors, "", 1, 1000, 1000, 1000)]
        ceilings += [ceiling("bandwidth", operation, vectors, level, 1, rate, rate, rate) for level in ("L1", "L2", "L3", "memory") for operation, rate in rates.items()]
        return str(self.write(f"{vectors}.json", measured(ceilings)))

    def divided(self, **counts):
        """A program of 1000 scalar operations, as facts: what is not named is 0."""
        kinds = [f"fp_{letter}_{width}" for letter in "hsd" for width in ("scalar", "128", "256", "512", "v128", "v256", "v512")]
        kinds += [f"fp_{stem}_{letter}" for letter in "hsd" for stem in ("longer", "lanes")]
        names = [kind + end for kind in kinds for end in ("", "_fma")] + ["fp_s_128_dpp", "fp_s_256_dpp", "fp_d_128_dpp", "fp_lanes_unknown", "nt_stores"]
        names += [f"{level}_{way}_{what}" for level in ("l1d", "l2", "l3") for way in ("load", "store") for what in ("hit", "miss")] + ["stores", "store_bytes"]
        facts = dict.fromkeys(names, 0) | {"fp_d_scalar": 1000, "loads": 100, "load_bytes": 800, "l1d_load_hit": 100, "line_bytes": 64} | counts
        return "event,here,there\n" + "".join(f"{name},{value},{value}\n" for name, value in facts.items())

    def test_the_divider(self):
        """250 divisions at 0.5 and 1 GFLOP/s, and 100 roots at 0.25 and 0.5 in either precision, of which one in single takes two thirds: operations a second."""
        machines = [self.write(f"{name}.json", measured([ceiling("flops", *one, "scalar", "", 1, rate, rate, rate) for *one, rate in (("fma", 40 * times), ("add", 20 * times), ("div", 0.5 * times),
                                                                                                                                        ("sqrt", 0.25 * times))]
                                                        + [ceiling("bandwidth", "triad", "scalar", "L1", 1, 1000, 1000, 1000)])) for name, times in (("one", 1), ("two", 2))]
        for counts, seconds in (({"fp_d_scalar_div": 250, "fp_d_scalar_sqrt": 0}, 500), ({"fp_d_scalar_div": 250, "fp_d_scalar_sqrt": 100}, 900),
                                ({"fp_d_scalar": 750, "fp_s_scalar": 250, "fp_d_scalar_div": 0, "fp_d_scalar_sqrt": 0, "fp_s_scalar_div": 250, "fp_s_scalar_sqrt": 0}, 1000 / 3)):
            found = self.bound(*map(str, machines), self.divided(**counts), options=("--performance", "0.5"))
            self.assertEqual([found[side]["limited_by"] for side in ("source", "target")], ["divider"] * 2, counts)
            for side, times in (("source", 1), ("target", 2)):
                self.assertAlmostEqual(found[side]["roofline"]["value"], 1000 / seconds * times, places=9)
        # Older counts have no divisions, and neither has a program without them.
        for counts in ({}, {"fp_d_scalar_div": 0, "fp_d_scalar_sqrt": 0}):
            found = self.bound(*map(str, machines), self.divided(**counts), options=("--performance", "0.5"))
            self.assertEqual(found["source"]["limited_by"], "arithmetic")

    def test_streams_that_store_as_much(self):
        """4 bytes an operation in L1. The fastest that do not write past the caches: from 80 to 200 GB/s. Loads alone: from 40 to 80; stores alone: from 34 to 196."""
        source = self.streams("SSE", load=40, triad=80, store=34, triad_nt=500)
        target = self.streams("AVX", load=80, triad=200, store=196, triad_nt=500)
        moved = {**MOVED, "moved:L1": (4000, 4000), "moved:L2": (0, 0), "moved:L3": (0, 0), "moved:MEM": (0, 0), "performance": (8, None)}
        lowest, highest = 8 / 20 * 50, math.sqrt(8 / 20) * 50
        # Of loads 8/10 of 20; of stores half of the distance between 8/8.5 of 49 and 49, in logarithms.
        for share, ends in ((0, (8 / 10 * 20, highest)), (0.12, (8 / 10 * 20, highest)), (0.3, (lowest, highest)), (1, (lowest, math.sqrt(8 / 8.5) * 49)), (None, (lowest, highest))):
            found = self.bound(source, target, mix({**moved, "store_share": (share, share)}, "here", "there"))["interval"]
            self.assertEqual([round(end, 9) for end in found], [round(end, 9) for end in ends], share)

    def test_spread(self):
        found = self.bound(machine(SOURCE, 0.1), machine(TARGET, 0.1), mix(MOVED, "here", "there"))
        low, high = found["interval_with_spread"]
        self.assertAlmostEqual(low, found["interval"][0] * 0.9 / 1.1 / 1.05, places=12)
        self.assertAlmostEqual(high, found["interval"][1] * 1.1 / math.sqrt(0.9) * 1.05, places=12)

    def test_faster_than_the_roofline(self):
        """Measured at 9 where 8 can be reached: the target's roofline is the lower end then."""
        found = self.bound(machine(SOURCE), machine(TARGET), mix({**MOVED, "performance": (9, None)}, "here", "there"))
        self.assertEqual(found["interval"], [18.75, 9 / 8 * 18.75])

    def test_memory_that_is_chosen(self):
        found = self.bound(machine(SOURCE), machine(TARGET), mix(MOVED, "here", "there"), options=("--memory-bandwidth", "slow=3.2"))
        self.assertEqual((found["target"]["limited_by"], found["target"]["roofline"]["value"]), ("MEM", 10))

    def test_unknown_lines(self):
        self.assertIsNone(self.bound(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there")))
        plain = self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), err="")
        self.assertNotIn("tightest", plain.out)
        shown = self.project(machine(SOURCE), machine(TARGET), mix(MOVED, "here", "there"), err="").out
        self.assertRegex(shown, r"(?m)^there +- +arithmetic +8 +arithmetic +18\.75 +3\.516 +8\.119 ")

    def test_lines_of_levels_that_no_machine_has(self):
        without = {name: value for name, value in MOVED.items() if name != "moved:L3"}
        self.assertEqual(self.bound(machine(SOURCE), machine(TARGET), mix(without, "here", "there")), self.bound(machine(SOURCE), machine(TARGET), mix(MOVED, "here", "there")))
        self.assertIsNone(self.bound(machine(SOURCE), machine(TARGET), mix({name: value for name, value in MOVED.items() if name != "moved:L2"}, "here", "there")))

    def test_tables(self):
        rows = list(csv.DictReader(io.StringIO(self.project(machine(SOURCE), machine(TARGET), mix(MOVED, "here", "there"), options=("--format", "csv")).out)))
        for name, value in (("bound_lowest", 1.5 / 8 * 18.75), ("bound_highest", math.sqrt(1.5 / 8) * 18.75)):
            self.assertAlmostEqual(float(rows[0][name]), value, places=12)
        rows = list(csv.DictReader(io.StringIO(self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), options=("--format", "csv")).out)))
        self.assertEqual(rows[0]["bound_lowest"], "")


if __name__ == "__main__":
    support.main()
