"""Every model that comes with catmint: it is read, all of its events are evaluated from kept facts, and its names and codes are libpfm4's."""
import csv
import ctypes
import ctypes.util
import json
import os
import pathlib
import platform
import re
import tempfile
import unittest

from support import SOURCE, Run, main, software_alone

MODELS = sorted(path.parent.name for path in (SOURCE / "data/pmu").glob("*/events.csv"))


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


def is_of_gpu(model):
    return "\ngpu," in (SOURCE / f"data/pmu/{model}/machine.csv").read_text() if (SOURCE / f"data/pmu/{model}/machine.csv").exists() else False


# Events whose codes libpfm4 gives otherwise, and why ours are right.
OTHER_CODES = {
    ("golden-cove", "INST_RETIRED:ANY"): "fixed counter: the kernel's code; libpfm4 up to 4.13 has that of INST_RETIRED:PREC_DIST",
    **{("golden-cove", f"TOPDOWN:{slots}_SLOTS"): "perfmon's SPR: event A4H, which libpfm4 up to 4.13 leaves out" for slots in ("BACKEND_BOUND", "BAD_SPEC", "BR_MISPREDICT", "MEMORY_BOUND")},
    ("bonnell", "BUS_TRANS_RFO:SELF"): "perfmon's BNL; libpfm4 adds bits for prefetches",
    ("bonnell", "BUS_TRANS_INVAL:SELF"): "the same",
}


class Encoding(ctypes.Structure):
    """pfm_pmu_encode_arg_t of perfmon/pfmlib.h."""
    _fields_ = [("codes", ctypes.POINTER(ctypes.c_uint64)), ("text", ctypes.c_void_p), ("size", ctypes.c_size_t),
                ("count", ctypes.c_int), ("index", ctypes.c_int)]


def code_by_libpfm4(library, name):
    """The code as code_of() has it; None: libpfm4 has none; -1: a second register says the rest of it, so that no code is right."""
    encoding = Encoding(size=ctypes.sizeof(Encoding))
    if library.pfm_get_os_event_encoding(name, 8, 0, ctypes.byref(encoding)) != 0:  # PFM_PLM3, PFM_OS_NONE
        return None
    return encoding.codes[0] & (0xff << 40 | 0xf << 32 | 0xff << 24 | 1 << 23 | 1 << 18 | 0xffff) if encoding.count == 1 else -1


def code_of(text):
    """The register of x86's `event:mask:cmask=1:inv=1:edge=1`; codes of other architectures are one number."""
    event, *fields = text.split(":")
    shifts = {"cmask": 24, "inv": 23, "edge": 18}
    number = int(event, 16)
    code = number & 0xff | number >> 8 << 32 if fields else number
    for field in fields:
        key, _, value = field.rpartition("=")
        code |= int(value, 0) << shifts.get(key, 8)
    return code


