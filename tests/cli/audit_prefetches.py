"""By what is kept of the machine, audits tell demand misses, all misses and prefetches apart, which are three metrics; and the law judges metrics that
results lack."""

import json

import auditing
import support

REPLACED, FILLED, DEMAND = "L1D:REPLACEMENT", "L2_LINES_IN:ALL", "L2_RQSTS:ALL_DEMAND_MISS"
HINTS = "prefetches by instruction that miss the {}-level cache"
# Of each model: what is called right of some part, and what is wrong or not tried, which a map calls by the metric.
SAID = {
    "golden-cove": [
        (REPLACED, "All L1 Data Misses", "right", True),
        (REPLACED, "L1 Data Misses", "wrong", False),
        (REPLACED, "L1 Prefetches", "wrong", False),
        ("MEM_LOAD_RETIRED:L1_MISS + L2_RQSTS:ALL_RFO", "All L1 Data Misses", "wrong", False),
        (FILLED, "All L2 Misses", "right", True),
        (FILLED, "L2 Misses of Data and Code", "wrong", False),
        (DEMAND, "All L2 Misses", "wrong", False),
        (f"'{FILLED}' / 'INST_RETIRED:ANY'", "1 All L2 Misses / Instructions", "right", True),
        ("LONGEST_LAT_CACHE:MISS", "All L3 Misses", "right", True),
        ("L2_RQSTS:SWPF_MISS", "L2 Misses of Prefetch Instrs.", "not tried", False),
        (DEMAND, "L2 Misses of Prefetch Instrs.", "not tried", False)],
    "zen4": [
        ("MAB_ALLOCATION_BY_TYPE:HW_PF", "L1 Prefetches", "right", False),
        ("MAB_ALLOCATION_BY_TYPE:ALL", "All L1 Data Misses", "right", True),
        ("MAB_ALLOCATION_BY_TYPE:ALL", "L1 Data Misses", "wrong", False),
        ("MAB_ALLOCATION_BY_TYPE:LS", "All L1 Data Misses", "wrong", False)],
    "neoverse-v2": [
        ("L1D_CACHE_REFILL", "L1 Data Misses", "right", False),
        ("L1D_CACHE_REFILL", "All L1 Data Misses", "wrong", False),
        ("L2D_CACHE_REFILL", "All L2 Misses", "wrong", False)]}


