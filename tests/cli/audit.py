"""Formulas on trial: what is right is called right, and whatever is made wrong is found."""

import glob
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import support

try:
    import jsonschema
except ImportError:
    jsonschema = None

MODELS = ("golden-cove", "skylake", "zen4")
PAPI_TABLE = next(iter(sorted(glob.glob("/usr/share/papi/*/papi_events.csv"))), None)
LIKWID_GROUPS = pathlib.Path("/usr/share/likwid/perfgroups")
LIVE = None  # model: results in JSON


def live():
    """Sweeps every model once; a text where this machine cannot."""
    global LIVE
    if LIVE is None:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="catmint-test-"))
        unittest.addModuleCleanup(shutil.rmtree, folder, True)
        LIVE = {}
        for model in MODELS:
            run = support.Run("discover", "--pmu", f"software:{model}", "--repetitions", "3", "--out", folder / model, "--format", "json",
                              *support.software_alone(), "--output", folder / f"{model}.json")
            if run.code == 4:
                LIVE = run.err.strip()
                break
            assert run.code == 0, str(run)
            LIVE[model] = folder / f"{model}.json"
    return LIVE


def terms_text(terms):
    return " + ".join(f"({coefficient!r}) * '{event}'" for event, coefficient in terms.items())


def formulas(rows):
    """metric: terms"""
    return "metric,formula,unit,source\n" + "".join(f'"{metric}","{terms_text(terms)}",,\n' for metric, terms in rows)


def composable(document):
    """Every definition that measures its metric, with its benchmark."""
    return [(entry["benchmark"], metric["metric"], support.definition(metric)) for entry in document["benchmarks"]
            for metric in entry["metrics"] if metric["composable"]]


def swapped(event):
    return re.sub("SINGLE|DOUBLE", lambda match: "DOUBLE" if match.group() == "SINGLE" else "SINGLE", event)


def mutants(terms, selected):
    """The definition broken in every way: name of the fault, terms. `selected`: events that count something else."""
    for event in selected:
        if event not in terms:
            yield f"with {event} too", {**terms, event: 1}
    if len(set(terms.values())) > 1:
        events = sorted(terms, key=terms.get)
        yield "weights in the wrong order", dict(zip(events, (terms[event] for event in reversed(events))))
    for event, coefficient in terms.items():
        for name, weight in (("twice", 2 * coefficient), ("half", coefficient / 2), ("a fifth more", 1.2 * coefficient),
                             ("sign", -coefficient)):
            yield f"{name} {event}", {**terms, event: weight}
        if len(terms) > 1:
            yield f"without {event}", {name: weight for name, weight in terms.items() if name != event}
        if swapped(event) != event:
            yield f"swapped {event}", {swapped(name) if name == event else name: weight for name, weight in terms.items()}
    if any(swapped(event) != event for event in terms):
        other = {swapped(event): weight for event, weight in terms.items()}
        if other != terms:
            yield "all swapped", other


def symbols_here():
    """What the kernels that this machine can execute make countable."""
    document = json.loads(live()["golden-cove"].read_text())
    return support.benchmark(document, "cpu-flops")["symbols"]


def vector_widths():
    return [width for width in (128, 256, 512) if f"S_ADD_{width}" in symbols_here()]


def operations_of(widths):
    return [name for name in ("ADD", "SUB", "MUL", "FMA", "DIV", "SQRT") if f"S_{name}_{widths[0]}" in symbols_here()]


