"""Demand misses, all misses and prefetches are three metrics, which audits tell apart by what is kept of the machine."""

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
        for path, said in ((perf, [("right", "All L1 Data Misses"), ("right", "All L2 Misses")]), (self.write("L.txt", group), [("right", "All L1 Data Misses")]),
                           (self.write("papi_events.csv", presets), [("wrong", "L2 Prefetch Misses"), ("wrong", "L1 Data Misses")])):
            entries = self.entries(path, "golden-cove")
            self.assertEqual([(entry["verdict"], entry["numerator"]["metric"]) for entry in entries], said)
            if path.name == "L.txt":
                self.assertIn("its name may also mean L1 Data Misses, and then it is wrong", entries[0]["numerator"]["remark"])


if __name__ == "__main__":
    support.main()