class Prefetches(auditing.Audit):
    def trial(self, rows):
        """The formulas of a model, and the map that says what they are."""
        names = self.write("map.csv", "metric,signature\n" + "".join(f'f{i},"{metric}"\n' for i, (_, metric, *_) in enumerate(rows)))
        quoted = ((i, formula if "'" in formula else " + ".join(f"'{event}'" for event in formula.split(" + "))) for i, (formula, *_) in enumerate(rows))
        return self.write("f.csv", "metric,formula,unit,source\n" + "".join(f'f{i},"{formula}",,\n' for i, formula in quoted)), names

    def entries(self, path, model, *options):
        run = support.Run("audit", path, "--pmu", f"software:{model}", "--facts", "kept", "--format", "json", *options)
        self.assertIn(run.code, (0, 1), run.err)
        return run.json()["formulas"]

    def test_models(self):
        for model, rows in SAID.items():
            formulas, names = self.trial(rows)
            for row, entry in zip(rows, self.entries(formulas, model, "--map", names)):
                with self.subTest(model=model, formula=row[0], metric=row[1]):
                    self.assertEqual((entry["verdict"], entry["partial"]), row[2:])

    def test_what_no_kernel_tells(self):
        """A machine without prefetchers, and results of which nobody knows what the machine fetched."""
        formulas, names = self.trial([(REPLACED, "All L1 Data Misses"), (REPLACED, "L1 Prefetches")])
        whole, prefetched = self.entries(formulas, "skylake", "--map", names)
        self.assertEqual((whole["verdict"], whole["partial"], prefetched["verdict"]), ("right", True, "not tried"))
        self.assertIn("not tried: lines that a prefetcher of the first-level cache asks for, " + HINTS.format("first"), whole["numerator"]["remark"])
        sweep, results = self.folder / "sweep", self.folder / "results.json"
        self.expect(support.Run("sweep", "--pmu", "software:golden-cove", "--facts", "kept", "--out", sweep), 0, err=None)
        self.expect(support.Run("analyze", sweep, "--format", "json", "--output", results), 0, err=None)
        document = json.loads(results.read_text())
        for reason, verdict in ((document["pmu_reason"], "right"), ("the user chose it", "not tried")):
            results.write_text(json.dumps({**document, "pmu_reason": reason}))
            run = support.Run("audit", formulas, "--against", results, "--map", names, "--format", "json")
            entry = run.json()["formulas"][0]
            self.assertEqual(entry["verdict"], verdict)
            self.assertEqual(entry["metric"], "f0")
        self.assertIn("lines that a prefetcher of the first-level cache asks for", entry["numerator"]["remark"])

    def test_names(self):
        """What vendors say of their metrics: those of perf include prefetches, LIKWID's are lines, PAPI's preset is of prefetches."""
        metrics = {"l1d_mpi": "L1D.REPLACEMENT / INST_RETIRED.ANY", "l2_mpi": "L2_LINES_IN.ALL / INST_RETIRED.ANY"}
        perf = self.write("perf.json", json.dumps([{"MetricName": name, "MetricExpr": formula} for name, formula in metrics.items()]))
        group = "SHORT L\n\nEVENTSET\nPMC0 L1D_REPLACEMENT\n\nMETRICS\nL2D load bandwidth [MBytes/s] 1.0E-06*PMC0*64.0/time\n\nLONG\nHere.\n"
        presets = "CPU,spr\nPRESET,PAPI_PRF_DM,NOT_DERIVED,L2_RQSTS:ALL_DEMAND_MISS\nPRESET,PAPI_L1_DCM,NOT_DERIVED,L1D:REPLACEMENT\n"
        entries = self.entries(perf, "golden-cove", self.write("L.txt", group), self.write("papi_events.csv", presets))
        self.assertEqual([(entry["verdict"], entry["numerator"]["metric"]) for entry in entries],
                         [("right", "All L1 Data Misses"), ("right", "All L2 Misses"), ("right", "All L1 Data Misses"), ("wrong", "L2 Prefetch Misses"), ("wrong", "L1 Data Misses")])
        self.assertIn("its name may also mean L1 Data Misses, and then it is wrong", entries[2]["numerator"]["remark"])

    def test_the_law_judges_what_values_call_right(self):
        """It names what else a formula counts, or refutes it; where it knows too little of a fact of the metric, it names that. Prefetches that one
        kernel has are refuted by its counts, however much those of another swing."""
        said = {
            "power10": [("PM_FLOP_CMPL", "FP Instrs. with an FMA once", True, "also_counts", r"\bcomparisons\b")],
            "ice-lake": [("BR_INST_RETIRED:NEAR_RETURN", "Returns", True, "also_counts", r"^$"),
                         ("BR_INST_RETIRED:NEAR_RETURN + L2_TRANS:ALL_PF", "Returns", False, "measures", r"^yields 1\.5\d* on L3\.6\+run, expected 0$"),
                         ("MEM_INST_RETIRED:ANY", "Loads and Stores by Line", False, "measures", "."),
                         ("'BR_INST_RETIRED:NEAR_RETURN' / 'INST_RETIRED:ANY'", "1 Returns / Instructions", True, "confounded_with", "which no kernel has")],
            "kunpeng-920": [("L2D_CACHE", "Lines between L1 and L2 with Code", True, "confounded_with", r"\bstore_walks\b"),
                            ("L2D_CACHE + L2D_TLB", "Lines between L1 and L2 with Code", False, "measures", "counts 1 an occurrence of dtlb_load_miss"),
                            ("BR_MIS_PRED_RETIRED", "All Mispredicted Branches", True, "confounded_with", "^mispredicted_indirect$")]}
        for model, rows in said.items():
            formulas, names = self.trial(rows)
            for (formula, metric, right, field, words), entry in zip(rows, self.entries(formulas, model, "--map", names)):
                with self.subTest(model=model, formula=formula, metric=metric):
                    found = entry["numerator"][field]
                    self.assertEqual(entry["verdict"], "right" if right else "wrong")
                    self.assertRegex(found if field == "measures" else ", ".join(found), words)
                    self.assertTrue(not right or entry["numerator"]["by_law"])
        run = support.Run("audit", *self.trial(said["power10"])[:1], "--map", self.folder / "map.csv", "--pmu", "software:power10", "--facts", "kept")
        self.assertRegex(run.out, r"(?m)^    also counts .*\n( +.*\n)*.*comparisons")


if __name__ == "__main__":
    support.main()