class Audit(support.Case):
    def audit(self, against, *files, options=(), code=0, err=""):
        run = support.Run("audit", *files, "--against", against, "--format", "json", *options)
        return self.expect(run, code, err=err).json()

    def verdicts(self, *arguments, **more):
        return [(entry["metric"], entry["verdict"]) for entry in self.audit(*arguments, **more)["formulas"]]

    def judge(self, against, rows, code=0):
        """Entries for many definitions at once; several may be of the same metric."""
        numbered = self.write("many.csv", formulas([(str(number), terms) for number, (_, terms) in enumerate(rows)]))
        mapped = self.write("many-map.csv", "metric,signature\n" + "".join(
            f"{number},{metric}\n" for number, (metric, _) in enumerate(rows)))
        return self.audit(against, numbered, options=["--map", mapped], code=code)["formulas"]

    def check_broken(self, path):
        """Breaks every definition of the results; gives how many broken ones were found."""
        document = json.loads(path.read_text())
        rows = [(metric, name, broken) for benchmark, metric, terms in composable(document)
                for name, broken in mutants(terms, support.benchmark(document, benchmark)["selected"])]
        for (metric, name, _), entry in zip(rows, self.judge(path, [(metric, broken) for metric, _, broken in rows], code=1)):
            with self.subTest(results=path.name, metric=metric, fault=name):
                self.assertEqual(entry["verdict"], "wrong")
                self.assertNotEqual(entry["numerator"]["measures"], "")
                self.assertNotEqual(entry["numerator"]["off"], [])
        return len(rows)

    def one(self, against, formula, metric="DP Ops.", code=0, unit="", **more):
        path = self.write("one.csv", f'metric,formula,unit,source\n"{metric}","{formula}",{unit},\n')
        entry, = self.audit(against, path, code=code, **more)["formulas"]
        return entry

    def table(self, name, events, **more):
        """A directory with one measurement table."""
        self.write(f"{name}-only/{name}.csv", support.measurements(name, events, **more))
        return self.folder / f"{name}-only"


