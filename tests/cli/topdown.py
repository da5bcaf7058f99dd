"""Top-Down models over a program's parameter: published fractions out of counts that are made to have them, runs of several files, drawings, the page."""

import csv
import json
import re
import xml.etree.ElementTree

import report_page
import support

FORMULAS = support.SOURCE / "data/formulas"
PAPER = {"zen2": "paper-zen2"}  # whose formulas are printed wrong: 'topdown' takes others
SVG = "{http://www.w3.org/2000/svg}"

# What the tables of the paper print, a column for each VECTOR_SIZE. The text of Tables 2 and 6 is read from pictures: Table 2 is whole, of Table 6
# the last column is; Tables 3 and 4 are pictures, of which the text says these figures.
SIZES = [str(2 ** power) for power in range(10)]
SKYLAKE = {  # Table 2
    "Slots": (6.47, 3.93, 2.25, 1.80, 1.13, 1.10, 1.15, 1.38, 1.92, 2.65),
    "Frontend_Bound": (.16, .13, .16, .14, .07, .06, .04, .04, .02, .02),
    "Fetch_Latency": (.06, .04, .06, .05, .02, .02, .02, .01, .01, .01),
    "Fetch_Bandwidth": (.10, .09, .10, .08, .05, .04, .03, .02, .01, .01),
    "Bad_Speculation": (.03, .04, .06, .07, .11, .10, .10, .09, .06, .04),
    "Branch_Mispredicts": (.03, .04, .06, .07, .10, .10, .10, .09, .06, .04),
    "Machine_Clears": (0,) * 10,
    "Backend_Bound": (.13, .15, .16, .21, .31, .36, .44, .52, .67, .76),
    "Memory_Bound": (.02, .03, .03, .06, .11, .13, .18, .23, .36, .42),
    "Core_Bound": (.11, .12, .13, .15, .20, .23, .27, .29, .32, .34),
    "Retiring": (.68, .68, .61, .59, .51, .47, .42, .36, .25, .18),
}
POWER9 = {  # Table 5
    "Clocks": (7.08, 4.10, 2.54, 1.78, 1.38, 1.20, 1.07, 1.03, 1.01, 1.08),
    "No_Instruction_To_Execute": (.03, .03, .03, .03, .03, .03, .02, .02, .02, .03),
    "Instruction_Held_In_Issue": (0,) * 10,
    "Backend_Bound": (.60, .59, .56, .55, .53, .53, .53, .53, .53, .56),
    "Stalled_By_Other_Thread": (.10, .10, .09, .08, .07, .05, .05, .04, .04, .04),
    "Instruction_Latency": (.14, .15, .15, .17, .19, .21, .22, .22, .23, .21),
    "Completion_Cycles": (.13, .14, .16, .17, .18, .18, .18, .18, .18, .16),
    "Branches": (0,) * 10,
    "Compute": (.11, .12, .14, .15, .15, .13, .13, .13, .13, .11),
    "Memory": (.89, .88, .86, .85, .85, .87, .87, .87, .87, .89),
    "Other": (0,) * 10,
    "LS_Address_Queue": (0,) * 9 + (.02,),
    "ERAT_Miss_Queue": (.01,) * 7 + (0, 0, .01),
    "DCache_Miss": (.07, .09, .11, .12, .11, .10, .11, .12, .12, .21),
    "Load_Finish": (.19, .19, .19, .21, .18, .15, .15, .15, .14, .13),
    "Store_Reorder_Queue": (.50, .46, .42, .34, .28, .21, .19, .16, .16, .14),
    "Store_Finish": (.16, .19, .21, .27, .37, .49, .52, .54, .55, .48),
    "LS_Unit": (.06, .05, .05, .04, .03, .02, .02, .02, .02, .01),
    "Memory_Other": (0,) * 10,
}
POWER9_MEMORY = (  # the events of each box below Memory, in the order of the table
    ("LRQ_FULL", "SRQ_FULL", "LSAQ_ARB"), ("ERAT_MISS", "EMQ_FULL"), ("DCACHE_MISS",), ("LOAD_FINISH",),
    ("STORE_DATA", "EIEIO", "STCX", "SLB", "TEND", "PASTE", "TLBIE", "STORE_PIPE_ARB", "STORE_FIN_ARB"), ("STORE_FINISH",), ("LSU_FIN",),
    ("LMQ_FULL", "ST_FWD", "LHS", "LSU_MFSPR", "LARX", "LRQ_OTHER"))
