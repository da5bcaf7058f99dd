"""The whole road, live: kernels run, events are counted on the software PMU, definitions come out."""

import ctypes
import json
import resource
import shutil
import subprocess

import paper_events
import support

FP = "FP_ARITH_INST_RETIRED"
WIDTHS = ("SCALAR", "128B_PACKED", "256B_PACKED", "512B_PACKED")
PRECISIONS = {"SP": "SINGLE", "DP": "DOUBLE"}
OPERATIONS = {"SP": (1, 4, 8, 16), "DP": (1, 2, 4, 8)}
BRANCHES = "BR_INST_RETIRED"
CACHES = ("dcache", "dcache-write", "icache", "tlb")
FEWER = ("--benchmark", "cpu-flops,branch,dcache")  # where others would show the same, and take their time


def discover(model, *options):
    run = support.Run("discover", "--pmu", f"software:{model}", "--format", "json", *support.software_alone(), *support.BRIEFLY, *options)
    if run.code != 0:
        raise AssertionError(str(run))
    return run.json()


def shape(document, without=None):
    """All that must be the same in every run: selection and definitions; what came nearest to others is of no use. WITHOUT that metric."""
    return [(entry["benchmark"], sorted(entry["selected"]),
             [(metric["metric"], support.usable(metric), support.usable(metric) and sorted(support.definition(metric).items()))
              for metric in entry["metrics"] if metric["metric"] != without]) for entry in document["benchmarks"]]


def without_sources(entry):
    """Selected events; kernels' instructions are an operation each but for a few, and come from the operation cache: those events may stand for them."""
    instructions = {"IDQ:DSB_UOPS": "INST_RETIRED:ANY", "RETIRED_OPS": "RETIRED_INSTRUCTIONS"}
    return sorted({instructions.get(event, event) for event in entry["selected"]})


class Live(support.Case):
    MODEL, OPTIONS = "golden-cove", ()

    @classmethod
    def setUpClass(cls):
        made = support.discovered(cls.MODEL)
        cls.directory, cls.document = made / "sweep", json.loads((made / "results.json").read_text())

    def analyze(self, *options):
        """What the kernels alone say: what takes the place of a definition that programs refute depends on what else was found."""
        tables = self.folder / "tables"
        shutil.copytree(self.directory, tables, ignore=shutil.ignore_patterns("validation*", "together.json"), dirs_exist_ok=True)
        return self.expect(support.Run("analyze", tables, "--format", "json", *self.OPTIONS, *options), 0).json()

    def check(self, benchmark, metric, expected, composable=True):
        with self.subTest(metric=metric):
            entry = support.metric(self.document, benchmark, metric)
            self.assertEqual(support.definition(entry), expected)
            self.assertEqual(support.usable(entry), composable)
            for figure in ("backward_error", "definition_backward_error"):
                self.assertLessEqual(entry[figure], 9e-4, figure)

    def test_thresholds_from_the_data_select_the_same(self):
        chosen, found = self.analyze("--tau", "auto", "--alpha", "auto"), self.analyze()
        for some, entry in zip(chosen["benchmarks"], found["benchmarks"]):
            if entry["benchmark"] not in CACHES:  # where every event has noise, and a little less of tau leaves some out
                self.assertEqual(without_sources(some), without_sources(entry))
            for one, metric in zip(some["metrics"], entry["metrics"]):
                if entry["benchmark"] not in CACHES:  # what is left then may be wrong, and is refused
                    self.assertEqual(support.usable(one), support.usable(metric))
                self.assertLessEqual(support.usable(one), support.usable(metric))
                if support.usable(metric) and entry["benchmark"] not in CACHES:
                    self.assertEqual(support.definition(one), support.definition(metric))
            for threshold in some["thresholds"].values():
                # dcache has noise of every size: where nothing stands out, auto may say so and keep the default.
                sources = ("auto", "auto refused") if entry["benchmark"] in CACHES else ("auto",)
                self.assertIn(threshold["source"], sources, threshold["reason"])
        self.assertEqual([entry["benchmark"] for entry in chosen["benchmarks"]], [entry["benchmark"] for entry in found["benchmarks"]])

    def check_caches(self, expected):
        """Definitions that are exact, from coefficients that are not: the noise is real, and it is small."""
        off = 0.0
        for name, terms in expected.items():
            with self.subTest(metric=name):
                entry = support.metric(self.document, "dcache", name)
                self.assertEqual(support.definition(entry), terms)
                self.assertTrue(support.usable(entry))
                for term in entry["terms"]:
                    distance = abs(term["coefficient"] - terms.get(term["event"], 0.0))
                    self.assertLess(distance, 0.05, term)
                    off = max(off, distance)
        self.assertGreater(off, 1e-4)

    def widths(self):
        """Vector widths that this CPU can execute."""
        symbols = support.benchmark(self.document, "cpu-flops")["symbols"]
        return [i for i, symbol in enumerate(("D_ADD_SCAL", "D_ADD_128", "D_ADD_256", "D_ADD_512")) if symbol in symbols]