class Live(Audit):
    def setUp(self):
        super().setUp()
        if isinstance(live(), str):
            self.skipTest(live())

    def test_own_definitions_are_right(self):
        for model, path in live().items():
            with self.subTest(model=model):
                rows = [(metric, terms) for _, metric, terms in composable(json.loads(path.read_text()))]
                self.assertGreater(len(rows), 8)
                verdicts = self.verdicts(path, self.write("own.csv", formulas(rows)))
                self.assertEqual(verdicts, [(metric, "right") for metric, _ in rows])

    def test_a_directory_is_as_good_as_its_results(self):
        path = live()["skylake"]
        own = self.write("own.csv", formulas([("DP Ops.", {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE": 1})]))
        documents = [self.audit(against, own, code=1) for against in (path, path.with_suffix(""))]
        for document in documents:
            document.pop("against")
        self.assertEqual(*documents)

    def test_broken_ones_are_found(self):
        for path in live().values():
            self.assertGreater(self.check_broken(path), 100)

    def test_missing_events_are_named(self):
        for model, path in live().items():
            rows = [(metric, terms, next(iter(terms))) for _, metric, terms in composable(json.loads(path.read_text()))]
            gone = [(metric, {f"{name}_OF_OLD" if name == event else name: weight for name, weight in terms.items()})
                    for metric, terms, event in rows]
            for (metric, terms, event), entry in zip(rows, self.judge(path, gone)):
                with self.subTest(model=model, metric=metric):
                    self.assertEqual((entry["verdict"], entry["numerator"]["events"]), ("event missing", [f"{event}_OF_OLD"]))
                    self.assertEqual({term["event"]: term["coefficient"] for term in entry["numerator"]["definition"]}, terms)

    @unittest.skipIf(PAPI_TABLE is None, "Debian's papi-tools, which has papi_events.csv, is not installed")
    def test_papi_presets(self):
        right = ["BR_UCN", "BR_CN", "BR_TKN", "BR_NTK", "BR_MSP", "BR_PRC", "BR_INS", "DP_OPS", "SP_OPS"]
        expected = {
            ("golden-cove", "icx"): {"right": right}, ("skylake", "skx"): {"right": right},
            ("zen4", "amd64_fam19h_zen3"): {"right": ["BR_INS", "BR_MSP", "FP_OPS"], "wrong": ["BR_TKN", "FP_INS"]},
        }
        for (model, section), verdicts in expected.items():
            run = support.Run("audit", PAPI_TABLE, "--section", section, "--against", live()[model], "--format", "json")
            self.assertEqual(run.code, 1 if "wrong" in verdicts else 0, str(run))
            for verdict in ("right", "wrong"):
                found = [entry["metric"].removeprefix("PAPI_") for entry in run.json()["formulas"]
                         if entry["verdict"] == verdict and not re.search("_L[123]_", entry["metric"])]
                self.assertEqual(sorted(found), sorted(verdicts.get(verdict, [])), (model, verdict))

    @unittest.skipIf(PAPI_TABLE is None, "Debian's papi-tools, which has papi_events.csv, is not installed")
    def test_papi_presets_that_are_wrong_are_explained(self):
        run = support.Run("audit", PAPI_TABLE, "--section", "amd64_fam19h_zen3", "--against", live()["zen4"], "--format", "json")
        entries = {entry["metric"]: entry["numerator"] for entry in run.json()["formulas"]}
        self.assertEqual(entries["PAPI_BR_TKN"]["measures"], "counts unconditional branches, calls, returns and indirect jumps too")
        self.assertEqual({term["event"]: term["coefficient"] for term in entries["PAPI_BR_TKN"]["definition"]},
                         {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS": 1, "RETIRED_UNCONDITIONAL_BRANCH_INSTRUCTIONS": -1})
        self.assertEqual(entries["PAPI_FP_INS"]["measures"], "measures FP Ops.")
        self.assertRegex(entries["PAPI_FP_INS"]["remark"], "no combination of these events is right")

    @unittest.skipUnless((LIKWID_GROUPS / "ICX").is_dir(), "Debian's likwid is not installed")
    def test_likwid_groups(self):
        for model, groups in (("golden-cove", "ICX"), ("skylake", "skylakeX")):
            files = [LIKWID_GROUPS / groups / f"{name}.txt" for name in ("FLOPS_DP", "FLOPS_SP")]
            entries = [entry for entry in self.audit(live()[model], *files)["formulas"] if entry["verdict"] != "no signature"]
            self.assertEqual([(entry["metric"], entry["verdict"], entry["rate"], entry["numerator"]["metric"]) for entry in entries],
                             [("DP [MFLOP/s]", "right", "time", "DP Ops."), ("SP [MFLOP/s]", "right", "time", "SP Ops.")])
        entries = self.audit(live()["golden-cove"], *(LIKWID_GROUPS / "ICX").glob("*.txt"), options=["--section", "FLOPS_?P"])["formulas"]
        self.assertEqual({entry["section"] for entry in entries}, {"FLOPS_DP", "FLOPS_SP"})
        entries = {entry["metric"]: entry for entry in self.audit(live()["golden-cove"], LIKWID_GROUPS / "ICX/BRANCH.txt")["formulas"]}
        ratio = entries["Branch misprediction ratio"]
        self.assertEqual([ratio["verdict"], ratio["numerator"]["verdict"], ratio["denominator"]["metric"]], ["right", "right", "All Branches"])
        rate = entries["Branch rate"]
        self.assertEqual([rate["verdict"], rate["numerator"]["verdict"], rate["denominator"]["verdict"]],
                         ["not linear", "right", "unrepresentable event"])

    # The fault of LIKWID 5.3.0's MEM_SP for Sapphire Rapids: weights of double precision for single-precision events.
    MEM_SP = """SHORT Memory bandwidth and single precision

EVENTSET
PMC0 FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE
PMC1 FP_ARITH_INST_RETIRED_SCALAR_SINGLE
PMC2 FP_ARITH_INST_RETIRED_256B_PACKED_SINGLE
PMC3 FP_ARITH_INST_RETIRED_512B_PACKED_SINGLE

METRICS
SP [MFLOP/s] 1.0E-06*(PMC0*{}+PMC1+PMC2*{}+PMC3*{})/time

LONG
Written for this test.
"""

    def test_swapped_weights(self):
        wrong = self.write("MEM_SP.txt", self.MEM_SP.format("2.0", "4.0", "8.0"))
        entry, = self.audit(live()["golden-cove"], wrong, code=1)["formulas"]
        self.assertEqual((entry["verdict"], entry["line"], entry["numerator"]["measures"], entry["rate"]),
                         ("wrong", 10, "has the weights of DP Ops.", "time"))
        widths = vector_widths()
        self.assertEqual(set(entry["numerator"]["off"]), {f"S_{operation}_{width}" for operation in operations_of(widths) for width in widths})
        self.assertEqual({term["event"].removeprefix("FP_ARITH_INST_RETIRED_"): term["coefficient"] for term in entry["numerator"]["definition"]},
                         {"SCALAR_SINGLE": 1, **{f"{width}B_PACKED_SINGLE": width // 32 for width in widths}})
        self.assertEqual(entry["numerator"]["definition_from"], "formula")
        right = self.write("MEM_SP.txt", self.MEM_SP.format("4.0", "8.0", "16.0"))
        self.assertEqual(self.verdicts(live()["golden-cove"], right), [("SP [MFLOP/s]", "right")])

    def test_table(self):
        wrong = self.write("MEM_SP.txt", self.MEM_SP.format("2.0", "4.0", "8.0"))
        run = support.Run("audit", wrong, "--against", live()["golden-cove"])
        self.expect(run, 1, err="", out=r"^wrong +SP \[MFLOP/s\] +SP Ops\. over time +MEM_SP\.txt:10$")
        self.expect(run, 1, out=r"^    it +has the weights of DP Ops\. \(off by 50 % of the metric\)$")
        self.expect(run, 1, out=r"^    counts +S_ADD_128 2 for 4, S_SUB_128 2 for 4,")
        self.expect(run, 1, out=r"^1 formula: 1 wrong$")
        self.assertNotIn("\033", run.out)
        narrow = support.Run("audit", wrong, "--against", live()["golden-cove"], COLUMNS="60").out
        self.assertLessEqual(max(map(len, narrow.splitlines())), 60 + len("FP_ARITH_INST_RETIRED_128B_PACKED_SINGLE"))


FLOPS = {"D1": {"D_SCAL": 1, "D_FMA_SCAL": 2}, "D128": {"D_128": 1, "D_FMA_128": 2}, "D256": {"D_256": 1, "D_FMA_256": 2},
         "D512": {"D_512": 1, "D_FMA_512": 2}, "S1": {"S_SCAL": 1, "S_FMA_SCAL": 2}, "NOTHING": {},
         "ONCE": {"D_SCAL": 1, "D_128": 2, "D_256": 4, "D_512": 8, "D_FMA_SCAL": 1, "D_FMA_128": 2, "D_FMA_256": 4, "D_FMA_512": 8}}


class Judged(Audit):
    """On tables made here."""

    RIGHT = "D1 + 2 * D128 + 4 * D256 + 8 * D512"

    def flops(self):
        return self.table("cpu-flops", FLOPS)

    def test_verdicts(self):
        noisy = support.measurements("cpu-flops", FLOPS | {"NOISY": {"D_SCAL": 1}, "LOOPS": {"D_SCAL": 1}}).splitlines()
        values = {"NOISY": lambda old, repetition: str(float(old) + int(repetition)), "LOOPS": lambda old, _: str(float(old) + 7)}
        rows = [line.split(",") for line in noisy]
        self.write("t/cpu-flops.csv", "".join(",".join(row[:3] + [values[row[0]](old, row[1]) if row[0] in values else old for old in row[3:]]) + "\n"
                                             for row in rows))
        cases = [  # formula, verdict, what it measures or the events that are named, exit code
            (self.RIGHT, "right", "", 0), (f"({self.RIGHT}) * 2", "wrong", "2x", 1), ("ONCE", "wrong", "counts FMA once", 1),
            ("D1 + 2 * D128 + 4 * D256", "wrong", "misses 512-bit", 1), (f"{self.RIGHT} + S1", "wrong", "counts scalar single precision too", 1),
            ("NOTHING", "wrong", "counts nothing on these kernels", 1), (f"{self.RIGHT} + 1", "wrong", "adds a constant 1", 1),
            (f"{self.RIGHT} + 5 * NOTHING", "right", "", 0), (f"{self.RIGHT} + NOISY", "event noisy", ["NOISY"], 0),
            (f"{self.RIGHT} - 2 * LOOPS", "unrepresentable event", ["LOOPS"], 0), (f"{self.RIGHT} + GONE + AWAY", "event missing", ["GONE", "AWAY"], 0),
            (f"max({self.RIGHT}, 0)", "not linear", [], 0), (f"D1 * ({self.RIGHT})", "not linear", [], 0),
        ]
        for formula, verdict, told, code in cases:
            with self.subTest(formula=formula):
                entry = self.one(self.folder / "t", formula, code=code)
                self.assertEqual(entry["verdict"], verdict)
                self.assertEqual(entry["numerator"]["measures" if isinstance(told, str) else "events"], told)

    def test_what_is_not_judged_is_said(self):
        self.assertEqual(self.one(self.flops(), f"{self.RIGHT} + 5 * NOTHING")["numerator"]["remark"],
                         "NOTHING counts nothing on these kernels, so its weight is not judged")
        self.write("cpu-flops-only/branch.csv", support.measurements("branch", {"NOTHING": {"CR": 1}}))
        self.assertRegex(self.one(self.folder / "cpu-flops-only", f"{self.RIGHT} + 5 * NOTHING")["numerator"]["remark"],
                         r"\(it does on those of branch\)$")
        lines = support.measurements("cpu-flops", {"D1": FLOPS["D1"]}).splitlines()
        kept = [i for i, name in enumerate(lines[0].split(",")) if i < 3 or "SCAL" in name]
        self.write("scalar/cpu-flops.csv", "".join(",".join(line.split(",")[i] for i in kept) + "\n" for line in lines))
        entry = self.one(self.folder / "scalar", "D1")
        self.assertEqual((entry["verdict"], entry["numerator"]["remark"]),
                         ("right", "no kernel was run that has all but scalar, which is not judged"))

    def test_rates_and_ratios(self):
        against = self.flops()
        cases = [  # formula, unit, verdict, what it measures, denominator's verdict
            (f"1e-6 * ({self.RIGHT}) / seconds", "MFLOP/s", "right", "", None),
            (f"1e-9 * ({self.RIGHT}) / seconds", "GFLOP/s", "right", "", None),
            (f"1e-6 * ({self.RIGHT}) / seconds", "GFLOP/s", "wrong", "1000x", None),
            (f"2e-6 * ({self.RIGHT}) / seconds", "MFLOP/s", "wrong", "2x", None),
        ]
        for formula, unit, verdict, measures, _ in cases:
            with self.subTest(formula=formula, unit=unit):
                group = self.write("G.txt", "SHORT G\n\nEVENTSET\n" + "".join(f"PMC{i} {event}\n" for i, event in enumerate(FLOPS)) +
                                   f"\nMETRICS\nDP [{unit}] {self.counters(formula)}\n\nLONG\nHere.\n")
                mapped = self.write("map.csv", "metric,signature\nDP *,DP Ops.\n")
                entry, = self.audit(against, group, options=["--map", mapped], code=1 if verdict == "wrong" else 0)["formulas"]
                self.assertEqual((entry["verdict"], entry["numerator"]["measures"], entry["rate"]), (verdict, measures, "time"))
        mapped = ["--map", self.write("map.csv", "metric,signature\nfraction,DP Ops. / DP Instrs.\nper,DP Ops.\n")]
        instructions = "(D1 + D128 + D256 + D512)"
        for metric, formula, verdict, sides in (
                ("fraction", f"({self.RIGHT}) / {instructions}", "right", ("right", "right")),
                ("fraction", f"3 * ({self.RIGHT}) / (3 * {instructions})", "right", ("right", "right")),
                ("fraction", f"3 * ({self.RIGHT}) / {instructions}", "wrong", ("wrong", "right")),
                ("fraction", f"(0 - 2 * ({self.RIGHT})) / (0 - 2 * {instructions})", "right", ("right", "right")),
                ("fraction", f"({self.RIGHT}) / (0 - {instructions})", "wrong", ("wrong", "right")),
                ("fraction", f"({self.RIGHT}) / (D1 - 3 * D512)", "wrong", ("right", "wrong")),
                ("fraction", f"({self.RIGHT}) / (D1 + D128)", "wrong", ("wrong", "wrong")),
                ("fraction", self.RIGHT, "not linear", ("not linear", None)),
                ("per", f"({self.RIGHT}) / {instructions}", "not linear", ("right", "no signature")),
                ("per", f"({self.RIGHT}) / GONE", "not linear", ("right", "event missing")),
                ("per", f"D1 / {instructions}", "wrong", ("wrong", "no signature"))):
            with self.subTest(metric=metric, formula=formula):
                entry = self.one(against, formula, metric=metric, options=mapped, code=1 if verdict == "wrong" else 0)
                below = entry["denominator"]
                self.assertEqual((entry["verdict"], entry["numerator"]["verdict"], below and below["verdict"]), (verdict, *sides))
                if below and below["verdict"] == "no signature":
                    self.assertEqual(below["measures"], "measures DP Instrs.")

    @staticmethod
    def counters(formula):
        for i, event in enumerate(FLOPS):
            formula = re.sub(rf"\b{event}\b", f"PMC{i}", formula)
        return formula.replace(" ", "").replace("seconds", "time")

    def test_metrics_are_found(self):
        against = self.flops()
        table = self.write("t.csv", "CPU,mine\nPRESET,PAPI_DP_OPS,DERIVED_POSTFIX,N0|N1|2|*|+|N2|4|*|+|N3|8|*|+|,D1,D128,D256,D512\n"
                           "PRESET,PAPI_TOT_INS,NOT_DERIVED,D1\nCPU,other\nCPU,third\nPRESET,PAPI_DP_OPS,NOT_DERIVED,D1\n")
        self.assertEqual(self.verdicts(against, table, code=1), [("PAPI_DP_OPS", "right"), ("PAPI_TOT_INS", "no signature"), ("PAPI_DP_OPS", "wrong")])
        self.assertEqual(self.verdicts(against, table, options=["--section", "m*"])[0], ("PAPI_DP_OPS", "right"))
        self.assertEqual(self.verdicts(against, table, options=["--section", "third"], code=1), [("PAPI_DP_OPS", "wrong")])
        self.assertEqual(self.verdicts(against, table, options=["--section", "none"]), [])
        mapped = self.write("map.csv", "metric,signature\nPAPI_TOT_*,DP Instrs.\nPAPI_DP_OPS,Something\n")
        document = self.audit(against, table, options=["--map", mapped], code=1)
        self.assertEqual([entry["verdict"] for entry in document["formulas"]], ["no signature", "wrong", "no signature"])
        self.assertEqual(document["formulas"][0]["numerator"]["remark"], "the results have no metric Something")
        self.assertEqual(self.one(against, "D1", metric="HP Ops.", code=1)["verdict"], "wrong")

    def test_perf_and_perfmon(self):
        against = self.flops()
        mapped = ["--map", self.write("map.csv", "metric,signature\nflops,DP Ops.\nwidth,DP Ops. / DP Instrs.\n")]
        for formula, scale, verdict in (("D1 + 2 * D128 + 4 * D256 + 8 * D512", "", "right"),
                                        ("D1 + 2 * D128 + 4 * D256 + 8 * D512", "1e-6MFLOP", "right"),
                                        ("D1 + 2 * D128 + 4 * D256 + 8 * D512", "1MFLOP", "wrong"),
                                        ("(D1 + 2 * D128 + 4 * D256 + 8 * D512) / 1e6", "1MFLOP", "right"),
                                        ("D1 + 2 * D128 + 4 * D256", "", "wrong")):
            with self.subTest(formula=formula, scale=scale):
                metric = {"MetricName": "flops", "MetricExpr": formula} | ({"ScaleUnit": scale} if scale else {})
                path = self.write("perf.json", json.dumps([metric]))
                self.assertEqual(self.verdicts(against, path, options=mapped, code=1 if verdict == "wrong" else 0), [("flops", verdict)])
        aliases = dict(zip("abcd", ("D1", "D128", "D256", "D512")))
        perfmon = {"Header": {"Info": "made for this test"}, "Metrics": [{
            "MetricName": "width", "BriefDescription": "", "UnitOfMeasure": "", "Constants": [], "Category": "", "MetricGroup": "",
            "Events": [{"Name": event, "Alias": alias} for alias, event in aliases.items()],
            "Formula": "(a + 2 * b + 4 * c + 8 * d) / (a + b + c + d)"}]}
        self.assertEqual(self.verdicts(against, self.write("perfmon.json", json.dumps(perfmon)), options=mapped), [("width", "right")])

    def test_spellings(self):
        against = self.table("cpu-flops", {"X:Y_Z": {"S_SCAL": 1}, "X_Y:Z": {"D_SCAL": 1}, "FP_ARITH_INST_RETIRED:D": FLOPS["D1"]})
        ambiguous = self.one(against, "X_Y_Z")
        self.assertEqual((ambiguous["verdict"], ambiguous["numerator"]["remark"].split(";")[0]),
                         ("event missing", "X_Y_Z is ambiguous: it may be X:Y_Z or X_Y:Z"))
        for spelling in ("FP_ARITH_INST_RETIRED.D", "fp_arith_inst_retired_d", "spr::FP_ARITH_INST_RETIRED:D"):
            entry = self.one(against, spelling, code=1)
            self.assertEqual((entry["numerator"]["measures"], entry["numerator"]["remark"].count("another name")), ("misses all but scalar", 0))
        self.assertRegex(self.one(against, "FP_ARITH:D", code=1)["numerator"]["remark"], "^FP_ARITH is another name of FP_ARITH_INST_RETIRED")
        self.assertEqual(self.one(against, "FP_ARITHMETIC:D")["verdict"], "event missing")

    def test_names_of_metrics(self):
        against = self.flops()
        for name, verdict in (("DP_OPS", "right"), ("dp ops", "right"), ("Dp-Ops.", "right"), ("PAPI_DP_OPS", "right"), ("papi_dp_ops", "right"),
                              ("DPOPS", "no signature"), ("DP_OPS_2", "no signature"), ("SP_OPS", "wrong"), ("OPS", "no signature")):
            with self.subTest(name=name):
                self.assertEqual(self.one(against, self.RIGHT, metric=name, code=int(verdict == "wrong"))["verdict"], verdict)
        document = support.Run("analyze", against, "--format", "json").json()
        double, single = (next(metric for metric in document["benchmarks"][0]["metrics"] if metric["preset"] == preset)
                          for preset in ("PAPI_DP_OPS", "PAPI_SP_OPS"))
        single["metric"] = "DP OPS"
        entry = self.one(self.write("two.json", json.dumps(document)), self.RIGHT, metric="dp_ops")
        self.assertEqual((entry["verdict"], entry["numerator"]["remark"]), (
            "no signature", "metric 'dp_ops' is ambiguous: it may be DP OPS of cpu-flops or DP Ops. of cpu-flops"))

    def test_folders(self):
        group = "SHORT {0}\n\nEVENTSET\nPMC0 {0}\n\nMETRICS\nDP [MFLOP/s] 1E-06*PMC0/time\n\nLONG\nHere.\n"
        for name, event in (("one/G", "D1"), ("two/G", "GONE")):
            self.write(f"groups/{name}.txt", group.format(event))
        run = self.expect(support.Run("audit", self.folder / "groups", "--against", self.flops()), 1, err="")
        self.assertRegex(run.out, r"(?m)^wrong .* one/G\.txt:7$")
        self.assertRegex(run.out, r"(?m)^event missing .* two/G\.txt:7$")
        (self.folder / "empty").mkdir()
        self.expect(support.Run("audit", self.folder / "empty", "--against", self.flops()), 3, err="empty: no files of formulas here", out="")

    def test_results_that_do_not_tell_all_events(self):
        against = self.table("cpu-flops", FLOPS | {"TWICE": {symbol: 2 * count for symbol, count in FLOPS["D1"].items()}})
        for detail, formula, verdict in (("all", "TWICE", "wrong"), ("all", "GONE", "event missing"), ("kept", "TWICE", "wrong"),
                                         ("selected", self.RIGHT, "right"), ("selected", "TWICE", "event not told"),
                                         ("selected", "GONE", "event not told")):
            with self.subTest(detail=detail, formula=formula):
                results = self.write("results.json", support.Run("analyze", against, "--format", "json", "--events-detail", detail).out)
                entry = self.one(results, formula, code=int(verdict == "wrong"))
                self.assertEqual(entry["verdict"], verdict)
                self.assertEqual("--events-detail all" in entry["numerator"]["remark"], verdict == "event not told")

    def test_small_multiples(self):
        for formula, measures in ((f"({self.RIGHT}) / 1e6", "1e-06x"), ("D1 / 1e9", "counts almost nothing on these kernels"),
                                  (f"0 * ({self.RIGHT})", "counts nothing on these kernels")):
            self.assertEqual(self.one(self.flops(), formula, code=1)["numerator"]["measures"], measures)
        path = self.write("constant.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT} + 7,,\n")
        run = self.expect(support.Run("audit", path, "--against", self.flops()), 1, err="")
        self.assertRegex(run.out, r"(?m)^ +it +adds a constant 7$")

    def test_bad_input(self):
        against, good = self.flops(), self.write("good.csv", "metric,formula,unit,source\nDP Ops.,D1,,\n")
        rows = [
            ("formulas.csv", "metric,formula,unit,source\nDP Ops.,D1 +,,\nSP Ops.,S1,,\n", r"formulas\.csv:2:\d+: "),
            ("G.txt", "SHORT G\n\nEVENTSET\nPMC0 D1\n\nMETRICS\nDP [MFLOP/s] PMC0*(\n\nLONG\nHere.\n", r"G\.txt:7:\d+: "),
            ("t.csv", "CPU,mine\nPRESET,PAPI_DP_OPS,DERIVED_POSTFIX,N0|N1|+|,D1\n", r"t\.csv:2:\d+: "),
            ("nothing.txt", "nothing\n", r"nothing\.txt"),
        ]
        for name, content, message in rows:
            with self.subTest(name=name):
                self.expect(support.Run("audit", self.write(name, content), "--against", against), 3, err=message)
        self.expect(support.Run("audit", self.folder / "absent.csv", "--against", against), 3, err=r"absent\.csv", out="")
        self.expect(support.Run("audit", good, "--against", self.folder / "absent"), 3, err=r"absent: .*expected a sweep directory or results", out="")
        self.expect(support.Run("audit", good, "--against", self.write("bad.json", "{}\n")), 3, err=r"bad\.json:", out="")
        for content, message in (("metric,signature\nx,\n", r"map\.csv:2"), ("name,signature\n", r"map\.csv:1")):
            self.expect(support.Run("audit", good, "--against", against, "--map", self.write("map.csv", content)), 3, err=message, out="")
        self.expect(support.Run("audit", good), 2, err=r"^catmint: audit needs --against", out="")
        self.expect(support.Run("audit", "--against", against), 2, out="")
        self.expect(support.Run("audit", good, "--against", against, "--format", "xml"), 2, out="")

    def test_folders(self):
        against = self.folder / "results.json"
        self.expect(support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", against), 0)
        for name in ("formulas/b.csv", "formulas/deeper/a.csv"):
            self.write(name, "metric,formula,unit,source\nAll Branches,BR_INST_RETIRED:ALL_BRANCHES,,\n")
        self.write("formulas/notes", "no formulas")
        run = support.Run("audit", self.folder / "formulas", "--against", against, "--format", "json")
        self.assertEqual(len(self.expect(run, 0, err="").json()["formulas"]), 2, str(run))

    def test_what_can_be_read_is_judged_all_the_same(self):
        path = self.write("formulas.csv", f'metric,formula,unit,source\nSP Ops.,D1 +,,\nDP Ops.,{self.RIGHT},,\n')
        document = self.audit(self.flops(), path, code=3, err=r"formulas\.csv:2")
        self.assertEqual([(entry["metric"], entry["verdict"]) for entry in document["formulas"]], [("DP Ops.", "right")])
        self.assertEqual([(fault["line"], fault["file"]) for fault in document["faults"]], [(2, str(path))])

    def test_output(self):
        good, target = self.write("good.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT},,\n"), self.folder / "audit.json"
        run = support.Run("audit", good, "--against", self.flops(), "--format", "json", "--output", target)
        self.expect(run, 0, err="", out="")
        self.assertEqual(json.loads(target.read_text())["verdicts"]["right"], 1)
        for changes, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            master, terminal = os.openpty()
            self.expect(support.Run("audit", good, "--against", self.flops(), stdout=terminal, **changes), 0)
            os.close(terminal)
            text = support.read_terminal(master)
            self.assertEqual("\033[32mright" in text, coloured)

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
    def test_schema(self):
        schema = json.loads((support.SOURCE / "docs/catmint.audit-1.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        path = self.write("many.csv", f"metric,formula,unit,source\nDP Ops.,{self.RIGHT},,\nSP Ops.,S1,,\nFP Ops.,GONE,,\nHP Ops.,D1/S1,,\nother,D1,,\nFP Instrs.,D1 *,,\n")
        document = self.audit(self.flops(), path, code=3, err=None)
        validator.validate(document)
        for breaker in (lambda d: d.update(schema="catmint.audit/2"), lambda d: d["formulas"][0].update(verdict="fine"),
                        lambda d: d["formulas"][0].pop("numerator"), lambda d: d["verdicts"].pop("wrong"),
                        lambda d: d["formulas"][1]["numerator"].update(misfit=-1)):
            broken = json.loads(json.dumps(document))
            breaker(broken)
            with self.assertRaises(jsonschema.ValidationError):
                validator.validate(broken)


class Recorded(Audit):
    def test_own_definitions_are_right_and_broken_ones_are_not(self):
        for benchmark, table in support.RECORDED.items():
            results = self.folder / f"{benchmark}.json"
            self.expect(support.Run("analyze", table, "--benchmark", benchmark, "--format", "json", "--output", results), 0)
            own = composable(json.loads(results.read_text()))
            self.assertEqual(self.verdicts(results, self.write("own.csv", formulas([row[1:] for row in own]))),
                             [(metric, "right") for _, metric, _ in own])
            self.assertGreater(self.check_broken(results), 20)


if __name__ == "__main__":
    support.main()