KUNPENG = {"Slots": (7.88,), "Frontend_Bound": (.06,), "Bad_Speculation": (.02,), "Backend_Bound": (.65,), "Memory_Bound": (.59,), "Retiring": (.27,),
           "L2_Bound": (.09,), "L3_DRAM_Bound": (.47,)}
A64FX = {"0_Instruction_Commit": (.75, .59, .79)}  # of VECTOR_SIZE 1, 4 and 512
ZEN2 = {"Backend_Bound": (.56,)}  # of 1


def skylake(slots, front, latency, _bandwidth, bad, _mispredicts, _clears, back, memory, _core, retiring):
    return {"CPU_CLK_THREAD_UNHALTED": slots / 4, "IDQ_UOPS_NOT_DELIVERED:CORE": front * slots, "UOPS_RETIRED:RETIRE_SLOTS": retiring * slots,
            "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": latency * slots / 4, "UOPS_ISSUED:ANY": (retiring + bad) * slots,
            "INT_MISC:RECOVERY_CYCLES": 0, "BR_MISP_RETIRED:ALL_BRANCHES": 1000, "MACHINE_CLEARS:COUNT": 1,
            "CYCLE_ACTIVITY:STALLS_MEM_ANY": memory / back * 900, "EXE_ACTIVITY:BOUND_ON_STORES": memory / back * 100,  # of 1000 cycles in all
            "CYCLE_ACTIVITY:STALLS_TOTAL": 900 - memory / back * 100, "EXE_ACTIVITY:1_PORTS_UTIL": 60, "EXE_ACTIVITY:2_PORTS_UTIL": 40 / retiring}


def power9(clocks, front, held, back, other, _latency, completing, branches, compute, memory, _rest, *boxes):
    """Two digits of the boxes below Memory add up to .98 or more."""
    parts = {f"PM_CMPLU_STALL_{event}": memory * back * clocks * box / sum(boxes) / len(events) for events, box in zip(POWER9_MEMORY, boxes) for event in events}
    held = {f"PM_NTC_ISSUE_HELD_{why}": held * clocks for why in ("ARB", "DARQ_FULL", "OTHER")}
    parts |= {"PM_CMPLU_STALL_BRU": branches * back * clocks, "PM_CMPLU_STALL_EXEC_UNIT": compute * back * clocks}
    return held | parts | {"PM_RUN_CYC": clocks, "PM_ICT_NOSLOT_CYC": front * clocks, "PM_CMPLU_STALL": back * clocks,
                   "PM_CMPLU_STALL_THRD": other * clocks, "PM_1PLUS_PPC_CMPL": completing * clocks}


def kunpeng(slots, front, bad, _back, memory, retiring, second, third):
    return {"CPU_CYCLES": slots / 4, "FETCH_BUBBLE": front * slots, "INST_RETIRED": retiring * slots, "INST_SPEC": (retiring + bad) * slots,
            "MEM_STALL_ANYLOAD": memory * 99, "MEM_STALL_ANYSTORE": memory, "EXE_STALL_CYCLE": 100,
            "MEM_STALL_L1MISS": (second + third) * 100, "MEM_STALL_L2MISS": third * 100}