class GoldenCove(Live):
    def test_head(self):
        self.assertEqual(self.document["schema"], "catmint.metrics/1")
        self.assertEqual(self.document["pmu"], "software:golden-cove")
        self.assertTrue(self.document["pmu_reason"])
        self.assertTrue(self.document["machine"])
        self.assertEqual([entry["benchmark"] for entry in self.document["benchmarks"]],
                         ["cpu-flops", "branch", "dcache", "dcache-write", "mem-ops", "instructions", "icache", "tlb"])

    def test_floating_point(self):
        for precision, operand in PRECISIONS.items():
            events = [f"{FP}:{WIDTHS[i]}_{operand}" for i in self.widths()]
            self.check("cpu-flops", f"{precision} Instrs.", {event: 1.0 for event in events})
            weights = [float(OPERATIONS[precision][i]) for i in self.widths()]
            self.check("cpu-flops", f"{precision} Ops.", dict(zip(events, weights)))
            self.assertFalse(support.usable(support.metric(self.document, "cpu-flops", f"{precision} FMA Instrs.")))

    def test_the_papers_tables(self):
        """Its kernels are in every sweep: by its method they say what it printed."""
        document = self.analyze("--method", "paper", "--benchmark", "cpu-flops,branch")
        counted = {event["event"] for event in support.benchmark(document, "cpu-flops")["events"] if event["status"] not in ("zero", "unavailable")}
        half = {event for event in counted if event.endswith("_HALF")}  # of processors that have it: the paper's had not
        paper_events.hold_to(self, document, "cpu-flops", paper_events.TABLE_V, set(paper_events.SELECTED["cpu-flops"]) & counted | half)
        missed = "BR_MISP_RETIRED"
        paper_events.hold_to(self, document, "branch", paper_events.TABLE_VII, {missed, *(f"{BRANCHES}:{name}" for name in ("COND_TAKEN", "COND", "ALL_BRANCHES"))})

    def test_what_vendors_disagree_about_is_named(self):
        for metric, only in (("SP Ops.", "estimates of reciprocals"), ("DP Ops.", "dot products in double precision")):
            also = support.metric(self.document, "cpu-flops", metric)["also_counts"]
            self.assertIn("minima and maxima", also)
            self.assertIn(only, also)
            self.assertNotIn("comparisons", also)

    def test_branches(self):
        taken, all_conditional, everything = (f"{BRANCHES}:{name}" for name in ("COND_TAKEN", "COND", "ALL_BRANCHES"))
        entry = support.benchmark(self.document, "branch")
        wrong = [event for event in entry["selected"] if event.startswith("BR_MISP_RETIRED")]
        self.assertEqual(len(wrong), 1)
        self.assertEqual(sorted(entry["selected"]), sorted([taken, all_conditional, everything, *wrong,
                                                              f"{BRANCHES}:NEAR_CALL", f"{BRANCHES}:NEAR_RETURN"]))
        self.assertEqual(wrong, ["BR_MISP_RETIRED"])
        missed, not_taken = "BR_MISP_RETIRED:COND", f"{BRANCHES}:COND_NTAKEN"  # mispredicted indirect jumps are no metric's
        self.check("branch", "Unconditional Branches", {everything: 1.0, all_conditional: -1.0})
        self.check("branch", "Conditional Branches Taken", {taken: 1.0})
        self.check("branch", "Conditional Branches Not Taken", {not_taken: 1.0})
        self.check("branch", "Mispredicted Branches", {missed: 1.0})
        self.check("branch", "Correctly Predicted Branches", {all_conditional: 1.0, missed: -1.0})
        self.check("branch", "Conditional Branches Retired", {all_conditional: 1.0})
        self.assertFalse(support.usable(support.metric(self.document, "branch", "Conditional Branches Executed")))

    def test_data_caches(self):
        self.check_caches({"L1 Misses": {"MEM_LOAD_RETIRED:L1_MISS": 1.0}, "L1 Hits": {"MEM_INST_RETIRED:ALL_LOADS": 1.0, "MEM_LOAD_RETIRED:L1_MISS": -1.0},
                           "L1 Reads": {"MEM_INST_RETIRED:ALL_LOADS": 1.0},
                           "L2 Hits": {"MEM_LOAD_RETIRED:L2_HIT": 1.0}, "L3 Hits": {"MEM_LOAD_RETIRED:L3_HIT": 1.0},
                           "L2 Misses": {"MEM_LOAD_RETIRED:L2_MISS": 1.0}})
        entry = support.benchmark(self.document, "dcache")
        self.assertEqual(sorted(entry["selected"]), ["INST_RETIRED:ANY", *(f"MEM_LOAD_RETIRED:{name}" for name in
                                                                           ("L1_HIT", "L1_MISS", "L2_HIT", "L3_HIT")), "UOPS_RETIRED:HEAVY"])

    def test_instructions_are_no_loads(self):
        entry = support.benchmark(self.document, "dcache")
        counted = next(event for event in entry["events"] if event["event"] == "INST_RETIRED:ANY")
        for symbol, value in zip(entry["symbols"], counted["representation"]):
            self.assertAlmostEqual(value, symbol == "INS", delta=0.02, msg=symbol)

    def test_counts_add_up(self):
        for entry in self.document["benchmarks"]:
            counts = entry["counts"]
            parts = ("zero", "noisy", "unrepresentable", "dependent", "selected")
            self.assertEqual(sum(counts[part] for part in parts), counts["measured"])
            self.assertEqual(len(entry["events"]), counts["measured"])
            self.assertEqual(len(entry["selected"]), counts["selected"])
            self.assertGreaterEqual(counts["measured"], 80)

    def test_another_run_gives_the_same(self):
        kernels_alone = self.analyze(*FEWER)
        again = discover(self.MODEL, "--programs", "0", "--repetitions", "4", *FEWER)
        # Hits of a line on its way, which MEM_LOAD_RETIRED:L1_HIT leaves out, are many in kernels of other benchmarks alone.
        self.assertEqual(shape(again, "L1 Hits"), shape(kernels_alone, "L1 Hits"))


