"""The data caches, live: at any noise a definition is right or there is none; what finds no room is left out, said."""

import csv
import json
import re
import shutil

import support

SOURCE = support.SOURCE / "data/pmu"
# What one access is, in facts, in each region of the basis.
REGIONS = ({"l1d_load_hit": 1}, {"l1d_load_miss": 1, "l2_load_hit": 1},
           {"l1d_load_miss": 1, "l2_load_miss": 1, "l3_load_hit": 1},
           {"l1d_load_miss": 1, "l2_load_miss": 1, "l3_load_miss": 1})
SIGNATURES = {"L1 Misses": (0, 1, 1, 1), "L1 Hits": (1, 0, 0, 0), "L1 Reads": (1, 1, 1, 1), "L2 Hits": (0, 1, 0, 0),
              "L2 Misses": (0, 0, 1, 1), "L3 Hits": (0, 0, 1, 0)}


class Facts(dict):
    def __missing__(self, name):
        return 0


def truth(model):
    """What each event counts in one access of each region, from its expression."""
    lines = [line for line in (SOURCE / model / "events.csv").read_text().splitlines() if not line.startswith("#")]
    return {row["event"]: [eval(row["expression"], {}, Facts(max=max, min=min, loads=1, load_bytes=8, instructions=2, **region))
                           for region in REGIONS] for row in csv.DictReader(lines)}


class Noise(support.Case):
    def discover(self, model, interference):
        folder = self.folder / model
        shutil.copytree(SOURCE / model, folder, dirs_exist_ok=True)
        machine = (SOURCE / model / "machine.csv").read_text()
        (folder / "machine.csv").write_text(re.sub(r"(?m)^interference,.*$", f"interference,{interference}", machine))
        run = support.Run("discover", *support.software_alone(), "--benchmark", "dcache", "--pmu", f"software:{folder}", "--format", "json",
                          "--programs", "0")  # programs would refute zen4's event of fills, which stores have, too
        return support.benchmark(self.expect(run, 0).json(), "dcache")

    def check_steps(self, model, steps, untold=None):
        """`untold`: a metric and the fact that its event counts as well, where no kernel tells."""
        counts = truth(model)
        composable = []
        for interference in steps:
            entry = self.discover(model, interference)
            right = 0
            for metric in entry["metrics"]:
                if not support.usable(metric):
                    continue
                got = [sum(term["coefficient"] * counts[term["event"]][region] for term in metric["definition"])
                       for region in range(4)]
                for one, other in zip(got, SIGNATURES[metric["metric"]]):
                    self.assertAlmostEqual(one, other, delta=0.05, msg=f"{model}, {interference}: {metric}")
                if untold and metric["metric"] == untold[0]:
                    self.assertRegex(" ".join(metric["confounded_with"]), untold[1])
                right += 1
            composable.append(right)
        for interference, found in zip(steps, composable):
            if interference <= 0.01:
                self.assertEqual(found, 6, f"{interference}: {composable}")
        self.assertLess(composable[-1], 3, composable)  # the loads alone meet no noise

    def test_golden_cove(self):
        self.check_steps("golden-cove", (0.01, 0.3))

    def test_skylake(self):
        self.check_steps("skylake", (0.01, 0.3))

    def test_zen4(self):
        self.check_steps("zen4", (0.01, 0.3), untold=("L3 Hits", r"\bl1d_store_miss\b"))


class Fills(support.Case):
    """Events that count some loads of lines on their way, as those of many processors do."""

    def metrics(self, events, **machine):
        model = support.make_model(self.folder / "model", {"LD": "loads", "L2_HIT": "l2_load_hit", "L3_HIT": "l3_load_hit", **events}, interference=0.00001, **machine)
        run = support.Run("discover", *support.software_alone(), "--benchmark", "dcache", "--pmu", f"software:{model}", "--programs", "0", "--format", "json")
        entry = support.benchmark(self.expect(run, 0).json(), "dcache")
        return {metric["metric"]: (metric, {term["event"]: term["coefficient"] for term in metric["definition"]}) for metric in entry["metrics"] if support.usable(metric)}

    def test_a_tenth_of_them_is_told_from_misses_and_hits(self):
        found = self.metrics({"L1_MISS": "l1d_load_miss + 0.1*l1d_load_fill_hit", "L1_HIT": "l1d_load_hit - l1d_load_fill_hit"}, fill_accesses=16)
        misses, terms = found["L1 Misses"]
        self.assertAlmostEqual(terms["L1_MISS"], 10 / 9, delta=0.02)
        self.assertAlmostEqual(terms["LD"], -1 / 9, delta=0.02)
        hits, terms = found["L1 Hits"]
        self.assertEqual(terms, {"LD": 1, "L1_MISS": -1})
        self.assertEqual([bound["per"] for bound in hits["valid_above"]], ["l1d_load_fill_hit"])
        leak = {leak["fact"]: leak["at_most"] for leak in hits["leaks"]}["l1d_load_fill_hit"]
        self.assertAlmostEqual(leak, 0.1, delta=0.005)
        self.assertNotIn("l1d_load_fill_hit", [leak["fact"] for leak in misses["leaks"]])

    def test_hits_without_them_need_them(self):
        found = self.metrics({"L1_HIT": "l1d_load_hit - l1d_load_fill_hit", "FB_HIT": "l1d_load_fill_hit"}, fill_accesses=16)
        self.assertEqual(found["L1 Hits"][1], {"L1_HIT": 1, "FB_HIT": 1})

    def test_where_lines_come_at_once_there_are_none(self):
        found = self.metrics({"L1_HIT": "l1d_load_hit - l1d_load_fill_hit", "L1_MISS": "l1d_load_miss + 0.1*l1d_load_fill_hit"}, fill_accesses=0)
        self.assertEqual(found["L1 Hits"][1], {"L1_HIT": 1})
        self.assertEqual(found["L1 Misses"][1], {"L1_MISS": 1})