def a64fx(stalled):
    return {"CPU_CYCLES": 100, "0INST_COMMIT": 100 * stalled} | {f"{n}INST_COMMIT": 25 * (1 - stalled) for n in (1, 2, 3, 4)} | {
        name: 10 * stalled for name in ("ROB_EMPTY", "BR_COMP_WAIT", "LD_COMP_WAIT", "EU_COMP_WAIT", "UOP_ONLY_COMMIT", "SINGLE_MOVPRFX_COMMIT")} | {
        f"LD_COMP_WAIT_{name}": share * stalled for name, share in (("EX", 5), ("L1_MISS", 4), ("L1_MISS_EX", 3), ("L2_MISS", 3), ("L2_MISS_EX", 1), ("PFP_BUSY", 0),
                                                                    ("PFP_BUSY_EX", 0), ("PFP_BUSY_SWPF", 0))}


def zen2(back):
    return {"CYCLES_NOT_IN_HALT": 1000, "UOPS_QUEUE_EMPTY": 240, "RETIRED_UOPS": 6000 * (1 - back) - 420} | {
        f"RETIRED_{kind}INSTRUCTIONS_MISPREDICTED": count for kind, count in (("BRANCH_", 6), ("INDIRECT_BRANCH_", 1), ("TAKEN_BRANCH_", 3))}


ICE_LAKE = {"TOPDOWN:SLOTS": 5000, "UOPS_RETIRED:SLOTS": 2000, "IDQ_UOPS_NOT_DELIVERED:CORE": 1000, "INT_MISC:UOP_DROPPING": 50,
            "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": 120, "TOPDOWN:BACKEND_BOUND_SLOTS": 1300, "INT_MISC:CLEARS_COUNT": 9,
            "CYCLE_ACTIVITY:STALLS_MEM_ANY": 200, "EXE_ACTIVITY:BOUND_ON_STORES": 30, "CYCLE_ACTIVITY:STALLS_TOTAL": 300, "EXE_ACTIVITY:1_PORTS_UTIL": 50,
            "EXE_ACTIVITY:2_PORTS_UTIL": 60, "BR_MISP_RETIRED:ALL_BRANCHES": 12, "MACHINE_CLEARS:COUNT": 2, "CPU_CLK_UNHALTED:THREAD_P": 1000, "INST_RETIRED:ANY": 1800}
ZEN = {"CYCLES_NOT_IN_HALT": 1000, "RETIRED_OPS": 2500, "RETIRED_INSTRUCTIONS": 2400}
GRACEMONT = {"CPU_CLK_UNHALTED:CORE": 1000, "TOPDOWN_RETIRING:ALL": 2000, "TOPDOWN_BAD_SPECULATION:ALL": 900, "TOPDOWN_BAD_SPECULATION:MISPREDICT": 800,
             "TOPDOWN_BAD_SPECULATION:MACHINE_CLEARS": 100, "TOPDOWN_FE_BOUND:ALL": 1100, "TOPDOWN_FE_BOUND:FRONTEND_LATENCY": 700,
             "TOPDOWN_FE_BOUND:FRONTEND_BANDWIDTH": 400, "TOPDOWN_BE_BOUND:ALL": 1000, "TOPDOWN_BE_BOUND:ALLOC_RESTRICTIONS": 300}
NEOVERSE = {"CPU_CYCLES": 1000, "STALL_SLOT": 1700, "STALL_SLOT_FRONTEND": 700, "STALL_SLOT_BACKEND": 1000, "OP_RETIRED": 2800, "OP_SPEC": 3000, "BR_MIS_PRED": 9,
            "INST_RETIRED": 2700}
