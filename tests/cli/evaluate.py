"""Values of formulas for counts: trees, what does not add up, what has no value."""

import csv
import io
import json
import os
import re
import shutil

import count
import support

FORMULAS = support.SOURCE / "data/formulas"

# 1000 cycles, 4000 slots of Skylake: what each event counts in a run made by hand, and the tree that must come out.
SKYLAKE = {
    "CPU_CLK_THREAD_UNHALTED": (1000, 2000), "IDQ_UOPS_NOT_DELIVERED:CORE": (800, 0),
    "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": (100, 0), "UOPS_ISSUED:ANY": (2000, 8000),
    "UOPS_RETIRED:RETIRE_SLOTS": (1800, 8000), "INT_MISC:RECOVERY_CYCLES": (50, 0),
    "BR_MISP_RETIRED:ALL_BRANCHES": (30, 1), "MACHINE_CLEARS:COUNT": (10, 0),
    "CYCLE_ACTIVITY:STALLS_MEM_ANY": (120, 0), "EXE_ACTIVITY:BOUND_ON_STORES": (30, 0),
    "CYCLE_ACTIVITY:STALLS_TOTAL": (122, 4), "EXE_ACTIVITY:1_PORTS_UTIL": (30, 2), "EXE_ACTIVITY:2_PORTS_UTIL": (40, 4),
}
TREE = {  # depth, values
    "Slots": (0, 4000, 8000), "Frontend_Bound": (1, 0.2, 0), "Fetch_Latency": (2, 0.1, 0), "Fetch_Bandwidth": (2, 0.1, 0),
    "Bad_Speculation": (1, 0.1, 0), "Branch_Mispredicts": (2, 0.075, 0), "Machine_Clears": (2, 0.025, 0),
    "Backend_Bound": (1, 0.25, 0), "Memory_Bound": (2, 0.1875, 0), "Core_Bound": (2, 0.0625, 0), "Retiring": (1, 0.45, 1),
}


def table(rows, *runs):
    return "".join(",".join(map(str, row)) + "\n" for row in [("event", *runs), *((name, *counts) for name, counts in rows.items())])