class Skylake(Live):
    MODEL, OPTIONS = "skylake", FEWER

    def test_branches_on_the_wrong_path_are_there(self):
        entry = support.metric(self.document, "branch", "Conditional Branches Executed")
        self.assertTrue(support.usable(entry))
        self.assertTrue(any(event.startswith("BR_INST_EXEC") for event in support.definition(entry)))


class Zen4(Live):
    MODEL, OPTIONS = "zen4", ("--benchmark", "cpu-flops,branch,dcache,dcache-write,mem-ops")

    def test_operations_without_precision(self):
        self.assertTrue(support.usable(support.metric(self.document, "cpu-flops", "FP Ops.")))
        for name in ("DP Ops.", "SP Ops."):
            self.assertFalse(support.usable(support.metric(self.document, "cpu-flops", name)), name)

    def test_operations_by_kind(self):
        entry = support.benchmark(self.document, "cpu-flops")
        found = {event["event"]: event["representation"] for event in entry["events"]}
        kinds = [tuple(round(value, 3) for value in found[f"RETIRED_SSE_AVX_FLOPS:{kind}_FLOPS"])
                 for kind in ("ADD_SUB", "MULT", "MAC", "DIV")]
        self.assertEqual(len(set(kinds)), 4)
        self.assertEqual(support.definition(support.metric(self.document, "cpu-flops", "FP Ops.")),
                         {"RETIRED_SSE_AVX_FLOPS:ANY": 1.0})
        self.assertEqual(support.metric(self.document, "cpu-flops", "FP Ops.")["also_counts"], [])

    def test_data_caches(self):
        # Kernels of dcache-write tell them from events that count stores too.
        reads, both = "LS_DISPATCH:LD_DISPATCH", "LS_DISPATCH:LD_ST_DISPATCH"
        misses = {"MAB_ALLOCATION_BY_TYPE:LS": -1.0, "REQUESTS_TO_L2_GROUP1:RD_BLK_X": 1.0}
        hits = {"DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:LCL_L2": 1.0, "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_X": -1.0}
        self.check_caches({"L1 Reads": {reads: 1.0, both: 1.0}, "L1 Hits": {reads: 1.0, both: 1.0} | misses, "L2 Hits": hits})
        for name in ("L1 Misses", "L2 Misses"):  # the only events of them count what wrong paths load: programs refute them, or they hold where that is rare
            entry = support.metric(self.document, "dcache", name)
            self.assertFalse(entry["composable"], name)
            self.assertTrue((entry["refused"] or "").startswith("refuted by ") or any("_wrong_load_" in part["per"] for part in entry["valid_above"] or []), name)

    def test_one_event_is_enough_or_none(self):
        document = self.expect(support.Run("analyze", self.directory, "--max-events", "1", "--format", "json"), 0).json()
        for entry in document["benchmarks"]:
            for metric in entry["metrics"]:
                found = [support.definition(one) for one in (metric, metric["limited"]) if one and support.usable(one)]
                self.assertFalse(any("INSTRUCTIONS" in event and metric["metric"] == "L1 Reads" for terms in found for event in terms))