OF_MODELS = {
    "golden-cove": {"TOPDOWN:SLOTS": 6000, "UOPS_RETIRED:SLOTS": 2000, "TOPDOWN:BAD_SPEC_SLOTS": 900, "TOPDOWN:BR_MISPREDICT_SLOTS": 800, "IDQ_UOPS_NOT_DELIVERED:CORE": 1100,
                    "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": 100, "TOPDOWN:BACKEND_BOUND_SLOTS": 2000, "TOPDOWN:MEMORY_BOUND_SLOTS": 1200,
                    "CPU_CLK_UNHALTED:THREAD": 1000, "INST_RETIRED:ANY": 1800},
    "ice-lake": ICE_LAKE,
    "ice-lake-client": ICE_LAKE,
    "granite-rapids": {"TOPDOWN:SLOTS": 6000, "UOPS_RETIRED:SLOTS": 2000, "TOPDOWN:BR_MISPREDICT_SLOTS": 800, "IDQ_BUBBLES:CORE": 1100, "INT_MISC:UOP_DROPPING": 40,
                       "IDQ_BUBBLES:CYCLES_0_UOPS_DELIV_CORE": 100, "TOPDOWN:BACKEND_BOUND_SLOTS": 2000, "TOPDOWN:MEMORY_BOUND_SLOTS": 1200,
                       "CPU_CLK_UNHALTED:THREAD": 1000, "INST_RETIRED:ANY": 1800},
    "zen2": {"CYCLES_NOT_IN_HALT": 1000, "RETIRED_UOPS": 2500, "UOPS_QUEUE_EMPTY": 240, "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED": 6},
    "zen3": ZEN | {"OPS_SOURCE_DISPATCHED_FROM_DECODER:X86DECODER_DISPATCHED:OPCACHE_DISPATCHED": 2900, "UOPS_QUEUE_EMPTY": 90},
    "zen4": ZEN | {"OPS_SOURCE_DISPATCHED_FROM_DECODER:DECODER:OPCACHE": 2900, "DISPATCH_STALLS_1:FE_NO_OPS": 1100, "DISPATCH_STALLS_1:BE_STALLS": 2000},
    "zen5": ZEN | {"OPS_SOURCE_DISPATCHED_FROM_DECODER:DECODER:OPCACHE": 2900, "DISPATCH_STALLS_1:FE_NO_OPS": 1100, "DISPATCH_STALLS_1:BE_STALLS": 4000},
    "neoverse-n1": {"CPU_CYCLES": 1000, "STALL_FRONTEND": 200, "STALL_BACKEND": 300, "INST_RETIRED": 1800},
    "gracemont": GRACEMONT | {"INST_RETIRED:ANY": 1800},
    "crestmont": {event: count * (1.2 if event.startswith("TOPDOWN") else 1) for event, count in GRACEMONT.items()} | {"INST_RETIRED:ANY_P": 1800},
    "neoverse-n2": NEOVERSE, "neoverse-v1": NEOVERSE, "neoverse-v2": NEOVERSE,
}