class Evaluate(support.Case):
    def evaluate(self, formulas, rows, runs, *more, **changes):
        """`runs` names the columns; a text names one a letter."""
        if isinstance(formulas, str) and "\n" in formulas:
            formulas = self.write("formulas.csv", formulas)
        counts = self.write("counts.csv", table(rows, *runs))
        return support.Run("evaluate", formulas, "--counts", counts, *more, **changes)

    def test_skylake_tree(self):
        run = self.evaluate(FORMULAS / "topdown-skylake.csv", SKYLAKE, ("small", "ideal"), "--format", "json")
        document = self.expect(run, 0, err="").json()
        self.assertEqual((document["schema"], document["runs"], document["faults"]), ("catmint.evaluate/1", ["small", "ideal"], []))
        metrics = {entry["metric"]: entry for entry in document["metrics"]}
        for name, (depth, *values) in TREE.items():
            self.assertEqual(metrics[name]["depth"], depth, name)
            for value, expected in zip(metrics[name]["values"], values):
                self.assertAlmostEqual(value, expected, places=12, msg=name)
        order = [entry["metric"] for entry in document["metrics"]]
        self.assertEqual(order[-len(TREE):], list(TREE))

    def test_what_count_writes(self):
        """Events, metrics and their presets, a column a scope; what a scope does not know has no value, and no emulated run has seconds."""
        def scope(name, flops, loads):
            return {"scope": "region", "number": 0, "name": name, "metrics": [{"metric": "Loads", "value": loads}],
                    "events": [{"event": "FLOPS:ALL", "value": flops}]}
        document = {"schema": "catmint.count/1", "pmu": "emulated:skylake", "seconds": [2], "vector_bits": None,
                    "metrics": [{"metric": "Loads", "preset": "PAPI_LD_INS"}], "scopes": [scope("one", 10, 4), scope("two", 6, None)]}
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nratio,FLOPS.ALL / PAPI_LD_INS,u,s\nrate,FLOPS:ALL / seconds,u,s\n")
        for pmu, rate in (("emulated:skylake", [None, None]), ("hardware", [5, 3])):
            document["pmu"] = pmu
            document["scopes"][0]["scope"] = document["scopes"][1]["scope"] = "program"
            counts = self.write("counts.json", json.dumps(document))
            run = support.Run("evaluate", formulas, "--counts", counts, "--format", "json")
            found = self.expect(run, 1, err="ratio, run two: event 'PAPI_LD_INS' is not among the counts").json()
            self.assertEqual((found["runs"], [entry["values"] for entry in found["metrics"]]), (["one", "two"], [[2.5, None], rate]))

    def test_table_is_indented(self):
        run = self.evaluate(FORMULAS / "topdown-skylake.csv", SKYLAKE, ("small", "ideal"))
        self.expect(run, 0, err="", out=r"^Slots +4000 +8000\n  Frontend_Bound +0\.200 +0\.000\n    Fetch_Latency +0\.100")
        self.assertNotIn("\033", run.out)
        narrow = self.evaluate(FORMULAS / "topdown-skylake.csv", SKYLAKE, ("small", "ideal"), COLUMNS="40")
        self.expect(narrow, 0, out=r"\n\nMetric +ideal\n")

    def test_terminals_get_shades(self):
        for changes, shaded in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            master, terminal = os.openpty()
            self.expect(self.evaluate(FORMULAS / "topdown-skylake.csv", SKYLAKE, ("small", "ideal"), stdout=terminal, **changes), 0)
            os.close(terminal)
            text = support.read_terminal(master)
            self.assertEqual("\033[30;48;5;203m  0.000\033[0m" in text, shaded)
            self.assertEqual("\033[30;48;5;119m  1.000\033[0m" in text, shaded)
            self.assertIn("Slots", text)

    def test_csv_reads_back(self):
        target = self.folder / "values.csv"
        run = self.evaluate(FORMULAS / "topdown-skylake.csv", SKYLAKE, ("small", "ideal"), "--format", "csv", "--output", target)
        self.expect(run, 0, err="", out="")
        rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(target.read_text()))}
        self.assertEqual(rows["Retiring"], {"metric": "Retiring", "unit": "fraction", "parent": "Slots", "of": "Slots",
                                            "small": "0.45", "ideal": "1"})

    def test_cells_are_no_formulas(self):
        """A spreadsheet takes text that begins with = + - @ for a formula, which may start programs."""
        runs = ("=HYPERLINK(a)", "@SUM(1)", "+1+1", "-2-3", "-4.5", "plain")
        run = self.expect(self.evaluate('metric,formula,unit,source\n"=cmd|\'x\'!""A""",A,=unit,s\n', {"A": (1, 2, 3, 4, 5, 6)}, runs, "--format", "csv"), 0)
        self.assertEqual(list(csv.reader(io.StringIO(run.out))), [
            ["metric", "unit", "parent", "of", "'=HYPERLINK(a)", "'@SUM(1)", "'+1+1", "'-2-3", "-4.5", "plain"],
            ["'=cmd|'x'!\"A\"", "'=unit", "", "", "1", "2", "3", "4", "5", "6"]])
        for source in (support.SOURCE / "src/report").glob("**/*_csv.c"):
            self.assertNotIn("cm_csv_write_field", source.read_text(), source)

    def test_sums_that_differ_are_reported(self):
        a64fx = {f"{n}INST_COMMIT": (200,) for n in range(5)} | {"CPU_CYCLES": (1000,), "ROB_EMPTY": (10,), "BR_COMP_WAIT": (20,),
                 "LD_COMP_WAIT": (100,), "EU_COMP_WAIT": (30,), "UOP_ONLY_COMMIT": (5,), "SINGLE_MOVPRFX_COMMIT": (5,)} | {
                 f"LD_COMP_WAIT_{name}": (count,) for name, count in (("EX", 60), ("L1_MISS", 40), ("L1_MISS_EX", 30), ("L2_MISS", 30),
                 ("L2_MISS_EX", 10), ("PFP_BUSY", 10), ("PFP_BUSY_EX", 5), ("PFP_BUSY_SWPF", 2))}
        formulas = FORMULAS / "topdown-a64fx.csv"
        self.expect(self.evaluate(formulas, a64fx, "r"), 0, err="", out=r"^  0_Instruction_Commit +0\.200\n    Frontend_Bound +0\.050$")
        self.expect(self.evaluate(formulas, a64fx, "r"), 0, out=r"^      L1_Hit +0\.200\n        L1_Hit_Base +0\.150\n        L1_Hit_Vector +0\.050\n      L1_Miss +0\.400\n")
        broken = a64fx | {"4INST_COMMIT": (300,)}
        self.expect(self.evaluate(formulas, broken, "r"), 1, err=r"^catmint: Clocks, run r: its parts add up to 1\.1, expected 1, all of Clocks$")
        self.expect(self.evaluate(formulas, broken, "r", "--tolerance", "0.1"), 0, err="")
        run = self.evaluate(formulas, a64fx | {"LD_COMP_WAIT": (400,)}, "r", "--format", "json")
        self.assertEqual([(fault["metric"], fault["run"]) for fault in self.expect(run, 1).json()["faults"]], [("Memory_Bound", "r"), ("Other", "r")])
        self.expect(self.evaluate(formulas, a64fx | {"LD_COMP_WAIT_L2_MISS_EX": (35,)}, "r"), 1, err=r"^catmint: L2_Miss_Vector, run r: the fraction is -0\.05, expected 0 to 1$")

    def test_ranks_are_added(self):
        """Counts of ranks add up, their seconds pass side by side; a rank that lacks an event leaves no value."""
        formulas, *ranks = (self.folder / name for name in ("formulas.csv", "0/counts.csv", "1/counts.csv", "2/counts.csv", "3/counts.csv"))
        formulas.write_text("metric,formula,unit,source\nrate,A/seconds,A/s,us\nratio,B/A,,us\n")
        tables = ("event,run\nA,3\nB,4\nseconds,2\n", "event,run\nseconds,2.5\nB,6\nA,5\n", "event,run\nA,5\nseconds,1\n", "event,a,b\nA,5,1\nB,2,1\n")
        for path, text in zip(ranks, tables):
            path.parent.mkdir()
            path.write_text(text)

        def added(*numbers):
            return support.Run("evaluate", formulas, "--sum", "--format", "csv", *(word for n in numbers for word in ("--counts", ranks[n])))
        self.assertEqual(self.expect(added(0, 1), 0).out.splitlines(), ["metric,unit,parent,of,sum", "rate,A/s,,,3.2", "ratio,,,,1.25"])
        self.assertEqual(self.expect(added(0), 0).out.splitlines()[1], "rate,A/s,,,1.5")
        self.assertEqual(self.expect(support.Run("evaluate", formulas, ranks[0], "--sum", "--format", "csv", ranks[1]), 0).out, added(0, 1).out)
        one, two = (shutil.copy(ranks[rank], self.folder / f"{rank}.csv") for rank in (0, 1))
        run = self.expect(support.Run("evaluate", formulas, one, f"second={two}", "--counts", f"third={one}", "--format", "csv"), 0)
        self.assertEqual(run.out.splitlines()[:2], ["metric,unit,parent,of,0,second,third", "rate,A/s,,,1.5,2,1.5"])
        self.expect(added(0, 2), 1, err="ratio, every run: event 'B' is not among the counts")
        self.expect(added(0, 3), 3, out="", err=r"3/counts.csv: the table has 2 runs, expected one")

    def test_absolute_parts_add_up_to_their_parent(self):
        formulas = "metric,formula,unit,source,parent\nall,A,,,\none,B,,,all\ntwo,C,,,all\n"
        self.expect(self.evaluate(formulas, {"A": (10, 10), "B": (4, 4), "C": (6, 5)}, ("x", "y")), 1,
                    err=r"\Acatmint: all, run y: its parts add up to 9, expected 10\n\Z")

    def test_parts_may_be_of_something_else(self):
        kunpeng = {"CPU_CYCLES": (100,), "FETCH_BUBBLE": (40,), "INST_SPEC": (220,), "INST_RETIRED": (200,),
                   "MEM_STALL_ANYLOAD": (20,), "MEM_STALL_ANYSTORE": (10,), "EXE_STALL_CYCLE": (40,), "MEM_STALL_L1MISS": (16,), "MEM_STALL_L2MISS": (6,)}
        formulas = FORMULAS / "topdown-kunpeng-920.csv"
        self.expect(self.evaluate(formulas, kunpeng, "r"), 0, err="",
                    out=r"^  Backend_Bound +0\.350\n    Memory_Bound +0\.750\n      L1_Bound +0\.100\n      L2_Bound +0\.250\n      L3_DRAM_Bound +0\.150\n      Store_Bound +0\.250\n    Core_Bound +0\.250\n  Retiring +0\.500$")
        self.expect(self.evaluate(formulas, kunpeng | {"EXE_STALL_CYCLE": (20,)}, "r"), 1,
                    err=r"^catmint: Memory_Bound, run r: the fraction is 1\.5, expected 0 to 1$")

    def test_what_has_no_value(self):
        missing = {name: counts for name, counts in SKYLAKE.items() if name != "CYCLE_ACTIVITY:STALLS_TOTAL"}
        run = self.evaluate(FORMULAS / "topdown-skylake.csv", missing, ("a", "b"))
        self.expect(run, 1, err=r"^catmint: Memory_Bound, every run: event 'CYCLE_ACTIVITY:STALLS_TOTAL' is not among the counts$",
                    out=r"^    Memory_Bound +- +-$")
        self.expect(run, 1, out=r"^  Retiring +0\.450 +1\.000$")
        formulas = "metric,formula,unit,source\nrate,A / B,,\nuser,rate + 1,,\nguarded,A / B if B > 0 else 0,,\n"
        document = self.evaluate(formulas, {"A": (1, 1), "B": (0, 2)}, ("x", "y"), "--format", "json").json()
        self.assertEqual([entry["values"] for entry in document["metrics"]], [[None, 0.5], [None, 1.5], [0, 0.5]])
        self.assertEqual(document["metrics"][1]["reasons"], ["division by zero in 'rate'", None])
        self.assertEqual([fault["metric"] for fault in document["faults"]], ["rate", "user"])

    def test_events_in_other_spellings(self):
        formulas = "metric,formula,unit,source\nplain,UOPS.ANY,,\nratio,uops_any / CYCLES:u,,\nmore,'UOPS:ANY:cmask=0x1' + plain,,\n"
        counts = {"UOPS:ANY": (10,), "UOPS:ANY:c=1": (4,), "skl::CYCLES": (5,)}
        document = self.expect(self.evaluate(formulas, counts, "r", "--format", "json"), 0, err="").json()
        self.assertEqual([entry["values"][0] for entry in document["metrics"]], [10, 2, 14])
        for events, message in (
                ({"UOPS:ANY": (10,), "uops_any": (11,)}, r"formulas.csv:2: event 'UOPS.ANY' is ambiguous, expected 'UOPS:ANY' or 'uops_any'$"),
                ({"glc::UOPS:ANY": (10,), "grt::UOPS:ANY": (11,)}, r"expected 'glc::UOPS:ANY' or 'grt::UOPS:ANY'$")):
            self.expect(self.evaluate(formulas, counts | events if "uops_any" in events else events, "r"), 3, err=message, out="")
        exact = {"UOPS:ANY": (1,), "UOPS.ANY": (2,), "uops_any": (3,), "CYCLES": (1,), "UOPS:ANY:c=1": (4,)}
        document = self.expect(self.evaluate(formulas, exact, "r", "--format", "json"), 0).json()
        self.assertEqual([entry["values"][0] for entry in document["metrics"]], [2, 3, 6])

    def test_portable_metrics(self):
        fp = "FP_ARITH_INST_RETIRED:"
        counts = {fp + width + "_DOUBLE": (10,) for width in ("SCALAR", "128B_PACKED", "256B_PACKED", "512B_PACKED")}
        counts |= {"PAPI_LD_INS": (60,), "PAPI_SR_INS": (20,), "seconds": (0.5,)}
        run = self.evaluate(FORMULAS / "portable-cascade-lake.csv", counts, "r", "--format", "json")
        values = {entry["metric"]: entry["values"][0] for entry in run.json()["metrics"]}
        # Each instruction a quarter: 8, 16, 32 and 64 bytes make 30 on average; 1, 2, 4, 8 operations.
        for name, expected in (("DP_flops", 150), ("DP_bytes_per_LS", 30), ("DP_LS_bytes", 2400), ("DP_LD_bytes", 1800),
                               ("DP_flops_per_fpins", 3.75), ("DP_AI", 0.0625), ("DP_flops_per_s", 300), ("SP_flops", None)):
            self.assertEqual(values[name], expected, name)

    def test_bad_input(self):
        good = "metric,formula,unit,source\na,A,,\n"
        rows = [(good, "event,r\nA,-1\n", r"counts\.csv:2: a count of 'A' is negative"), (good, "event,r\nA,\n", r"counts\.csv:2"),
                (good, "scope,number\nall,1\n", r"counts\.csv:1: column 1 is 'scope', .*count writes this with --format csv; '.*count --format json' writes"),
                (good, "events,r\nA,1\n", r"counts\.csv:1"), (good, "event,r\nA,1\nA,2\n", r"counts\.csv:3"),
                ("metric,formula,unit,source\na,A *,,\n", "event,r\nA,1\n", r"formulas\.csv:2:6: the expression ends here")]
        for formulas, counts, message in rows:
            with self.subTest(message=message):
                paths = self.write("formulas.csv", formulas), self.write("counts.csv", counts)
                self.expect(support.Run("evaluate", paths[0], "--counts", paths[1]), 3, err=message, out="")
        self.expect(support.Run("evaluate", paths[0]), 2, err=r"^catmint: evaluate needs --counts FILE")


