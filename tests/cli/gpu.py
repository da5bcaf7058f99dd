"""GPUs without one: the software GPU from end to end, and what is said where a driver fails."""

import csv
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import support

COMPONENT = os.environ.get("CATMINT_CUDA_COMPONENT")  # PAPI's cuda, made up; none where catmint has no PAPI
DRIVERS = {name: pathlib.Path(os.environ[f"CATMINT_{name.upper()}"]) for name in ("driver", "old_driver")}
SOFTWARE_GPU = pathlib.Path(support.PROGRAM).parent.parent / "lib/catmint/libcatmint_software_gpu.so"
HADD = "smsp__sass_thread_inst_executed_op_hadd_pred_on:stat=sum"


def read_counts(path):
    """Of each event and kernel how many an iteration, less what the empty kernel counts."""
    rows = list(csv.DictReader(line for line in path.read_text().splitlines() if line[0] != "#"))
    kernels = [name for name in rows[0] if name not in ("event", "repetition", "thread")]
    found = {}
    for row in rows[1:]:
        each = {kernel: float(row[kernel]) / float(rows[0][kernel]) for kernel in kernels}
        found[row["event"]] = {kernel: count - each["empty"] for kernel, count in each.items()}
    return found


class Hopper(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.out = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "d"
        cls.discovery = support.Run("discover", "--pmu", "software:hopper", *support.software_alone(), "--benchmark", "gpu-flops", "--out", cls.out)

    def terms(self, metric):
        return {term["event"]: term["coefficient"] for term in metric["definition"]}

    def test_the_model_counts_as_a_gpu_does(self):
        """Beside what the driver's compiler adds, copies of registers, which the software GPU does not have."""
        gpu = read_counts(support.SOURCE / "tests/data/gpu/h200.csv")
        model = {event: counts for event, counts in read_counts(self.out / "gpu-flops.csv").items() if event.startswith("sm")}
        with_copies = {"smsp__thread_inst_executed_pred_on:stat=sum", "smsp__thread_inst_executed:stat=sum", "smsp__inst_executed:stat=sum", "smsp__inst_executed_pipe_alu:stat=sum"}
        rows = csv.DictReader(line for line in (support.SOURCE / "data/pmu/hopper/events.csv").read_text().splitlines() if line[0] != "#")
        sources = {row["event"]: row["source"] for row in rows}
        self.assertEqual(len([event for event in model if sources[event] == "nvidia"]), 36)
        self.assertEqual([event for event in model if event not in gpu and "_tensor" not in event and sources[event] == "nvidia"], [], "a GPU has all of them but those of gpu-matrix and gpu-memory")
        for event, counts in model.items():
            if event not in gpu:
                continue
            for kernel, count in counts.items():
                if kernel not in gpu[event]:
                    continue  # "nothing" came later
                if "op_control" in event and kernel.startswith("masked"):
                    continue  # the branch past the loop, one a launch, which has two turns here
                with self.subTest(event=event, kernel=kernel):
                    self.assertAlmostEqual(0 if event in with_copies and gpu[event][kernel] > count else gpu[event][kernel] - count, 0, delta=2e-3)

    def test_counts_of_a_gpu(self):
        """What an H200 counted defines all but additions and subtractions alone."""
        table = support.SOURCE / "tests/data/gpu/h200.csv"
        found = support.Run("analyze", table, "--benchmark", "gpu-flops", "--tau", "inf", "--format", "json").json()["benchmarks"][0]["metrics"]
        self.assertEqual([metric["metric"] for metric in found if not metric["composable"]], ["HP Add Ops.", "HP Sub Ops."])
        self.assertEqual([(metric["metric"], metric["misfit"]) for metric in found[2:] if metric["misfit"] > 1e-12], [])

    def test_table_vi(self):
        self.expect(self.discovery, 0, err=None)
        found = json.loads((self.out / "results.json").read_text())["benchmarks"]
        self.assertEqual([benchmark["benchmark"] for benchmark in found], ["gpu-flops"])
        metrics = {metric["metric"]: metric for metric in found[0]["metrics"]}
        for name in ("HP Add Ops.", "HP Sub Ops."):
            self.assertFalse(support.usable(metrics[name]))
            self.assertEqual(self.terms(metrics[name]), {HADD: 0.5})
            self.assertAlmostEqual(metrics[name]["definition_backward_error"], 0.414, 3)
        self.assertEqual(self.terms(metrics["HP Add and Sub Ops."]), {HADD: 1})
        for name in ("HP Add and Sub Ops.", "All HP Ops.", "All DP Ops.", "All SP Ops.", "SP Ops. without Square Roots", "FMA Instrs."):
            self.assertTrue(support.usable(metrics[name]), name)
        for name, metric in metrics.items():
            if support.usable(metric):
                self.assertEqual(metric["validation"]["failed"], 0, name)
                self.assertGreater(metric["validation"]["programs"], 4, name)
                self.assertEqual(metric["validation"]["worst"], 0, name)

    def test_eight_devices(self):
        model = self.folder / "eight"
        shutil.copytree(support.SOURCE / "data/pmu/hopper", model)
        machine = (model / "machine.csv").read_text()
        (model / "machine.csv").unlink()
        (model / "machine.csv").write_text(f"{machine}gpu_devices,8\n")
        run = support.Run("sweep", "--pmu", f"software:{model}", "--benchmark", "gpu-flops", "--component", "sde", "--events", "*_op_h*", "--repetitions", "2", "--out", self.folder / "d")
        self.expect(run, 0, err="5 events counted, 0 unavailable", out="")

    def test_kinds_do_not_mix(self):
        for options, code, text in (
                (("--benchmark", "gpu-flops", "--pmu", "software:golden-cove"), 4, "gpu-flops runs on a GPU, and the PMU software:golden-cove counts a processor"),
                (("--benchmark", "branch", "--pmu", "software:hopper"), 4, "branch runs on the processor, and the PMU software:hopper counts a GPU"),
                (("--benchmark", "branch,gpu-flops"), 2, "branch and gpu-flops cannot be counted in one run")):
            with self.subTest(options):
                run = support.Run("sweep", "--out", self.folder / "d", *options)
                self.expect(run, code, out="")
                self.assertIn(text, run.err)


class Matrices(support.Case):
    """Operations of products of matrices, on both vendors' models: the events, and that nothing counts instructions as operations."""
    TYPES = {"hopper": {"Matrix HP Ops. with SP Sums": {"src_fp16_dst_fp32_sparsity_off": 1}, "Matrix HP Ops. with HP Sums": {"src_fp16_dst_fp16": 1},
                        "Matrix HP Ops.": {"src_fp16_dst_fp32_sparsity_off": 1, "src_fp16_dst_fp16": 1}, "Matrix BF16 Ops.": {"src_bf16_dst_fp32_sparsity_off": 1},
                        "Matrix TF32 Ops.": {"src_tf32_dst_fp32_sparsity_off": 1}, "Matrix DP Ops.": {"src_fp64": 1}, "Matrix Int8 Ops.": {"src_int8_sparsity_off": 1}, "Matrix FP8 Ops.": {"src_fp8_sparsity_off": 1}},
             "mi250x": {"Matrix HP Ops.": {"F16": 512}, "Matrix HP Ops. with SP Sums": {"F16": 512}, "Matrix BF16 Ops.": {"BF16": 512},
                        "Matrix SP Ops.": {"F32": 512}, "Matrix DP Ops.": {"F64": 512}, "Matrix Int8 Ops.": {"I8": 512}}}
    TYPES["mi300x"] = {**TYPES["mi250x"], "Matrix TF32 Ops.": {"XF32": 512}, "Matrix FP8 Ops.": {"F8": 512}}
    ABSENT = {"hopper": {"Matrix SP Ops."}, "mi250x": {"Matrix TF32 Ops.", "Matrix FP8 Ops.", "Matrix HP Ops. with HP Sums"}, "mi300x": {"Matrix HP Ops. with HP Sums"}}

    def test_operations_by_type(self):
        for model, types in self.TYPES.items():
            programs = ("--programs", "0") if model == "mi300x" else ()  # its code is the MI250X's
            document = support.Run("discover", "--pmu", f"software:{model}", "--benchmark", "gpu-matrix", "--format", "json", "--repetitions", "2", *programs, *support.software_alone()).json()
            metrics = {metric["metric"]: metric for metric in support.benchmark(document, "gpu-matrix")["metrics"]}
            self.assertEqual(len(metrics), 11)
            for name, metric in metrics.items():
                with self.subTest(model=model, metric=name):
                    self.assertEqual(support.usable(metric), name not in self.ABSENT[model])
                    if name in types:
                        self.assertEqual({event.removeprefix("sm__ops_path_tensor_").removeprefix("SQ_INSTS_VALU_MFMA_MOPS_").removesuffix(":stat=sum"): weight
                                          for event, weight in support.definition(metric).items()}, types[name])
                    if support.usable(metric) and not programs:
                        validation = metric["validation"]
                        self.assertEqual((validation["failed"], validation["worst"]), (0, 0))
                        self.assertGreaterEqual(validation["programs"], 8)


class Instructions(support.Case):
    """Thread efficiency and VALU utilization: what a numerator and a denominator are, on both vendors' models."""
    DEFINITIONS = {"hopper": {"Instruction Slots": {"smsp__inst_executed:stat=sum": 32}, "Instructions of Active Threads": {"smsp__thread_inst_executed:stat=sum": 1},
                              "GPU Instructions": {"smsp__thread_inst_executed_pred_on:stat=sum": 1}, "GPU Branches": {"smsp__sass_inst_executed_op_branch:stat=sum": 32},
                              "Divergent Branches": {"smsp__sass_branch_targets_threads_divergent:stat=sum": 1}},
                   "mi250x": {"Vector Instructions": {"SQ_INSTS_VALU": 1}, "Vector Instructions by Active Lanes": {"SQ_THREAD_CYCLES_VALU": 1 / 64}, "GPU Branches": {"SQ_INSTS_BRANCH": 1},
                              "Vector Instructions by Idle Lanes": {"SQ_INSTS_VALU": 1, "SQ_THREAD_CYCLES_VALU": -1 / 64}, "Scalar Instructions": {"SQ_INSTS_SALU": 1},
                              "Scalar Loads": {"SQ_INSTS_SMEM": 1}}}
    DEFINED = {"hopper": 9, "mi250x": 10}

    def test_threads_and_lanes(self):
        for model, definitions in self.DEFINITIONS.items():
            document = support.Run("discover", "--pmu", f"software:{model}", "--benchmark", "gpu-instructions", "--format", "json", "--repetitions", "2", *support.BRIEFLY, *support.software_alone()).json()
            metrics = {metric["metric"]: metric for metric in support.benchmark(document, "gpu-instructions")["metrics"]}
            usable = {name for name, metric in metrics.items() if support.usable(metric)}
            self.assertEqual((len(metrics), len(usable)), (14, self.DEFINED[model]))
            for name, definition in definitions.items():
                with self.subTest(model=model, metric=name):
                    self.assertEqual((name in usable, support.definition(metrics[name])), (True, definition))
                    self.assertEqual((metrics[name]["validation"]["failed"], metrics[name]["validation"]["worst"]), (0, 0))


class Memory(support.Case):
    """Bytes at each level, shared memory and its conflicts: the sizes that events count in. tests/bench/gpu judges the definitions in programs."""
    def test_bytes_by_level(self):
        sizes = {"hopper": (32, 32, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit:stat=sum", "lts__t_sectors_op_write:stat=sum", "dram__bytes_read:stat=sum", 1),
                 "mi250x": (64, 64, None, "TCP_TCC_WRITE_REQ_sum", "TCC_EA_RDREQ_sum", 64), "mi300x": (128, 64, None, "TCP_TCC_WRITE_REQ_sum", "TCC_EA0_RDREQ_sum", 128)}
        for model, (loaded, stored, hits, stores, memory, bytes_each) in sizes.items():
            document = support.Run("discover", "--pmu", f"software:{model}", "--benchmark", "gpu-memory", "--programs", "0", "--repetitions", "2", "--format", "json", *support.software_alone()).json()
            metrics = {metric["metric"]: metric for metric in support.benchmark(document, "gpu-memory")["metrics"]}
            with self.subTest(model=model):
                absent = {name for name, metric in metrics.items() if not support.usable(metric)}
                self.assertEqual(absent, set() if model == "hopper" else {"Bytes Loaded by Threads", "Bytes Stored by Threads"} | {
                    f"Shared {way} {what}" for way in ("Load", "Store") for what in ("Requests", "Transactions", "Conflicts")})
                weights = {name: set(support.definition(metric).values()) for name, metric in metrics.items()}
                self.assertEqual((weights["L2 Store Bytes"], set(support.definition(metrics["L2 Store Bytes"])) & {stores}), ({stored}, {stores}))
                self.assertEqual(support.definition(metrics["Memory Load Bytes"]), {memory: bytes_each})
                self.assertIn(loaded, {abs(weight) for weight in weights["L1 Load Hit Bytes"]})
                if model == "mi250x":
                    self.formulas_of_rocprof_compute(document)
                if hits:
                    self.assertEqual(support.definition(metrics["L1 Load Hit Bytes"]), {hits: 32})


    def formulas_of_rocprof_compute(self, document):
        """Those of its panels of L1, L2 and shared memory are right; with accesses of 128 bytes, the MI300X's, they are wrong."""
        results = self.write("results.json", json.dumps(document))
        formulas = (support.SOURCE / "data/formulas/rocprof-compute-mi200-memory.csv").read_text()
        for text, wrong in ((formulas, set()), (formulas.replace("64*", "128*"), {"vL1D Cache BW", "L1-L2 BW", "L2-Fabric Read BW"})):
            audit = support.Run("audit", self.write("formulas.csv", text), "--against", results, "--format", "json").json()
            verdicts = {entry["metric"]: entry["verdict"] for entry in audit["formulas"]}
            self.assertEqual((len(verdicts), {metric for metric, verdict in verdicts.items() if verdict != "right"}), (16, wrong))


class Drivers(support.Case):
    def with_driver(self, name, how=""):
        """Where the loader finds the driver's library."""
        folder = self.folder / f"{name}{how}"
        folder.mkdir()
        if name in DRIVERS:
            (folder / "libcuda.so.1").symlink_to(DRIVERS[name])
        return {"LD_LIBRARY_PATH": str(folder), "CATMINT_TEST_DRIVER": how}

    def test_each_failure_has_its_words(self):
        for name, how, text in (("none", "", "the NVIDIA driver cannot be loaded: libcuda.so.1: "),
                                ("old_driver", "", "the NVIDIA driver is too old: libcuda.so.1 has no function cuDevicePrimaryCtxRetain"),
                                ("driver", "start", "the NVIDIA driver does not start: words of the driver (CUDA_ERROR_SYSTEM_NOT_READY 802)"),
                                ("driver", "no-device", "the NVIDIA driver has no device"),
                                ("driver", "context", "the device takes no context: CUDA-capable device(s) is/are busy or unavailable")):
            with self.subTest(name=name, how=how):
                environment = self.with_driver(name, how)
                if name == "none" and pathlib.Path("/proc/driver/nvidia").exists():
                    continue  # this machine has one
                run = support.Run("discover", "--pmu", "hardware", "--benchmark", "gpu-flops", **environment)
                self.expect(run, 4, out="")
                self.assertIn(text, run.err)

    @unittest.skipIf(pathlib.Path("/dev/kfd").exists(), "this machine has a GPU of AMD's")
    def test_names_of_hip(self):
        """Libraries by their numbers, as they are without what is for developers; here one without a device."""
        names = ["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"]
        run = support.Run("discover", "--pmu", "hardware", "--benchmark", "gpu-flops", **self.with_driver("none"))
        self.expect(run, 4, out="", err="HIP cannot be loaded: " + "; ".join(re.escape(name) + ": [^;]*" for name in names))
        for name in names:
            with self.subTest(name):
                environment = self.with_driver("none", name)
                (self.folder / f"none{name}" / name).symlink_to(SOFTWARE_GPU)
                run = support.Run("discover", "--pmu", "hardware", "--benchmark", "gpu-flops", **environment)
                self.expect(run, 4, out="", err="HIP does not start: ")

    def test_a_gpu_that_nothing_counts(self):
        environment = self.with_driver("driver")
        run = support.Run("discover", "--pmu", "hardware", "--benchmark", "gpu-flops", **environment)
        self.expect(run, 4, out="")
        self.assertIn("no event of a GPU can be counted here: ", run.err)

    METRICS = [*(f"smsp__sass_thread_inst_executed_op_{operation}_pred_on" for operation in ("fadd", "ffma", "hadd")), "smsp__inst_executed", "smsp__inst_executed_pipe_fma", "smsp__inst_executed.per_second"]

    def with_component(self, how=""):
        listed = self.write(f"metrics{how}.txt", "\n".join(self.METRICS) + "\n")
        return {**self.with_driver("driver", how), **support.preloading(COMPONENT), "CUDA_METRICS": str(listed), "CUDA_MANY": "60000", "CUDA_ASKED": str(self.folder / "asked")}

    def sweep(self, *events, folder="d"):
        """The whole road of hardware, with a driver and a component that are made up: counts of A_H.24 by event."""
        options = [option for event in events for option in ("--events", event)]
        run = support.Run("sweep", "--out", self.folder / folder, "--pmu", "hardware", "--benchmark", "gpu-flops", "--repetitions", "2", *options, **self.with_component())
        self.expect(run, 0, out="", err=", 0 unavailable")
        self.assertEqual(json.loads((self.folder / folder / "manifest.json").read_text())["machine"]["gpu"], "made up (sm_90)")
        header, *rows = (line.split(",") for line in (self.folder / folder / "gpu-flops.csv").read_text().splitlines() if not line.startswith("#"))
        return {row[0].removeprefix("cuda:::"): int(row[header.index("A_H.24")]) for row in rows if row[0].startswith("cuda:::")}

    @unittest.skipIf(COMPONENT is None, "this catmint has no PAPI")
    def test_events_of_cuda(self):
        """PAPI lists a metric with the first of its statistics alone, and says that one of any: which is counted is what was asked for."""
        with self.subTest("usually"):
            self.assertEqual(self.sweep(), {f"{metric}:stat=sum": 100 * place + 30 for place, metric in enumerate(self.METRICS[:3], 1)})
        shutil.rmtree(self.folder / "driver")
        with self.subTest("by pattern: metrics that do not fit into one pass are counted one after another"):
            self.assertEqual(self.sweep("cuda:::*_op_f*:stat=max", "*inst_executed_pipe*:stat=sum:device=0", "cuda:::smsp__inst_executed:stat=avg", folder="patterns"),
                             {f"{self.METRICS[0]}:stat=max": 110, f"{self.METRICS[1]}:stat=max": 210, f"{self.METRICS[4]}:stat=sum:device=0": 530, "smsp__inst_executed:stat=avg": 400})
        shutil.rmtree(self.folder / "driver")
        with self.subTest("as listed, and a rate"):
            self.assertEqual(self.sweep("cuda:::smsp__inst_executed", "*executed.per_second:stat=min", "cuda:::*hadd*:device=0", folder="listed"),
                             {"smsp__inst_executed": 400, "smsp__inst_executed.per_second:stat=min": 620, f"{self.METRICS[2]}:device=0": 300})

    @unittest.skipIf(COMPONENT is None, "this catmint has no PAPI")
    def test_names_are_listed_and_not_tried(self):
        run = self.expect(support.Run("events", "--pmu", "software", **self.with_component()), 0, out=r"^  cuda  +0 of 60006 events can be counted\n +none was tried: ")
        self.assertNotIn("smsp__", run.out)

    @unittest.skipIf(COMPONENT is None, "this catmint has no PAPI")
    def test_a_device_that_fails(self):
        for how, text in (("memory", "this GPU cannot run any kernel of gpu-flops: the device has no memory for the kernel: out of memory"),
                          ("refuses", "(CUDA_ERROR 218): ptxas: unknown instruction"),
                          ("gone", "kernel A_H.24: the kernel failed on the device: CUDA-capable device(s) is/are busy or unavailable")):
            with self.subTest(how):
                run = support.Run("sweep", "--out", self.folder / how, "--pmu", "hardware", "--benchmark", "gpu-flops", "--repetitions", "2",
                                  **self.with_component(how))
                self.expect(run, 4, out="")
                self.assertIn(text, run.err)

    @unittest.skipIf(COMPONENT is None, "this catmint has no PAPI")
    def test_a_driver_that_refuses_some_kernels(self):
        """They are left out, with its words; the others are counted."""
        run = support.Run("sweep", "--out", self.folder / "some", "--pmu", "hardware", "--benchmark", "gpu-flops", "--repetitions", "2", **self.with_component("refuses-products"))
        self.expect(run, 0, out="", err=r"gpu-flops: the driver refuses \d kernels, which are left out, matrix_h\.16 for one: the driver refuses the kernel: .*ptxas: unknown instruction")
        header = next(line for line in (self.folder / "some" / "gpu-flops.csv").read_text().splitlines() if line.startswith("event,")).split(",")
        self.assertIn("A_H.24", header)
        self.assertFalse({"matrix_h.16", "matrix_b.16", "matrix_d.16"} & set(header))

    def test_the_processor_is_not_touched(self):
        for how in ("start", "context"):
            with self.subTest(how):
                environment = self.with_component(how) if COMPONENT is not None else self.with_driver("driver", how)
                self.expect(support.Run("sweep", "--out", self.folder / how, "--pmu", "software", "--benchmark", "branch", "--repetitions", "2",
                                        "--component", "sde", "--events", "BR_INST_RETIRED:C*", **environment), 0, out="")
                self.assertFalse((self.folder / "asked").exists())


if __name__ == "__main__":
    support.main()