class Models(unittest.TestCase):
    def test_there_are_many(self):
        self.assertGreaterEqual(len([model for model in MODELS if not is_of_gpu(model)]), 50)

    def test_every_event_is_evaluated_from_kept_facts(self):
        """Of all models; where tests take turns of a fifth of them, since all take minutes."""
        turns = int(os.environ.get("CATMINT_TURNS", "1"))
        for model in MODELS[int(os.environ.get("CATMINT_SEED", "0")) // 5 % turns::turns]:
            if is_of_gpu(model):
                continue
            with self.subTest(model), tempfile.TemporaryDirectory() as folder:
                run = Run("sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", f"{folder}/sweep")
                self.assertEqual(run.code, 0, run)
                counted = {row["event"] for row in rows_of(pathlib.Path(folder) / "sweep/events.csv") if row["status"] == "counted"}
                unknown = {row["event"] for row in rows_of(pathlib.Path(folder) / "sweep/events.csv") if row["status"] == "unavailable"}
                listed = rows_of(SOURCE / f"data/pmu/{model}/events.csv")
                self.assertEqual(counted, {row["event"] for row in listed if row["expression"] != "unknown"})
                self.assertEqual(unknown, {row["event"] for row in listed if row["expression"] == "unknown"})
                self.assertEqual(self.contradicted(f"{folder}/sweep"), [])

    def contradicted(self, sweep):
        """Composable definitions that a control contradicts: by more than twice T, and a tenth, which is what mispredictions and evictions differ by from run to run."""
        run = Run("analyze", sweep, "--format", "json")
        self.assertEqual(run.code, 0, run)
        return [(benchmark["benchmark"], metric["metric"], metric["controls"]["worst"]) for benchmark in json.loads(run.out)["benchmarks"] for metric in benchmark["metrics"]
                if metric["composable"] and (metric["controls"]["worst"] or 0) > max(2 * benchmark["residual"], 0.1)]

    def test_noise_of_one_kernel_hides_nothing_on_another(self):
        """What is prefetched beside MEM.6+run differs from run to run, beside L3.6+run it does not."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "refills"
            model.mkdir()
            (model / "inherits").write_text("neoverse-v2 listed\n")
            (model / "events.csv").write_text("event,description,expression\nREFILL,,l2_load_miss + l2_store_miss + l2_fetch_miss + l2_prefetch_miss\nREAD,,l2_load_miss + l2_fetch_miss\n")
            self.assertEqual(Run("sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", f"{folder}/sweep").code, 0)
            self.assertEqual(self.contradicted(f"{folder}/sweep"), [])
            self.assertRegex(Run("explain", f"{folder}/sweep", "--metric", "L2 Store Misses").out, r"off on the kernel L3\.6\+run beyond\s+what its facts explain")

    def test_code_that_is_added_twice_is_found(self):
        """PAPI's commit 8914dcfcf: all demand requests to Haswell's L2 have those for code."""
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "formulas.csv"
            for code, found in ((" + L2_RQSTS:ALL_CODE_RD", "wrong"), ("", "right")):
                formulas.write_text(f"metric,formula\nPAPI_L1_TCM,L2_RQSTS:ALL_DEMAND_REFERENCES{code}\n")
                self.assertRegex(Run("audit", formulas, "--pmu", "software:haswell", "--benchmark", "dcache-write").out, rf"(?m)^{found} +PAPI_L1_TCM ")

    def test_formulas_are_audited_against_a_model(self):
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "formulas.csv"
            formulas.write_text("metric,formula,unit,source\nLoads,MEM_UOPS_RETIRED:ALL_LOADS,,\nStores,MEM_UOPS_RETIRED:ALL_LOADS,,\n"
                                "Conditional Branches Retired,UOPS_ISSUED.ANY + BR_INST_RETIRED.CONDITIONAL,,\nTaken Branches,\"max(UOPS_ISSUED:ANY, 1) / 2\",,\n"
                                "Instructions,UOPS_ISSUED:ANY + NO_SUCH,,\n")
            run = Run("audit", formulas, "--pmu", "software:haswell")
            self.assertEqual((run.code, run.err), (1, ""), run)
            self.assertRegex(run.out, r"(?m)^Not tried +facts that hsw does not execute: AVX512")
            self.assertRegex(run.out, r"(?m)^right.* Loads +Loads")
            self.assertRegex(run.out, r"(?m)^wrong +Stores +Stores")
            self.assertRegex(run.out, r"(?m)^not modelled +Conditional Branches Retired .*\n +events +UOPS_ISSUED.ANY$")
            self.assertRegex(run.out, r"(?m)^not modelled +Taken Branches ")
            self.assertRegex(run.out, r"(?m)^event missing +Instructions .*\n +events +UOPS_ISSUED:ANY, NO_SUCH$")
            for option in (("--benchmark", "branch"), ("--events", "X*"), ("--repetitions", "2"), ("--resume",)):
                refused = Run("sweep", "--pmu", "software:haswell", "--facts", "kept", "--out", f"{folder}/out", *option)
                self.assertEqual((refused.code, refused.out), (2, ""), refused)
                self.assertIn("--facts takes all counts", refused.err)

    def test_facts_of_a_usual_sweep(self):
        """Chains have more repetitions than other kernels, unless their number is given."""
        with tempfile.TemporaryDirectory() as folder:
            facts, out = f"{folder}/facts", pathlib.Path(folder) / "out"
            for line in (("--pmu", "software:skylake-facts", *software_alone(), "--benchmark", "branch,icache", "--out", facts), ("--pmu", "software:skylake", "--facts", facts, "--out", out)):
                run = Run("sweep", *line)
                self.assertEqual(run.code, 0, run)
            for benchmark, repetitions in (("branch", 5), ("icache", 15)):
                rows = [line.split(",")[1] for line in (out / f"{benchmark}.csv").read_text().splitlines() if line.startswith("BR_INST_RETIRED:CONDITIONAL,")]
                self.assertEqual(rows, [str(repetition) for repetition in range(1, repetitions + 1)])
            manifest = pathlib.Path(facts) / "manifest.json"
            manifest.write_text(manifest.read_text().replace('"repetitions": 15', '"repetitions": -1'))
            refused = Run("sweep", "--pmu", "software:skylake", "--facts", facts, "--out", f"{folder}/other")
            self.assertEqual((refused.code, refused.out), (3, ""), refused)
            self.assertRegex(refused.err, r"icache.csv: manifest.json in the same directory must give 1 to 100000 repetitions")

    def test_other_names_of_events_are_the_same_events(self):
        """libpfm4 takes the unit masks of an event behind its other name, too, which the model does not list."""
        if ctypes.util.find_library("pfm") is None or platform.machine() != "x86_64":
            self.skipTest("no libpfm4 that knows Silvermont")
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "papi_events.csv"
            formulas.write_text("CPU,slm\nPRESET,PAPI_BR_MSP,NOT_DERIVED,MISPREDICTED_BRANCH_RETIRED:JCC\n")
            run = Run("audit", formulas, "--pmu", "software:silvermont")
            self.assertEqual((run.code, run.err), (0, ""), run)
            self.assertRegex(run.out, r"(?m)^right.* PAPI_BR_MSP +")
            self.assertEqual(Run("lint", formulas).code, 0)

    def test_events_that_a_model_lacks_are_not_missing(self):
        """libpfm4 knows the event, and the model does not list it; the other one no processor of that kind has."""
        if ctypes.util.find_library("pfm") is None or platform.machine() != "x86_64":
            self.skipTest("no libpfm4 that knows Silvermont")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "src").mkdir()
            (pathlib.Path(folder) / "src/papi_events.csv").write_text("CPU,slm\nPRESET,PAPI_BR_MSP,NOT_DERIVED,BACLEARS:RETURN\nPRESET,PAPI_BR_INS,NOT_DERIVED,BACLEARS:NONE:c=1\n"
                                                                      "PRESET,PAPI_LD_INS,DERIVED_ADD,BACLEARS:COND,BACLEARS:RETURN:c=1\n")
            run = Run("audit", "--upstream", folder)
            self.assertEqual((run.code, run.err), (0, ""), run)
            self.assertEqual(re.findall(r"(?m)^(not modelled|event missing) +(PAPI_\S+)", run.out), [("not modelled", "PAPI_BR_MSP"), ("event missing", "PAPI_BR_INS"), ("not modelled", "PAPI_LD_INS")])
            columns, row = run.out.splitlines()[:2]
            self.assertRegex(columns, r" right +wrong +unmodelled +no event +no metric +other$")
            self.assertEqual(row.split(), ["slm", "silvermont", "3", "0", "0", "2", "1", "0", "0"])

    def test_other_names_of_arms_events(self):
        """libpfm4 knows Arm's processors on Arm alone: its other names of their events are in a table."""
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "papi_events.csv"
            formulas.write_text("CPU,arm_n1\nPRESET,PAPI_L1_DCA,DERIVED_ADD,MEM_READ_ACCESS,MEM_WRITE_ACCESS\nPRESET,PAPI_L3_TCM,NOT_DERIVED,MEM_READ_ACCESS\n")
            run = Run("audit", formulas, "--pmu", "software:neoverse-n1", "--format", "json")
            self.assertEqual([entry["verdict"] for entry in json.loads(run.out)["formulas"]], ["right", "wrong"], run)

    def test_kernels_are_those_that_the_processor_executes(self):
        """Sweeps of the model and of kept facts, and audits against either, leave out what Sandy Bridge does not execute."""
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "formulas.csv"
            formulas.write_text("metric,formula,unit,source\nDP Ops.,FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE + 2 * FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE + "
                                "4 * SIMD_FP_256:PACKED_DOUBLE,,\n")
            for way, found in (("--facts", ["kept"]), ("--benchmark", ["cpu-flops"])):
                if way == "--benchmark" and platform.machine() != "x86_64":
                    continue
                sweep = pathlib.Path(folder) / way
                self.assertEqual(Run("sweep", "--pmu", "software:sandybridge", way, *found, "--out", sweep).code, 0)
                flops = next(one for one in json.loads((sweep / "manifest.json").read_text())["benchmarks"] if one["benchmark"] == "cpu-flops")
                self.assertNotIn("FMA", " ".join(kernel["kernel"] for kernel in flops["kernels"]))
                self.assertIn({"kernel": "D_FMA_SCAL.12", "missing": "FMA"}, flops["left_out"])
                run = Run("audit", formulas, "--against", sweep)
                self.assertEqual((run.code, run.err), (0, ""), run)
                self.assertRegex(run.out, r"(?m)^Not tried +facts that snb does not execute: FMA")
                self.assertRegex(run.out, r"(?m)^right +DP Ops\. +DP Ops\. ")

    def test_formulas_are_held_to_kernels_of_the_models_architecture(self):
        """A kernel executes other instructions on another architecture, which ratios to instructions tell."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "arm.json"
            path.write_text('{"product_configuration": {}, "events": {"BR_MIS_PRED_RETIRED": {}, "INST_RETIRED": {}},\n'
                            '"metrics": {"branch_mpki": {"formula": "BR_MIS_PRED_RETIRED / INST_RETIRED * 1000"}}}')
            run = Run("audit", path, "--pmu", "software:neoverse-n1")
            self.assertEqual((run.code, run.err), (0, ""), run)
            self.assertRegex(run.out, r"(?m)^right.* branch_mpki +All Mispredicted Branches / Instructions")

    def test_each_row_says_its_source(self):
        for model in MODELS:
            text = (SOURCE / f"data/pmu/{model}/events.csv").read_text()
            for row in rows_of(SOURCE / f"data/pmu/{model}/events.csv"):
                words = (row.get("source") or "").split()
                self.assertTrue(words, (model, row["event"]))
                for word in words:
                    self.assertIn(f"{word}: ", text.replace("\n# ", " "), (model, row["event"]))

    def test_forms(self):
        """They are found by name, turn off what their model has, and have its events, but those that need what is off, and its time."""
        forms = sorted(path.parent.name for path in (SOURCE / "data/pmu").glob("*/*/machine.csv"))
        self.assertEqual(forms, ["golden-cove-plain", "neoverse-v2-plain", "zen4-plain"])
        for form in forms:
            model = form.removesuffix("-plain")
            keys = {row["key"]: row["value"] for row in rows_of(SOURCE / f"data/pmu/{model}/machine.csv")}
            for row in rows_of(SOURCE / f"data/pmu/{model}/{form}/machine.csv"):
                self.assertEqual((row["value"], int(keys[row["key"]]) > 0), ("0", True), (form, row["key"]))
            times = [[row["event"] for row in rows_of(SOURCE / f"data/pmu/{model}" / name)] for name in ("time.csv", f"{form}/time.csv")]
            self.assertEqual(*times, form)
            listed = [Run("events", "--pmu", f"software:{name}", "--format", "json").json()["events"] for name in (model, form)]
            gone = [row["event"] for row in rows_of(SOURCE / f"data/pmu/{model}/{form}/events.csv")]
            self.assertEqual(*([event["event"] for event in events if event["event"] not in gone] for events in listed))
            self.assertFalse([event["event"] for event in listed[1] if event["event"] in gone])

    def test_names_and_codes_are_libpfm4s(self):
        """Of the processors that the installed library has tables of: those of its own architecture, as old as it is."""
        if ctypes.util.find_library("pfm") is None:
            self.skipTest("libpfm4 is not installed")
        os.environ["LIBPFM_ENCODE_INACTIVE"] = "1"
        library = ctypes.CDLL(ctypes.util.find_library("pfm"))
        library.pfm_initialize()
        pmus = {}
        for row in rows_of(SOURCE / "data/upstream.csv"):
            pmus.setdefault(row["model"], []).append(row["cpu"])
        held, lacking, codes, wrong = [], [], 0, []
        for model in MODELS:
            files = [path for name in ("events.csv", "time.csv") if (path := SOURCE / f"data/pmu/{model}/{name}").exists()]
            rows = [(row, [f"{pmu}::{row['event']}".encode() for pmu in pmus.get(model, [])])
                    for path in files for row in rows_of(path) if row.get("source", "pfm").split()[0] == "pfm"]
            missing = [row["event"] for row, names in rows if all(library.pfm_find_event(name) < 0 for name in names)]
            if len(missing) == len(rows):
                continue
            held.append(model)
            if (SOURCE / f"data/pmu/{model}/inherits").exists() or platform.machine() == "x86_64":
                lacking += [f"{model} {name}" for name in missing]
            for row, names in rows:
                known = {code for code in (code_by_libpfm4(library, name) for name in names) if code is not None}
                if row.get("code") and known and (model, row["event"]) not in OTHER_CODES:
                    codes += 1
                    wrong += [] if code_of(row["code"]) in known else [(model, row["event"], row["code"], [hex(code) for code in known])]
        self.assertEqual((lacking, wrong), ([], []))
        print(f"{codes} codes held against libpfm4, of {', '.join(held) or 'none: it has no such processor'}")


if __name__ == "__main__":
    main()
