"""mem-ops, live: loads and stores by what processors count, and bytes where they can be told."""

import json

import auditing
import support

LOADS, STORES = "MEM_INST_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:ALL_STORES"
DISPATCH = {name: f"LS_DISPATCH:{name}_DISPATCH" for name in ("LD", "STORE", "LD_ST")}
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
PREFETCHES = ["non-temporal prefetches", "prefetches into all levels", "prefetches into outer levels", "prefetches to write"]
INTEL = {"Loads": {LOADS: 1.0}, "Stores": {STORES: 1.0}, "Loads and Stores": {"MEM_INST_RETIRED:ANY": 1.0},
         "Split Loads": {"MEM_INST_RETIRED:SPLIT_LOADS": 1.0}, "Split Stores": {"MEM_INST_RETIRED:SPLIT_STORES": 1.0}}
# What each model can tell, and nothing else: no processor here has events by width, of bytes, or of non-temporal stores.
EXPECTED = {
    "golden-cove": INTEL, "skylake": INTEL,
    "zen4": {"Split Loads": {"MISALIGNED_LOADS:MA64": 1.0},  # LS_DISPATCH counts wrong paths, too: in a range
             "Loads and Stores": {"LS_DISPATCH:LD_DISPATCH": 1.0, "LS_DISPATCH:LD_ST_DISPATCH": 2.0, "LS_DISPATCH:STORE_DISPATCH": 1.0}},
}


class MemOps(support.Case):
    def discover(self, pmu, *options):
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "mem-ops", "--repetitions", "3", *support.BRIEFLY, "--format", "json",
                          *support.software_alone(), *options)
        return support.benchmark(self.expect(run, 0).json(), "mem-ops")

    def model(self, events, **changes):
        return support.make_model(self.folder / "model", events, **changes)

    def test_models(self):
        for model, expected in EXPECTED.items():
            with self.subTest(model):
                entry = support.benchmark(support.discovered_document(model), "mem-ops")
                self.assertEqual(support.composable(entry), expected)
                for metric in entry["metrics"]:
                    if support.usable(metric):
                        self.assertEqual(metric["validation"]["failed"], 0, metric["metric"])
                        # Of what it names beside the metric, programs that judge it do less than is tolerated.
                        worst = 0.1 if metric["valid_above"] else 0.01 if metric["also_counts"] else 1e-9
                        self.assertLess(metric["validation"]["worst"], worst, metric["metric"])
                loads = next(metric for metric in entry["metrics"] if metric["metric"] == "Loads")
                self.assertEqual(loads["also_counts"], [] if model == "zen4" else PREFETCHES)
                refused = next(metric for metric in entry["metrics"] if metric["metric"] == "Load Bytes")["refused"]
                self.assertRegex(refused, r"^counts \S+ of LD_\d+, the metric has \d+")

    def test_prefetches_that_only_count_where_they_miss(self):
        """Most kernels with prefetches find their lines, and what all of them say together is nothing. Those that miss are of another benchmark."""
        model = self.model({"INSTRUCTIONS": "instructions", "FETCHED": "l1i_fetch_hit + l1i_fetch_miss", "IC_MISS": "l1i_fetch_miss + l1d_hint_miss"}, prefetch_instructions=1)
        run = support.Run("discover", "--pmu", f"software:{model}", "--benchmark", "icache,dcache,mem-ops", "--repetitions", "3", "--programs", "0", "--format", "json", *support.software_alone())
        metric = support.metric(self.expect(run, 0).json(), "icache", "L1 Instruction Misses")
        self.assertEqual([term["event"] for term in metric["definition"]], ["IC_MISS"])
        self.assertEqual(metric["also_counts"], PREFETCHES)

    def test_bytes_from_widths(self):
        """Events by width make bytes; without those of one width there are none, and no event passes for another."""
        events = {f"LOADS:W{width}": f"loads_{width}" for width in WIDTHS} | {"STORED": "store_bytes + instructions", "INSTRUCTIONS": "instructions"}
        entry = self.discover(self.model(events), "--programs", "8")
        here = [width for width in WIDTHS if f"LD_{width}" in entry["symbols"]]
        self.assertGreaterEqual(len(here), 5)
        found = support.composable(entry)
        self.assertEqual(found["Load Bytes"], {f"LOADS:W{width}": float(width) for width in here})
        self.assertEqual(found["Loads"], {f"LOADS:W{width}": 1.0 for width in here})
        self.assertEqual(found["Store Bytes"], {"STORED": 1.0, "INSTRUCTIONS": -1.0})
        self.assertNotIn("Stores", found)
        del events["LOADS:W4"]
        found = support.composable(self.discover(self.model(events)))
        self.assertEqual({metric for metric in found if "Load" in metric}, {f"Loads of {width} Byte{'s' * (width > 1)}" for width in here if width != 4})

    def test_hits_are_not_all(self):
        """A fifth of the loads or of the stores misses in some kernels, as far as each level: no program is needed to see it."""
        hits = {"L1D": "l1d_load_hit", "L12D": "l1d_load_hit + l2_load_hit", "CACHES": "loads - l3_load_miss", "L1W": "l1d_store_hit", "WRITES": "stores - l3_store_miss"}
        for events, found in ((hits, {}), (hits | {"LOADS": "loads", "STORES": "stores"}, {"Loads": {"LOADS": 1.0}, "Stores": {"STORES": 1.0}, "Loads and Stores": {"LOADS": 1.0, "STORES": 1.0}})):
            entry = self.discover(support.make_model(self.folder / f"{len(events)}", events), "--programs", "0")
            self.assertEqual({name: terms for name, terms in support.composable(entry).items() if name in INTEL and "Split" not in name}, found)

    def test_a_team_that_is_too_large(self):
        """It is for other benchmarks: only kernels on chains are left out, and that is said."""
        pmu = support.make_model(self.folder / "model", {"LOADS": "loads"})
        run = support.Run("sweep", "--pmu", f"software:{pmu}", "--benchmark", "mem-ops", "--repetitions", "1", "--threads", "65536", "--out", self.folder / "out", *support.software_alone())
        self.expect(run, 0, err=r"mem-ops: L2.2\+fifth to MEM.4\+fifth left out: a team of 65536 needs as many cores")
        self.assertIn("load.8.8", (self.folder / "out/mem-ops.csv").read_text())

    def test_sums_and_overcounts(self):
        """What counts a little too much is no metric, but where something else counts that little."""
        events = {"MANY": "loads + 0.05*loads_16", "BOTH": "loads + stores", "OFFSET": "stores + branches_cond", "LOOPS": "branches_cond", "PAST": "3*nt_stores"}
        found = support.composable(self.discover(self.model(events, interference="0.3")))
        self.assertEqual(found["Stores"], {"OFFSET": 1.0, "LOOPS": -1.0})
        self.assertAlmostEqual(found["NT Stores"]["PAST"], 1 / 3)
        self.assertEqual(found["Loads and Stores"], {"BOTH": 1.0})
        self.assertEqual(found["Loads"], {"BOTH": 1.0, "OFFSET": -1.0, "LOOPS": 1.0})