class Portable(count.Counted):
    """Formulas in terms of metrics, counted by the definitions that results have."""

    def test_what_is_missing_leaves_the_rest(self):
        model = support.make_model(self.folder / "model", {"KNOWN": "branches_cond"})
        document = json.loads(self.results({"KNOWN": "CR"}).read_text()) | {"pmu": "software:golden-cove"}
        metric, = document["benchmarks"][0]["metrics"]
        document["benchmarks"][0]["metrics"] += [metric | {"metric": "Refuted", "composable": False}]
        results = self.write("two.json", json.dumps(document))
        formulas = self.write("portable.csv", "metric,formula,unit,source\nshare,'Metric' / instructions,,\nrefuted,'Refuted' + 1,,\n"
                              "lacking,'No Such Metric' * 2,,\nuser,share + refuted,,\ntwice,'Metric' * 2,,\n")
        wanted = ("--pmu", f"software:{model}", "--results", results)
        scope, = self.count(*wanted, "--formulas", formulas, "--", "true")["scopes"]
        found = {entry.get("event", entry.get("metric")): (entry["value"], entry["reason"]) for entry in (*scope["events"], *scope["metrics"])}
        lacks = dict.fromkeys(("Refuted", "No Such Metric"), "the results have no definition that measures it")
        self.assertEqual({name: found[name] for name in lacks}, {name: (None, reason) for name, reason in lacks.items()})
        run = support.Run("evaluate", formulas, "--counts", self.folder / "counts.json", "--format", "json")
        said = {name: f"'{name}' has no value: {reason}" for name, reason in lacks.items()}
        self.expect(run, 1, "^catmint: user, every run: " + said["Refuted"] + "$")
        rows = {entry["metric"]: (entry["values"][0], entry["reasons"][0]) for entry in run.json()["metrics"]}
        self.assertEqual({name: rows[name] for name in ("refuted", "lacking", "user")},
                         {"refuted": (None, said["Refuted"]), "lacking": (None, said["No Such Metric"]), "user": (None, said["Refuted"])})
        self.assertEqual(rows["twice"][0], 2 * found["Metric"][0])
        self.assertAlmostEqual(rows["share"][0], found["Metric"][0] / found["instructions"][0])
        self.count(*wanted, "--metrics", "Refuted", "--formulas", formulas, "--", "true")  # the user's wish
        self.expect(support.Run("evaluate", formulas, "--counts", self.folder / "counts.json"), 1, out=r"(?m)^refuted +\d+$")

    def test_none_is_known(self):
        """Metrics without --results are told from events that the model lacks, and from variables that a table has."""
        for name, formula, message in (("alone", "'No Such Metric' * 2", "the metric 'No Such Metric', which formulas need, is counted by its definition: give --results FILE"),
                                       ("word", "Loads * 2", "the metric 'Loads', which formulas need, is counted by its definition: give --results FILE"),
                                       ("preset", "PAPI_LD_INS * 2", "metrics and PAPI's presets are counted by their definitions"),
                                       ("event", "NO_SUCH_EVENT * 2", "has none of the events that .* needs, such as 'NO_SUCH_EVENT'"),
                                       ("variable", "no_such_fact * 2", "the formulas name no event, fact or metric, only variables")):
            formulas = self.write(f"{name}.csv", f"metric,formula,unit,source\nlacking,{formula},,\n")
            for pmu in ("software:skylake", "auto"):
                run = self.expect(support.Run("count", "--pmu", pmu, "--formulas", formulas, "--", "true"), 125, err=message)
                self.assertEqual(run.err.count(" is counted by its definition"), int("is counted by its definition" in message))

    def test_metrics_without_results(self):
        formulas = self.write("mixed.csv", "metric,formula,unit,source\nlacking,'DP Ops.' / Loads,,\ntwice,2 * instructions,,\n")
        scope, = self.count("--pmu", "software:skylake", "--formulas", formulas, "--", "true")["scopes"]
        reasons = {entry["event"]: entry["reason"] for entry in scope["events"]}
        self.assertEqual(reasons, {"DP Ops.": "a metric, whose definition --results FILE gives", "Loads": "a metric, whose definition --results FILE gives", "instructions": None})

    def test_the_file_that_comes_with_catmint(self):
        self.expect(support.Run("lint", FORMULAS / "portable.csv"), 0)
        texts = [path.read_text(encoding="utf-8") for path in (support.SOURCE / "signatures").glob("*.csv")]
        known = {row[0] for text in texts for row in csv.reader(text.splitlines()) if row}
        text = "\n".join(line for line in (FORMULAS / "portable.csv").read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
        self.assertEqual(set(re.findall("'([^']+)'", text)) - known, set())

    def test_bytes_by_classes(self):
        """Loops counted by hand: vectors of four doubles in a triad, a product whose other vector is made of four loads, the same without vectors, and
        loads that arithmetic has no operands for."""
        counts = {"Loads": (2, 5, 2, 9), "Stores": (1, 0, 0, 0), "DP Ops.": (8, 8, 2, 4), "DP Instrs.": (2, 2, 2, 1), "Packed DP Instrs.": (2, 2, 0, 1)}
        counts |= {name.replace("DP", "FP"): row for name, row in counts.items() if "DP" in name}
        table = "event,triad,product,scalar,others\n" + "".join(",".join([name, *map(str, row)]) + "\n" for name, row in counts.items())
        run = support.Run("evaluate", FORMULAS / "portable.csv", "--counts", self.write("counts.csv", table), "--format", "json")
        self.expect(run, 1)
        values = {entry["metric"]: entry["values"] for entry in run.json()["metrics"]}
        self.assertEqual(values["DP_LS_bytes"], [96, 64, 16, 8 * (4 + 5)])
        self.assertEqual(values["FP_flops_per_LS_element"], [8 / 12, 1, 1, 4 / 9])


if __name__ == "__main__":
    support.main()