class Room(support.Case):
    def sweep(self, *options, code=0, err=None):
        run = support.Run("sweep", "--benchmark", "dcache", "--pmu", "software", "--repetitions", "1", "--events",
                          "MEM_LOAD_RETIRED:*", "--out", self.folder / "out", *options)
        return self.expect(run, code, err=err)

    def manifest(self):
        return json.loads((self.folder / "out/manifest.json").read_text())["benchmarks"][0]

    def test_what_needs_too_large_a_buffer_is_left_out(self):
        self.sweep("--max-buffer", "1500K", err=r"dcache: MEM\.1\+0 to MEM\.1\+5 left out: .*--max-buffer")
        left_out = self.manifest()["left_out"]
        # Mixtures that this processor cannot execute are left out in any case.
        left_out = [entry for entry in left_out if "mixture" not in entry["kernel"]]
        self.assertEqual([entry["kernel"] for entry in left_out],
                         [f"MEM.{place}+{fillers}" for place in (1, 5) for fillers in (0, 2, 5)] + ["MEM.1+hit", "MEM.2+wrong", "MEM.1+rare", *(f"MEM.5+hint_{kind}" for kind in ("t0", "t1", "nta", "w")), "MEM.1+fill_1", "MEM.1+fill_3", "MEM.6+run"])
        self.assertIn("--max-buffer", left_out[0]["reason"])

    def test_without_memory_what_is_confounded_is_not_measured(self):
        run = support.Run("discover", *support.software_alone(), "--benchmark", "dcache", "--pmu", "software", "--max-buffer", "1M", "--repetitions", "3", "--programs", "0", "--format", "json")
        benchmark = self.expect(run, 0, err=r"MEM\.1\+0 ").json()["benchmarks"][0]
        self.assertEqual(benchmark["dropped_symbols"], ["L1_DM"])
        measurable = {metric["metric"]: metric["measurable"] for metric in benchmark["metrics"]}
        self.assertEqual([name for name, yes in measurable.items() if yes], ["L1 Hits"])

    def test_of_a_level_without_room_nothing_is_left_out(self):
        """An L3 of twice the L2 has no kernel: nothing shows whether an event counts what it serves."""
        events = {"LOADS": "loads", "HIT_1": "l1d_load_hit", "HIT_2": "l2_load_hit", "MISS_1": "l1d_load_miss", "MEMORY": "l3_load_miss"}
        for size, expected in ((524288, {"L1 Hits", "L1 Reads", "L2 Hits"}), (983040, {"L1 Hits", "L1 Reads", "L2 Hits", "L1 Misses", "L2 Misses", "L3 Hits"})):
            model = support.make_model(self.folder / str(size), events, l3_size=size, l3_ways=size // 32768, interference=0.00001)
            run = support.Run("discover", *support.software_alone(), "--benchmark", "dcache", "--pmu", f"software:{model}", "--programs", "0", "--format", "json")
            metrics = support.benchmark(self.expect(run, 0, err="").json(), "dcache")["metrics"]
            self.assertEqual({metric["metric"] for metric in metrics if support.usable(metric)}, expected)

    def test_a_benchmark_without_room_costs_the_others_nothing(self):
        run = support.Run("discover", *support.software_alone(), "--benchmark", "branch,dcache", "--pmu", "software", "--max-buffer", "1", "--repetitions", "3", "--programs", "0", "--format",
                          "json")
        benchmarks = self.expect(run, 0, err=r"dcache: L1\.1\+0 ").json()["benchmarks"]
        self.assertEqual([benchmark["benchmark"] for benchmark in benchmarks], ["branch"])
        self.sweep("--max-buffer", "1", code=4, err="no kernel of dcache fits this machine")
        self.sweep("--max-buffer", "64K", code=4, err="beyond the first cache")

    def test_what_takes_too_long_is_left_out(self):
        self.sweep("--max-kernel-seconds", "0.01", err="--max-kernel-seconds")
        self.assertTrue(any("--max-kernel-seconds" in entry.get("reason", "") for entry in self.manifest()["left_out"]))

    def test_a_team_of_one(self):
        self.sweep("--threads", "1")
        self.assertEqual(self.manifest()["threads"], 1)
        self.assertNotRegex((self.folder / "out/dcache.csv").read_text(), r"(?m)^MEM[^,]*,1,1,")

    def test_more_members_than_cores_are_refused(self):
        self.sweep("--threads", "65536", code=2, err="a team of 65536 needs as many cores")

    def test_sizes_that_make_no_sense(self):
        for size in ("0", "12X", "M", "-1", "1MB"):
            self.sweep("--max-buffer", size, code=2, err="--max-buffer")


if __name__ == "__main__":
    support.main()
