"""An AMD GPU without one: the software GPU's HIP, its model of an MI250X, and the paper's Table VI, live."""

import json
import re
import subprocess
import sys

import support

OPTIONS = ("--pmu", "software:mi250x", "--benchmark", "gpu-flops", "--repetitions", "2", "--format", "json", *support.software_alone())
ALL = {f"All {letter}P Ops.": {f"SQ_INSTS_VALU_{operation}_{width}": weight for operation, weight in
                               (("ADD", 1), ("MUL", 1), ("TRANS", 1), ("FMA", 2))} for letter, width in (("H", "F16"), ("S", "F32"), ("D", "F64"))}


class GpuAmd(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.document = support.Run("discover", *OPTIONS).json()

    def metric(self, name):
        return support.metric(self.document, "gpu-flops", name)

    def test_table_vi(self):
        """Additions and subtractions are one event: half of it is the best that there is for one of them, with an error of sqrt(2) - 1."""
        for name in ("HP Add Ops.", "HP Sub Ops."):
            entry = self.metric(name)
            self.assertFalse(support.usable(entry))
            self.assertEqual(support.definition(entry), {"SQ_INSTS_VALU_ADD_F16": 0.5})
            self.assertAlmostEqual(entry["backward_error"], 2**0.5 - 1, places=9)
        self.assertEqual(support.definition(self.metric("HP Add and Sub Ops.")), {"SQ_INSTS_VALU_ADD_F16": 1})
        for name, definition in ALL.items():
            entry = self.metric(name)
            self.assertEqual((support.usable(entry), support.definition(entry)), (True, definition))

    def test_formulas_are_audited_against_a_sweep(self):
        """No facts of GPUs are kept, and a sweep of facts would count none: both messages name what to run."""
        formulas = self.write("formulas.csv", "metric,formula\nVALU FLOPs (F64),64*(SQ_INSTS_VALU_ADD_F64 + SQ_INSTS_VALU_MUL_F64 + SQ_INSTS_VALU_TRANS_F64 + 2*SQ_INSTS_VALU_FMA_F64)\n")
        told = r"no facts are kept of GPUs, as mi250x: count its events with '[^']*catmint sweep --pmu software:mi250x --out DIR', and name DIR with --against$"
        self.expect(support.Run("audit", formulas, "--pmu", "software:mi250x"), 3, err=told, out="")
        self.expect(support.Run("sweep", "--pmu", "software:mi250x-facts", "--out", self.folder / "facts"), 3,
                    err=r"'mi250x-facts': facts of GPUs are not counted, expected the model itself$", out="")
        self.expect(support.Run("sweep", "--pmu", "software:mi250x", "--repetitions", "2", "--out", self.folder / "sweep"), 0, err=None)
        run = self.expect(support.Run("audit", formulas, "--against", self.folder / "sweep", "--format", "json"), 0, err=None)
        self.assertEqual([entry["verdict"] for entry in run.json()["formulas"]], ["right"])

    def test_all_that_is_defined_is_validated(self):
        composable = [entry for entry in support.benchmark(self.document, "gpu-flops")["metrics"] if support.usable(entry)]
        self.assertEqual(len(composable), 16)
        for entry in composable:
            with self.subTest(metric=entry["metric"]):
                validation = entry["validation"]
                self.assertEqual((validation["failed"], validation["worst"]), (0, 0))
                self.assertGreaterEqual(validation["programs"], 8)  # that execute any of it

    def test_it_goes_out_to_the_profilers(self):
        results = self.write("results.json", json.dumps(self.document))
        for to, options, words in (("rocprofv3", ("--cpu", "gfx90a"), "2*reduce(SQ_INSTS_VALU_FMA_F64,sum)"), ("rocprof-compute", (), "2 * SQ_INSTS_VALU_FMA_F64"),
                                   ("papi-user", ("--cpu", "gfx90a"), "SQ_INSTS_VALU_FMA_F64")):
            self.assertIn(words, self.expect(support.Run("export", "--to", to, results, *options), 1, err="2 definitions are not composable").out)

    def test_formulas_of_rocprof_compute(self):
        """Its FLOPs are right, those of matrix instructions by control kernels; with an FMA counted once or 256 operations for 512 they are wrong."""
        results = self.write("results.json", json.dumps(self.document))
        formulas = (support.SOURCE / "data/formulas/rocprof-compute-mi200.csv").read_text()
        formulas = "".join(line for line in formulas.splitlines(True) if "I8" not in line)  # gpu-flops has no bytes
        for text, verdicts in ((formulas, {"right": 8}), (formulas.replace("2*SQ_INSTS_VALU_FMA", "SQ_INSTS_VALU_FMA").replace("512*", "256*"), {"wrong": 8})):
            audit = support.Run("audit", self.write("formulas.csv", text), "--against", results, "--format", "json").json()
            found = [entry["verdict"] for entry in audit["formulas"]]
            self.assertEqual({verdict: found.count(verdict) for verdict in found}, verdicts)


class Operations(support.Case):
    """The factor of MOPS, on all shapes: operations are 512 of them, not what a unit does in a cycle."""

    def test_factors(self):
        results = self.folder / "results.json"
        self.expect(support.Run("discover", "--pmu", "software:mi250x", "--benchmark", "gpu-flops,gpu-matrix", "--programs", "0", "--repetitions", "2", "--format", "json", "--output", results,
                                *support.software_alone()), 0, err=None)
        defined = {entry["metric"] for entry in support.benchmark(json.loads(results.read_text()), "gpu-matrix")["metrics"] if support.usable(entry)}
        self.assertEqual(len(defined), 8)  # as gpu-matrix alone: no GPU of AMD's sums in half precision, nor this one multiplies TF32
        total = "Total FLOPs (F64),64*(SQ_INSTS_VALU_ADD_F64 + SQ_INSTS_VALU_MUL_F64 + SQ_INSTS_VALU_TRANS_F64 + 2*SQ_INSTS_VALU_FMA_F64) + 512*SQ_INSTS_VALU_MFMA_MOPS_F64,,a guide\n"
        right = (support.SOURCE / "data/formulas/rocprof-compute-mi200.csv").read_text() + total
        wrong = right.replace("512*SQ_INSTS_VALU_MFMA_MOPS_F16", "1024*SQ_INSTS_VALU_MFMA_MOPS_F16").replace("512*", "256*").replace("64*(", "32*(")
        for text, verdict in ((right, "right"), (wrong, "wrong"), (wrong.replace("256*", "").replace("1024*", ""), "wrong")):
            audit = support.Run("audit", self.write("formulas.csv", text), "--against", results, "--format", "json").json()
            self.assertEqual({entry["metric"]: entry["verdict"] for entry in audit["formulas"] if entry["verdict"] != verdict}, {})
            self.assertEqual(len(audit["formulas"]), 10)


class Panels(support.Case):
    """A panel as rocprof-compute has them: rates over launches' times, ratios, names of its own, and what no kernel tells."""
    ROWS = {"MFMA FLOPs (F16)": ("AVG(((SQ_INSTS_VALU_MFMA_MOPS_F16 * 512) / (End_Timestamp - Start_Timestamp)))", "GFLOP"),
            "MFMA IOPs (INT8)": ("AVG(((SQ_INSTS_VALU_MFMA_MOPS_I8 * 512) / (End_Timestamp - Start_Timestamp)))", "GIOP"),
            "F32 OPs": ("AVG(((64 * (SQ_INSTS_VALU_ADD_F32 + SQ_INSTS_VALU_MUL_F32 + SQ_INSTS_VALU_TRANS_F32 + 2 * SQ_INSTS_VALU_FMA_F32)) + (512 * SQ_INSTS_VALU_MFMA_MOPS_F32)) / $denom)", "OPs"),
            "VALU Active Threads": ("AVG(((SQ_THREAD_CYCLES_VALU / SQ_ACTIVE_INST_VALU) if (SQ_ACTIVE_INST_VALU != 0) else None))", "Threads"),
            "SALU": ("AVG((SQ_INSTS_SALU / $denom))", "Instr"), "MFMA Utilization": ("AVG(((100 * SQ_VALU_MFMA_BUSY_CYCLES) / ((4 * $cu_per_gpu) * $GRBM_GUI_ACTIVE_PER_XCD)))", "pct"),
            "Req": ("AVG((TCC_REQ_sum / $denom))", "Req"), "L1-L2 BW": ("AVG(((64 * TCC_REQ_sum) / (End_Timestamp - Start_Timestamp)))", "Gbps"),
            "Bank Conflicts/Access": ("AVG(((SQ_LDS_BANK_CONFLICT / (SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT)) if ((SQ_LDS_IDX_ACTIVE - SQ_LDS_BANK_CONFLICT) != 0) else None))", "Conflicts")}

    def verdicts(self, change, *options):
        rows = "".join(f"          {name}:\n            avg: {change(formula)}\n            unit: {unit}\n" for name, (formula, unit) in self.ROWS.items())
        panel = self.write("panel.yaml", f"Panel Config:\n  id: 1\n  title: Mine\n  data source:\n    - metric_table:\n        id: 101\n        metric:\n{rows}")
        audit = support.Run("audit", panel, "--against", self.folder / "results.json", "--format", "json", *options).json()
        return {entry["metric"]: entry["verdict"] for entry in audit["formulas"]}

    def test_rates_and_ratios(self):
        self.expect(support.Run("discover", "--pmu", "software:mi250x", "--benchmark", "gpu-flops,gpu-matrix,gpu-memory,gpu-instructions", "--programs", "0", "--repetitions", "2", "--format", "json", "--output",
                                self.folder / "results.json", *support.software_alone()), 0, err=None)
        right = {name: "right" for name in self.ROWS} | {"MFMA Utilization": "no signature"}
        self.assertEqual(self.verdicts(str), right)
        wrong = self.verdicts(lambda text: text.replace("512", "256").replace("SQ_INSTS_SALU", "SQ_INSTS_SMEM").replace("(SQ_THREAD", "(2 * SQ_THREAD").replace("TCC_REQ", "TCC_READ").replace("ACTIVE -", "ACTIVE +"))
        self.assertEqual(wrong, {name: "wrong" if verdict == "right" else verdict for name, verdict in right.items()})
        self.derived_counters()

    COUNTERS = {"TCC_HIT_sum": "reduce(TCC_HIT,sum)", "FETCH_SIZE": "(TCC_EA_RDREQ_32B_sum*32+(TCC_EA_RDREQ_sum-TCC_EA_RDREQ_32B_sum)*64)/1024", "L2CacheHit": "100*reduce(TCC_HIT,sum)/(reduce(TCC_HIT,sum)+reduce(TCC_MISS,sum))",
                "MfmaFlopsF16": "SQ_INSTS_VALU_MFMA_MOPS_F16*512", "VALUUtilization": "100*reduce(SQ_THREAD_CYCLES_VALU,sum)/(reduce(SQ_ACTIVE_INST_VALU,sum)*MAX_WAVE_SIZE)",
                "TOTAL_16_OPS": "(2*SQ_INSTS_VALU_FMA_F16+SQ_INSTS_VALU_ADD_F16+SQ_INSTS_VALU_MUL_F16+SQ_INSTS_VALU_TRANS_F16)*64+(SQ_INSTS_VALU_MFMA_MOPS_F16+SQ_INSTS_VALU_MFMA_MOPS_BF16)*512",
                "MfmaUtil": "100*reduce(SQ_VALU_MFMA_BUSY_CYCLES,sum)/(reduce(GRBM_GUI_ACTIVE,max)*CU_NUM*4)", "MAX_WAVE_SIZE": "wave_front_size"}

    def derived_counters(self):
        """The same of rocprofv3, by their own map, its sums over instances by the names of the model's events; no kernel does a known number of cycles."""
        right = {name: "right" for name in self.COUNTERS} | dict.fromkeys(("MfmaUtil", "MAX_WAVE_SIZE"), "no signature")
        wrong = {name: "wrong" if verdict == "right" else verdict for name, verdict in right.items()}
        changes = (("(TCC_HIT,", "(TCC_MISS,"), ("*64", "*32"), ("*512", "*256"), ("100*reduce(SQ_THREAD", "10*reduce(SQ_THREAD"))
        for changed, expected in (((), right), (changes, wrong)):
            rows = ""
            for name, formula in self.COUNTERS.items():
                for before, after in changed:
                    formula = formula.replace(before, after)
                rows += f"  - name: {name}\n    description: mine\n    properties: []\n    definitions:\n    - architectures:\n      - gfx90a\n      expression: {formula}\n"
            counters = self.write("counters.yaml", f"rocprofiler-sdk:\n  counters-schema-version: 1\n  counters:\n{rows}")
            audit = support.Run("audit", counters, "--against", self.folder / "results.json", "--format", "json").json()
            self.assertEqual({entry["metric"]: entry["verdict"] for entry in audit["formulas"]}, expected)


class Sizes(support.Case):
    """Meanings in requests and accesses have the sizes of the GPU that counted, by its model: an MI300's loads move 128 bytes, its stores 64."""
    FORMULAS = {"vL1D Cache BW": "128*TCP_TOTAL_CACHE_ACCESSES_sum", "L1-L2 Read": "TCP_TCC_READ_REQ_sum", "L1-L2 BW": "128*TCP_TCC_READ_REQ_sum + 64*(TCP_TCC_WRITE_REQ_sum + TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum)",
                "L2 Req": "TCC_REQ_sum", "L2 Cache Hits": "TCC_HIT_sum", "L2 Cache Misses": "TCC_MISS_sum", "vL1D Cache Accesses": "TCP_TOTAL_CACHE_ACCESSES_sum", "L1-L2 Write": "TCP_TCC_WRITE_REQ_sum"}

    def test_sizes_of_the_model(self):
        sizes = {"vL1D Cache BW", "L1-L2 BW"}
        for model, wrong in (("mi250x", sizes), ("mi300x", set())):
            results = self.folder / f"{model}.json"
            self.expect(support.Run("discover", "--pmu", f"software:{model}", "--benchmark", "gpu-memory", "--programs", "0", "--repetitions", "2", "--format", "json", "--output", results, *support.software_alone()), 0, err=None)
            formulas = self.write("formulas.csv", "metric,formula\n" + "".join(f"{metric},{formula}\n" for metric, formula in self.FORMULAS.items()))
            audit = support.Run("audit", formulas, "--against", results, "--format", "json").json()
            self.assertEqual({entry["metric"]: entry["verdict"] for entry in audit["formulas"]}, {metric: "wrong" if metric in wrong else "right" for metric in self.FORMULAS})


class Later(support.Case):
    """Types that the MI300 added to products of matrices: "the total number of floating-point operations executed on either the VALU or MFMA units" has FP8 and XF32, too."""

    def test_totals(self):
        results, units = self.folder / "results.json", ["F16", "BF16", "F32", "F64"]
        self.expect(support.Run("discover", "--pmu", "software:mi300x", "--benchmark", "gpu-flops,gpu-matrix", "--programs", "0", "--repetitions", "2", "--format", "json", "--output", results, *support.software_alone()), 0, err=None)
        vector = " + ".join(f"64 * (SQ_INSTS_VALU_ADD_{bits} + SQ_INSTS_VALU_MUL_{bits} + SQ_INSTS_VALU_TRANS_{bits} + 2 * SQ_INSTS_VALU_FMA_{bits})" for bits in ("F16", "F32", "F64"))
        for of, verdict, types in ((units, "wrong", {"f8", "bf8", "t"}), ([*units, "F8"], "wrong", {"t"}), ([*units, "F8", "XF32"], "right", set())):
            matrix = " + ".join(f"512 * SQ_INSTS_VALU_MFMA_MOPS_{bits}" for bits in of)
            rows = {"FLOPs (Total)": f"({vector} + {matrix}) / $denom", "F8 OPs": "(512 * SQ_INSTS_VALU_MFMA_MOPS_F8) / $denom", "MFMA FLOPs (F8)": "(SQ_INSTS_VALU_MFMA_MOPS_F8 * 512) / (End_Timestamp - Start_Timestamp)"}
            text = "".join(f"          {name}:\n            avg: AVG(({formula}))\n            unit: {'GFLOP' if 'Timestamp' in formula else 'OPs'}\n" for name, formula in rows.items())
            panel = self.write("panel.yaml", f"Panel Config:\n  id: 1\n  title: Mine\n  data source:\n    - metric_table:\n        id: 101\n        metric:\n{text}")
            support.Run("audit", panel, "--against", results, "--format", "json", "--output", self.folder / "audit.json")
            entries = {entry["metric"]: entry for entry in json.loads((self.folder / "audit.json").read_text())["formulas"]}
            self.assertEqual({name: entry["verdict"] for name, entry in entries.items()}, dict.fromkeys(rows, "right") | {"FLOPs (Total)": verdict})
            self.assertEqual({off["kernel"].split("_")[0] for off in entries["FLOPs (Total)"]["off_on"]}, types)
            judged = subprocess.run([sys.executable, support.SOURCE / "tests/bench/gpu/verdicts.py", f"gfx942={self.folder / 'audit.json'}"], capture_output=True, text=True, check=False)
            self.assertEqual(judged.stdout, f"3 of 3 verdicts, {int(verdict == 'wrong')} of them wrong: 0 false\n", judged.stderr)


class NsightCompute(support.Case):
    """Its roofline charts and memory chart: each formula has a verdict or a reason, and another way to judge agrees with all of them."""

    def test_rooflines(self):
        results = self.folder / "results.json"
        self.expect(support.Run("discover", "--pmu", "software:hopper", "--benchmark", "gpu-flops,gpu-matrix,gpu-memory", "--programs", "0", "--repetitions", "2", "--format", "json", "--output", results, *support.software_alone()), 0, err=None)
        audit = support.Run("audit", support.SOURCE / "data/formulas/ncu-roofline.csv", "--map", support.SOURCE / "data/maps/ncu.csv", "--against", results, "--format", "json", "--output", self.folder / "audit.json")
        self.assertEqual(audit.code, 1)
        entries = json.loads((self.folder / "audit.json").read_text())["formulas"]
        verdicts = [entry["verdict"] for entry in entries]
        self.assertEqual({verdict: verdicts.count(verdict) for verdict in verdicts}, {"right": 24, "wrong": 5, "no signature": 14})
        wrong = {entry["metric"] for entry in entries if entry["verdict"] == "wrong"}
        self.assertEqual(wrong, {"Tensor Achieved Work", "Half Precision Achieved Work", *(f"Predicated-On {name} Operations Per Cycle" for name in ("HADD", "HMUL", "HFMA"))})
        judged = subprocess.run([sys.executable, support.SOURCE / "tests/bench/gpu/verdicts.py", f"sm_90={self.folder / 'audit.json'}"], capture_output=True, text=True, check=False)
        self.assertEqual(judged.stdout, "29 of 29 verdicts, 5 of them wrong: 0 false\n", judged.stderr)


class PapiCuda(support.Case):
    """PAPI's presets of its component cuda: written in its form, and read, with those of its main branch."""

    def test_presets(self):
        results = self.folder / "results.json"
        self.expect(support.Run("discover", "--pmu", "software:hopper", *OPTIONS[2:], "--programs", "0", "--output", results), 0)
        run = self.expect(support.Run("export", "--to", "papi", "--cpu", "GH100", "--cpu", "GA100", results), 1)
        lines = [line.split(",NOTE")[0] for line in run.out.splitlines() if line[0] != "#"]
        event = "cuda:::smsp__sass_thread_inst_executed_op_%s_pred_on:stat=sum"
        self.assertEqual(lines, ["cuda,GH100", "cuda,GA100", *(f"PRESET,PAPI_CUDA_FP{bits}_FMA,NOT_DERIVED,{event % operation}" for bits, operation in
                                                              ((16, "hfma"), (32, "ffma"), (64, "dfma"))),
                                 "PRESET,PAPI_CUDA_FP_FMA,DERIVED_ADD," + ",".join(event % operation for operation in ("hfma", "ffma", "dfma"))])
        # The same with the multiprocessors' metrics, as its main branch has them, and two that a program must not be told of.
        table = "\n".join(lines).replace("smsp__", "sm__") + (f"\nPRESET,PAPI_CUDA_BF16_FMA,NOT_DERIVED,{event % 'hfma'}\ncuda,GH100\n"
                                                             "PRESET,PAPI_CUDA_FP8_OPS,NOT_DERIVED,cuda:::sm__ops_path_tensor_src_fp8:stat=sum\n")
        for text, verdict in ((table, "right"), (table.replace("sm__sass", "smsp__sass").replace("fma_pred", "mul_pred"), "wrong")):
            audit = support.Run("audit", self.write("events.csv", text), "--against", results, "--format", "json").json()
            verdicts = {entry["metric"]: entry["verdict"] for entry in audit["formulas"]}
            self.assertEqual([verdicts[f"PAPI_CUDA_FP{bits}_FMA"] for bits in ("16", "32", "64", "")], [verdict] * 4)
            self.assertNotIn("right", (verdicts["PAPI_CUDA_BF16_FMA"], verdicts["PAPI_CUDA_FP8_OPS"]))

    def test_not_for_amd(self):
        results = self.folder / "results.json"
        self.expect(support.Run("discover", *OPTIONS, "--programs", "0", "--output", results), 0)
        run = self.expect(support.Run("export", "--to", "papi", "--cpu", "gfx90a", results), 3, err="HP FMA Instrs.: its preset is for NVIDIA's GPUs")
        self.assertNotIn("PRESET", run.out)


class Units(support.Case):
    """Peaks of one compute unit, of a die and of the GPU, in lint and in an audit; files are made up, as the profilers have them."""
    PANEL = """Panel Config:
  id: 200
  data source:
    - metric_table:
        id: 201
        metric:
          %s:
            value: AVG(((SQ_INSTS_VALU_MFMA_MOPS_F16 * 512) / (End_Timestamp - Start_Timestamp)))
            unit: GFLOP
            peak: %s
"""
    COUNTERS = """<gfx942_expr base="gfx9">
  <metric name="MfmaUtil" expr=100*SQ_VALU_MFMA_BUSY_CYCLES/(%s*CU_NUM*4) descr="Unit: percent"></metric>
</gfx942_expr>
"""

    def faults(self, file, *count):
        """What lint and an audit say of the units, both the same."""
        audited = support.Run("audit", file, "--against", self.table, "--benchmark", "gpu-matrix", *count)
        said = [re.sub(r"^.*?:\d+:\d+: ", "", line) for line in audited.err.splitlines() if re.search(r"peak|dies", line)]
        linted = [re.sub(r"^.*?\] ", "", line) for line in support.Run("lint", file).out.splitlines() if re.search("peak is|dies", line)]
        self.assertEqual(said, linted)
        self.assertEqual(audited.code, 1 if said else 0, str(audited))
        return said

    def test_peaks_and_dies(self):
        self.table = self.folder / "sweep"
        self.expect(support.Run("sweep", "--pmu", "software:mi300x", "--benchmark", "gpu-matrix", "--out", self.table, "--repetitions", "2", *support.software_alone()), 0)
        of_gpu = "((($max_sclk * $cu_per_gpu) * %d) / 1000)"
        for target, label, peak, expected in (
                ("gfx942", "MFMA FLOPs (F16)", of_gpu % 4096, ["MFMA FLOPs (F16): the peak is 4096 a clock and compute unit, 2 times what gfx942 does: 2048 (gpu-peaks.csv, matrix_f16)"]),
                ("gfx941", "MFMA FLOPs (F16)", of_gpu % 4096, ["MFMA FLOPs (F16): the peak is 4096 a clock and compute unit, 2 times what gfx942 does: 2048 (gpu-peaks.csv, matrix_f16)"]),
                ("gfx942", "MFMA FLOPs (F16)", of_gpu % 2048, []), ("gfx90a", "MFMA FLOPs (F16)", of_gpu % 1024, []), ("gfx942", "Some FLOPs", of_gpu % 4096, []),
                ("gfx942", "MFMA FLOPs (F16)", "(($max_sclk * 2048) / 1000)", ["MFMA FLOPs (F16): the peak is of one compute unit, expected one of the whole GPU in a second: the clock times its compute units"]),
                ("gfx942", "MFMA FLOPs (F16)", "($cu_per_gpu * 2048)", ["MFMA FLOPs (F16): the peak is of no second, expected one of the whole GPU in a second: the clock times its compute units"]),
                ("gfx942", "vL1D Cache BW", "((($max_sclk / 1000) * 64) * $cu_per_gpu)", ["vL1D Cache BW: the peak is 64 a clock and compute unit, 0.5 times what gfx942 does: 128 (gpu-peaks.csv, l1_bytes)"]),
                ("gfx942", "vL1D Cache BW", "((($max_sclk / 1000) * 128) * $cu_per_gpu)", []), ("gfx942", "vL1D Cache BW", "$hbm_bw", [])):
            with self.subTest(target, label=label, peak=peak):
                folder = self.folder / target
                folder.mkdir(exist_ok=True)
                (folder / "0200.yaml").write_text(self.PANEL % (label, peak))
                self.assertEqual(self.faults(folder / "0200.yaml"), expected)
        told = "MfmaUtil: GRBM_GUI_ACTIVE adds up the cycles of all dies, and CU_NUM is of all dies together: too small by the number of dies"
        for counter, expected in (("GRBM_GUI_ACTIVE", [told]), ("max(GRBM_GUI_ACTIVE,8)", []), ("GRBM_GUI_ACTIVE/XCC_NUM", []), ("GRBM_GUI_ACTIVE_PER_XCD", [])):
            with self.subTest(counter):
                self.assertEqual(self.faults(self.write("metrics.xml", self.COUNTERS % counter)), expected)


if __name__ == "__main__":
    support.main()