class SomebodyElses(support.Case):
    """A model of 300 events under other names, most of them irrelevant, dropped in a folder."""

    def setUp(self):
        super().setUp()
        rows = ["event,description,expression"]
        for i in range(280):
            rows.append(f"NOISE_{i:03},nothing that the kernels do,{'0' if i % 3 else 'tsc_cycles'}")
        widths = (("scalar", "S"), ("128", "X"), ("256", "Y"), ("512", "Z"))
        for letter in "sd":
            for fact, name in widths:
                rows.append(f"FLT.{letter.upper()}{name},instructions fused ones twice,"
                            f"fp_{letter}_{fact} + 2*fp_{letter}_{fact}_fma")
        rows += ["JUMP.IF,all of them,branches_cond",
                 "JUMP.IF_TAKEN_THRICE,three times those taken,3*branches_cond_taken",
                 "JUMP.ANY,every one,branches_cond + branches_uncond + branches_indirect + calls + returns", "JUMP.MISSED,wrong,mispredicted_cond",
                 "JUMP.MISSED_THRICE,three times those,3*mispredicted_cond",
                 "FLT.ALL_D,a sum,fp_d_scalar + fp_d_128 + fp_d_256 + fp_d_512",
                 "JUMP.SUM,a sum of two,branches_cond + mispredicted_cond", "LOADS,loads,loads", "STORES,stores,stores"]
        while len(rows) < 301:
            rows.append(f"MORE_{len(rows)},nothing,0*loads")
        self.write("theirs/events.csv", "\n".join(rows) + "\n")
        self.write("theirs/machine.csv", (support.SOURCE / "data/pmu/golden-cove/machine.csv").read_text())

    def test_nothing_is_rebuilt(self):
        document = discover(self.folder / "theirs", "--programs", "0", "--repetitions", "4", *FEWER)
        self.assertEqual(document["pmu"], "software:theirs")
        rows = {
            "Conditional Branches Taken": {"JUMP.IF_TAKEN_THRICE": 1 / 3},
            "Conditional Branches Not Taken": {"JUMP.IF": 1.0, "JUMP.IF_TAKEN_THRICE": -1 / 3},
            "Unconditional Branches": {"JUMP.ANY": 1.0, "JUMP.IF": -1.0},
        }
        for name, expected in rows.items():
            entry = support.metric(document, "branch", name)
            self.assertTrue(support.usable(entry), name)
            self.assertEqual(support.definition(entry), expected)
        missed = support.definition(support.metric(document, "branch", "Mispredicted Branches"))
        self.assertIn(missed, ({"JUMP.MISSED": 1.0}, {"JUMP.MISSED_THRICE": 1 / 3}))  # one noise, one range
        events = {event["event"]: event for event in support.benchmark(document, "branch")["events"]}
        self.assertEqual(events["JUMP.MISSED_THRICE"]["equivalent_to"], "JUMP.MISSED")
        entry = support.metric(document, "cpu-flops", "DP Ops.")
        self.assertTrue(support.usable(entry))
        self.assertTrue(all(event.startswith("FLT.D") for event in support.definition(entry)))
        self.assertGreaterEqual(support.benchmark(document, "cpu-flops")["counts"]["measured"], 300)