class Lacking(auditing.Audit):
    """A machine without a third level, or without a second TLB, is a machine: what holds on a whole one holds there."""

    def test_right_stays_right(self):
        events = {"LOADED": "loads", "STORED": "stores", "L1_HIT": "l1d_load_hit", "L1_MISS": "l1d_load_miss", "L2_HIT": "l2_load_hit",
                  "L2_MISS": "l2_load_miss", "MEMORY": "l3_load_miss"}
        right = {"Loads": "LOADED", "Stores": "STORED", "L1 Hits": "L1_HIT", "L1 Misses": "L1_MISS", "L1 Reads": "LOADED", "L2 Hits": "L2_HIT", "L2 Misses": "MEMORY"}
        pmu = support.make_model(self.folder / "model", events, l3_size=0, l3_ways=0, stlb_entries=0, stlb_ways=0)
        out = self.folder / "out"
        found = self.expect(support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "dcache,mem-ops,tlb", "--repetitions", "2", "--threads", "1",
                                        "--max-buffer", "64M", "--out", out, "--format", "json", *support.software_alone()), 0, err=None).json()
        metrics = [metric for entry in found["benchmarks"] for metric in entry["metrics"]]
        self.assertLessEqual(set(right), {metric["metric"] for metric in metrics if support.usable(metric)})
        for metric in metrics:
            self.assertIsNone((metric["validation"] or {}).get("refuted_by"), metric["metric"])
            self.assertNotRegex(" ".join(metric["confounded_with"]), r"l3_\w+_hit", metric["metric"])
        formulas = self.write("formulas.csv", "metric,formula,unit,source\n" + "".join(f"{metric},{event},,\n" for metric, event in right.items()))
        for against in (out, out / "results.json"):
            judged = self.audit(against, formulas)
            self.assertEqual({entry["metric"]: entry["verdict"] for entry in judged["formulas"]}, dict.fromkeys(right, "right"))
            self.assertNotIn("third-level", json.dumps(judged))
        self.assertEqual(found["cache_levels"], 2)


if __name__ == "__main__":
    support.main()