class TopDown(support.Case):
    def columns(self, published, counts_of):
        return [counts_of(*column) for column in zip(*published.values())]

    def table(self, runs, columns, name="counts.csv"):
        rows = [("event", *runs), *((event, *(column[event] for column in columns)) for event in columns[0])]
        return self.write(name, "".join(",".join(map(str, row)) + "\n" for row in rows))

    def values(self, machine="skylake", published=SKYLAKE, counts_of=skylake, runs=SIZES):
        """The document of a whole table of the paper."""
        target = self.folder / "values.json"
        counts = self.table(runs, self.columns(published, counts_of))
        self.expect(support.Run("evaluate", FORMULAS / f"{PAPER.get(machine, f'topdown-{machine}')}.csv", "--counts", counts, "--format", "json", "--output", target), 0, err="")
        return target

    def test_tables_of_the_paper(self):
        """Two digits are printed: a fraction that others are taken from is off by as much as these are rounded by."""
        for machine, published, counts_of, runs in (
                ("skylake", SKYLAKE, skylake, SIZES), ("zen2", ZEN2, zen2, ["1"]), ("a64fx", A64FX, a64fx, ["1", "4", "512"]),
                ("power9", POWER9, power9, SIZES), ("kunpeng-920", KUNPENG, kunpeng, ["512"])):
            found = {entry["metric"]: entry["values"] for entry in json.loads(self.values(machine, published, counts_of, runs).read_text())["metrics"]}
            for name, row in published.items():
                for run, value, expected in zip(runs, found[name], row):
                    self.assertAlmostEqual(value, expected, delta=.0151, msg=f"{machine}, {name}, {run}")

    def test_tables_of_models(self):
        """Each event is in the lists of the processor's vendor, and the first level adds up to 1."""
        cpus = {}
        for row in csv.DictReader(line for line in (support.SOURCE / "data/upstream.csv").read_text().splitlines() if not line.startswith("#")):
            cpus.setdefault(row["model"], row["cpu"])
        for model, counts in OF_MODELS.items():
            table = FORMULAS / f"topdown-{model}.csv"
            self.assertIn("\n# Source: ", table.read_text())
            listed = {row[0] for path in (support.SOURCE / "data/pmu" / model).glob("*.csv") for row in csv.reader(path.read_text().splitlines())}
            rows = self.write(f"{model}.csv", "event,run\n" + "".join(f"{event},{count}\n" for event, count in counts.items()))
            run = support.Run("evaluate", table, "--counts", rows, "--format", "json")
            found = self.expect(run, 0, err="").json()["metrics"]  # all events that the table needs are there, and no other
            self.assertEqual(set(counts) - listed, set(), model)
            top = [entry["values"][0] for entry in found if entry["parent"] in ("Slots", "Clocks")]
            self.assertAlmostEqual(sum(top), 1, msg=model)
            for parent in {entry["parent"] for entry in found} - {"", None, "Slots", "Clocks"}:
                whole, = (entry["values"][0] for entry in found if entry["metric"] == parent)
                self.assertAlmostEqual(sum(entry["values"][0] for entry in found if entry["parent"] == parent), whole, msg=(model, parent))
            self.expect(support.Run("lint", "--cpu", cpus[model], table), 0, out="", err="")  # by libpfm4, where it has the processor

    def test_runs_of_several_files(self):
        """A file a run, a table or what count writes; its name is that of the run, unless it is given another."""
        one, two = self.columns({name: row[:2] for name, row in SKYLAKE.items()}, skylake)
        first = self.table(["whatever"], [one], "first.run.csv")
        scope = {"scope": "program", "number": 0, "name": "", "metrics": [], "events": [{"event": event, "value": value} for event, value in two.items()]}
        second = self.write("second.json", json.dumps({"schema": "catmint.count/1", "pmu": "hardware", "seconds": [2], "vector_bits": None,
                                                       "metrics": [], "scopes": [scope]}))
        formulas = FORMULAS / "topdown-skylake.csv"
        run = support.Run("evaluate", formulas, "--counts", first, "--counts", f"2={second}", "--format", "json")
        document = self.expect(run, 0, err="").json()
        self.assertEqual((document["runs"], document["counts"], document["count_files"]), (["first.run", "2"], str(first), [str(first), str(second)]))
        self.assertEqual([[round(value, 2) for value in entry["values"]] for entry in document["metrics"] if entry["metric"] == "Retiring"], [[.68, .68]])
        many = self.table(["a", "b"], [one, two], "odd=name.csv")
        run = support.Run("evaluate", formulas, "--counts", first, "--counts", many, "--format", "csv")
        self.expect(run, 0, err="", out=r"\Ametric,unit,parent,of,first\.run,odd=name a,odd=name b\n")
        self.expect(support.Run("evaluate", formulas, "--counts", f"x={first}"), 0, err="", out=r"\AMetric +x\n")
        for alone, name in ((first, "whatever"), (second, "program")):  # one file keeps its own names
            self.expect(support.Run("evaluate", formulas, "--counts", alone), 0, err="", out=rf"\AMetric +{name}\n")
        self.expect(support.Run("evaluate", formulas, "--counts", first, "--counts", first), 3, err="another table has a run 'first.run', too")
        partly = self.write("less.csv", "event,r\nCPU_CLK_THREAD_UNHALTED,4\n")
        run = support.Run("evaluate", formulas, "--counts", first, "--counts", partly)
        self.expect(run, 1, out=r"^  Retiring +0\.680 +-$", err=r"Retiring, run less: event 'UOPS_RETIRED:RETIRE_SLOTS' is not among the counts")
        negative = self.write("negative.csv", "event,r\nA,-1\n")
        self.expect(support.Run("evaluate", formulas, "--counts", first, "--counts", negative), 3, err=r"negative\.csv:2: a count of 'A' is negative")

    def boxes(self, text):
        """What stands in the boxes of a drawing, and where these are."""
        root = xml.etree.ElementTree.fromstring(text)
        words = ["".join(element.itertext()) for element in root.iter(SVG + "text")]
        boxes = [tuple(float(element.get(key)) for key in ("x", "y", "width", "height")) for element in root.iter(SVG + "rect") if element.get("class") == "m box"]
        shares = [float(element.get("width")) for element in root.iter(SVG + "rect") if element.get("class") == "m share"]
        return words, boxes, shares

    def test_drawn(self):
        """Each metric of the hierarchy has a box, right of its parent's, and none covers another."""
        for machine, metrics, levels in (("skylake", 11, 3), ("zen2", 5, 2), ("a64fx", 26, 5), ("power9", 19, 4), ("kunpeng-920", 11, 4)):
            words, boxes, shares = self.boxes(self.expect(support.Run("evaluate", FORMULAS / f"{PAPER.get(machine, f'topdown-{machine}')}.csv", "--format", "svg"), 0, err="").out)
            self.assertEqual((len(boxes), len({box[0] for box in boxes}), shares), (metrics, levels, []), machine)
            self.assertFalse([word for word in words if re.search(r"\d\.\d", word)], machine)
            for i, (x, y, width, height) in enumerate(boxes):
                for left, top, wide, high in boxes[:i]:
                    self.assertTrue(x + width <= left or left + wide <= x or y + height <= top or top + high <= y, machine)
        counts = self.table(["1"], self.columns({name: row[:1] for name, row in SKYLAKE.items()}, skylake))
        words, boxes, shares = self.boxes(support.Run("evaluate", FORMULAS / "topdown-skylake.csv", "--counts", counts, "--format", "svg").out)
        self.assertIn("topdown-skylake.csv, run 1", words)
        self.assertEqual(words[words.index("Retiring") + 1], "0.680 of Slots")
        self.assertEqual(words[words.index("Slots") + 1], "6.47 slots")
        self.assertAlmostEqual(shares[-1] / boxes[-1][2], .68, places=2)
        counts = self.write("less.csv", "event,x,y\nCPU_CYCLES,4,8\n")
        run = support.Run("evaluate", FORMULAS / "topdown-kunpeng-920.csv", "--counts", counts, "--format", "svg")
        words, boxes, shares = self.boxes(self.expect(run, 1, err="INST_RETIRED").out)
        self.assertEqual((len(boxes), words.count("no value"), [word for word in words if word.startswith("run")]), (22, 20, ["run x", "run y"]))

    def test_not_drawn(self):
        flat = self.write("flat.csv", "metric,formula,unit,source\na,A,,\n")
        self.expect(support.Run("evaluate", flat, "--format", "svg"), 2, err=r"flat\.csv: no formula has a parent", out=r"\A\Z")
        many = self.write("many.csv", "event," + ",".join(f"r{n}" for n in range(65)) + "\nCPU_CYCLES" + ",1" * 65 + "\n")
        self.expect(support.Run("evaluate", FORMULAS / "topdown-a64fx.csv", "--counts", many, "--format", "svg"), 2, err="65 runs, expected at most 64", out=r"\A\Z")
        for command in ("count", "project"):
            self.expect(support.Run(command, "--format", "svg", "--", "true"), 125 if command == "count" else 2, err="table, csv or json")

    def test_in_a_report(self):
        table = sorted((support.SOURCE / "tests/data/truth-cases").glob("*.csv"))[0]
        results, target = self.folder / "results.json", self.folder / "page.html"
        self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json", "--output", results), 0)
        values = self.values()
        hostile = json.loads(values.read_text())
        hostile["formulas"], hostile["runs"][0] = "a/<b>.csv", "<script>"
        hostile = self.write("hostile.json", json.dumps(hostile))
        self.expect(support.Run("report", results, "--output", target, "--values", values, "--values", hostile), 0, err="", out="")
        page = report_page.Page(target)
        tables = list(page.root.all("table", css="values"))
        self.assertEqual([len(tables), len(list(tables[0].all("tr")))], [2, 17])
        row = next(row for row in tables[0].all("tr") if row.first("th").text == "Memory_Bound")
        self.assertEqual([(cell.text, cell.classes) for cell in row.all("td")][1::9], [("0.020", ["number", "share0"]), ("0.420", ["number", "share4"])])
        self.assertEqual(row.first("th").classes, ["level2"])
        self.assertIn("Values of <b>.csv", page.root.text)
        drawings = [plot.attributes["aria-label"] for plot in page.root.all("svg") if "run" in plot.attributes["aria-label"]]
        self.assertEqual((len(drawings), drawings[0]), (20, "topdown-skylake.csv, run 1"))

    def test_plots_of_a_report(self):
        """Those of the page: each run's hierarchy is a file, called after the formulas and the run."""
        table = sorted((support.SOURCE / "tests/data/truth-cases").glob("*.csv"))[0]
        results, target, plots = self.folder / "results.json", self.folder / "page.html", self.folder / "plots"
        self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json", "--output", results), 0)
        document = json.loads(self.values().read_text())
        document["runs"][:3] = ["<script>", "a/b", "a b"]
        values = self.write("values.json", json.dumps(document))
        self.expect(support.Run("report", results, "--output", target, "--values", values, "--plots", plots), 0, err="", out="")
        drawn = [chunk.split("</svg>")[0] for chunk in target.read_text().split("<svg ")[1:]]
        files = sorted(plots.glob("*.svg"))
        self.assertEqual(len(files), len(drawn))
        named = [path.name for path in files if "hierarchy" in path.name]
        self.assertEqual((len(named), [name for name in named if "64" in name]), (10, ["topdown-skylake-hierarchy-64.svg"]))
        self.assertEqual(len([name for name in named if re.fullmatch("topdown-skylake-hierarchy-a-b(-2)?.svg", name)]), 2)
        for path in files:
            head, _, rest = path.read_text().partition("<style>")
            self.assertIn((head.rstrip("\n") + rest.partition("</style>")[2]).removeprefix("<svg ").split("</svg>")[0], drawn)
        self.expect(support.Run("report", results, "--output", target, "--plots", plots), 0, err="", out="")
        self.assertFalse(list(plots.glob("*hierarchy*")))

    def test_documents_that_are_none(self):
        good = json.loads(self.values().read_text())
        table = sorted((support.SOURCE / "tests/data/truth-cases").glob("*.csv"))[0]
        results, target = self.folder / "results.json", self.folder / "page.html"
        self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json", "--output", results), 0)
        for change, message in (({"schema": "catmint.count/1"}, "has the schema 'catmint.count/1', expected catmint.evaluate/1"), ({"runs": ["1"]}, "one a run"),
                                ({"metrics": [good["metrics"][6]]}, "metrics before it do not fit"), ({"metrics": None}, "metrics"),
                                ({"metrics": [{**good["metrics"][0], "values": [None] * 10}]}, "neither a value nor a reason of run 1")):
            with self.subTest(message=message):
                self.expect(support.Run("report", results, "--output", target, "--values", self.write("bad.json", json.dumps({**good, **change}))), 3, err=message)
        self.assertFalse(target.exists())


if __name__ == "__main__":
    support.main()