def lay_out_as_drawn():
    """For a new process: what it maps lies elsewhere, from the other end of memory, where the system lets the stack grow without end."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))


def lay_out_in_order():
    """For a new process: addresses are not drawn at random (ADDR_NO_RANDOMIZE); where a container refuses that, they are others all the same."""
    ctypes.CDLL(None).personality(0x0040000)


class Layout(support.Case):
    COUNTED = ("mispredicted_cond", "mispredicted_cond_taken", "mispredicted_indirect", "cond_executed", "l1d_load_miss", "l1d_store_miss",
               "l2_load_miss", "l1i_fetch_miss", "l2_fetch_miss", "dtlb_load_miss", "itlb_miss")

    def sweep(self, model, out, lay_out, **changes):
        """The table of a sweep: events of the modelled machine alone, none of which counts time."""
        command = [support.PROGRAM, "sweep", "--pmu", f"software:{model}", *support.software_alone(), "--benchmark", "branch",
                   "--repetitions", "1", "--out", self.folder / out]
        subprocess.run(command, env=support.environment(**changes), preexec_fn=lay_out, stderr=subprocess.DEVNULL, check=True)
        return (self.folder / out / "branch.csv").read_text().splitlines()

    def test_addresses_do_not_matter(self):
        model = support.make_model(self.folder / "model", {f"COUNTED_{i}": fact for i, fact in enumerate(self.COUNTED)})
        expected = self.sweep(model, "in-order", lay_out_in_order)
        self.assertEqual(len(expected), 3 + len(self.COUNTED))
        self.assertEqual(self.sweep(model, "as-drawn", lay_out_as_drawn, CATMINT_FILLER="x" * 100020), expected)


class Directory(support.Case):
    def test_out_keeps_the_measurements(self):
        directory = self.folder / "sweep"
        run = support.Run("discover", "--pmu", "software", "--benchmark", "branch", "--out", directory, *support.BRIEFLY, "--format",
                          "json", "--events", "BR_*", "--events", "!BR_MISP_RETIRED*")
        self.expect(run, 0, err=rf"^catmint: measurements are in {directory}; ")
        self.assertEqual(sorted(path.name for path in directory.iterdir()),
                         [".catmint-discover", "branch.csv", "events.csv", "manifest.json", "presets.csv", "report.html", "results.json", "together.json", "validation"])
        again = self.expect(support.Run("analyze", directory, "--format", "json"), 0, err="")
        self.assertEqual(again.json(), run.json())
        self.assertIsNotNone(support.metric(run.json(), "branch", "Conditional Branches Taken")["validation"])
        without = support.Run("discover", "--pmu", "software", "--benchmark", "branch", "--out", self.folder / "other",
                              "--repetitions", "2", "--programs", "0", "--format", "json", "--events", "BR_INST*")
        self.assertIsNone(support.metric(self.expect(without, 0).json(), "branch", "Conditional Branches Taken")["validation"])
        self.assertFalse((self.folder / "other/validation").exists())
        events = [event["event"] for event in support.benchmark(run.json(), "branch")["events"]]
        self.assertTrue(all(event.startswith("BR_INST") for event in events), events)

    def test_the_first_line_names_the_pmu(self):
        run = support.Run("discover", "--pmu", "software:zen4", "--benchmark", "branch", *support.BRIEFLY, "--events", "*BR*")
        self.expect(run, 0, out=r"\APMU +software:zen4: \w")


if __name__ == "__main__":
    del Live
    support.main()
