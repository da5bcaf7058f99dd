"""Kernels of GPUs launched once: on the software GPU, on made-up drivers, and under made-up profilers by the script that is written for them."""

import csv
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import textwrap
import time

import support

MODELS = ("hopper", "mi250x", "mi300x")
DRIVER = pathlib.Path(os.environ["CATMINT_DRIVER"])  # works, but its kernels do nothing
TURNS, THREADS, WAVEFRONTS = 8192, 128, 2
ALL = "gpu-flops,gpu-matrix,gpu-memory,gpu-instructions"


def verdicts(text):
    """{kernel of a benchmark: what became of it}"""
    found, benchmark = {}, ""
    for line in text.splitlines():
        if re.fullmatch(r"gpu-\w+", line):
            benchmark = line
        elif match := re.match(r"(\S+) +(right|WRONG|refused|left out)\b", line):
            found[benchmark, match[1]] = match[2]
    return found


class Launches(support.Case):
    def test_all_are_right_on_the_software_gpu(self):
        listed = {(line.split()[1], line.split()[0]) for line in support.Run("kernels").out.splitlines() if line.split()[1:2] and line.split()[1].startswith("gpu-")}
        for model in MODELS:
            run = self.expect(support.Run("kernels", "--run", "--pmu", f"software:{model}"), 0)
            found = verdicts(run.out)
            self.assertEqual(set(found), listed)
            self.assertEqual(set(found.values()), {"right", "left out"})
            self.assertIn("No time is measured: the software GPU's is not a GPU's", run.out)
            self.assertRegex(run.out, rf"\n{list(found.values()).count('right')} kernels are right, 0 wrong, 0 refused, \d+ left out\n$")
            self.assertRegex(run.out, r"left out +\S+ is no kernel for NVIDIA's GPUs\n" if model == "hopper" else r"left out +gfx\w+ has no instruction for \w+")

    def test_more_turns(self):
        """Sums grow until they are rounded, products until they are denormal."""
        for model in ("hopper", "mi300x"):
            found = verdicts(self.expect(support.Run("kernels", "--run", "--pmu", f"software:{model}", "--benchmark", "gpu-flops,gpu-instructions", "--iterations", "300"), 0).out)
            self.assertNotIn("gpu-memory", {benchmark for benchmark, _ in found})
            self.assertGreater(list(found.values()).count("right"), 100)

    def test_one_signal_ends_it(self):
        process = subprocess.Popen([support.PROGRAM, "kernels", "--run", "--pmu", "software:hopper", "--iterations", "1000"], env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not support.catches(process, signal.SIGINT):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
        self.assertEqual((process.returncode, out, err), (130, "", "catmint: interrupted, nothing was written\n"))

    def test_without_a_gpu(self):
        """Files that are no libraries take the place of drivers that this machine may have."""
        folder = self.folder / "none"
        folder.mkdir()
        for name in ("libcuda.so.1", "libamdhip64.so", *(f"libamdhip64.so.{number}" for number in (5, 6, 7))):
            (folder / name).touch()
        for options in ((), ("--pmu", "hardware"), ("--benchmark", "gpu-flops")):
            self.expect(support.Run("kernels", "--run", *options, LD_LIBRARY_PATH=str(folder)), 4, out="",
                        err=r"^catmint: no GPU can be used here: the NVIDIA driver cannot be loaded: \S*libcuda.so.1: .*; HIP cannot be loaded: ")

    def on_driver(self, how, *options, code, err):
        folder = self.folder / "driver"
        folder.mkdir(exist_ok=True)
        shutil.copy(DRIVER, folder / "libcuda.so.1")
        return self.expect(support.Run("kernels", "--run", *options, LD_LIBRARY_PATH=str(folder), CATMINT_TEST_DRIVER=how), code, err=err).out

    def test_a_driver_whose_kernels_do_nothing(self):
        """Its memory is zero after a launch: no kernel that computes is right."""
        text = self.on_driver("", "--benchmark", "gpu-flops", code=1, err=r"kernels with wrong results: 7\d; refused by the driver, or failed: 0$")
        self.assertIn("made up: 128 threads a launch, 8192 turns each", text)
        self.assertRegex(text, r"peaks are those of as many units as blocks, of the device's 132\n")
        self.assertRegex(text, r"A_H.24 +WRONG +thread 0 leaves 0 in accumulator 0 of H instead of 32\n")

    def test_a_driver_that_refuses(self):
        for how, words in (("refuses", r"the driver refuses the kernel: words of the driver \(CUDA_ERROR 218\):\s+ptxas: unknown instruction"),
                           ("memory", "the device has no memory for the kernel: out of memory"), ("gone", "the kernel failed on the device: CUDA-capable")):
            text = self.on_driver(how, "--benchmark", "gpu-matrix", code=1, err="kernels with wrong results: 0; refused by the driver, or failed: [5-9]\d$")
            self.assertEqual(set(verdicts(text).values()), {"refused", "left out"})
            self.assertRegex(re.sub(r"\s+", " ", text), words)

    def test_a_driver_without_groups_of_warps(self):
        text = self.on_driver("refuses-groups", "--benchmark", "gpu-matrix", code=1, err=r"refused by the driver, or failed: 12$")
        self.assertEqual({kernel.split("_")[0] for (_, kernel), verdict in verdicts(text).items() if verdict == "refused"}, {"wgmma"})

    def test_usage(self):
        for options, err in ((("--run", "--verify"), "--run and --verify exclude each other"), (("--run", "--plan", "ncu"), "--run and --plan exclude each other"),
                             (("--plan", "ncu", "--confounded"), "--plan and --confounded exclude each other"), (("--run", "--trace", "x"), "--run and --trace exclude"),
                             (("--run", "--benchmark", "branch"), "--run and --plan are for kernels of GPUs, found 'branch'"), (("--run", "--counters", "3"), "--counters need --emit"),
                             (("--run", "--iterations", "0"), "--iterations: expected 1 or more with --run, a power of two, 4 or more, with --emit, found '0'"), (("--plan", "ncu", "--iterations", "3"), "--iterations needs --run or --emit"), (("--run", "--iterations", "5000000000"), "at most 4294967295 turns"),
                             (("--run", "--pmu", "software:golden-cove"), "the model golden-cove is a processor's: expected a GPU's"),
                             (("--plan", "ncu", "--pmu", "software:mi250x"), "ncu does not count a GPU as mi250x"), (("--plan", "nvprof"), "expected ncu or rocprofv3")):
            with self.subTest(options=options):
                self.expect(support.Run("kernels", *options), 2, err=err, out="")


PROFILER = """\
    #!/usr/bin/python3
    # Counts nothing: takes the counts of a table of the software GPU, and writes them as the profiler does.
    import csv, os, sys
    arguments = sys.argv[1:]
    benchmark = arguments[arguments.index("--benchmark") + 1]
    with open(os.path.join({sweep!r}, benchmark + ".csv"), newline="") as stream:
        rows = list(csv.reader(line for line in stream if not line.startswith("#")))
    kernels = rows[0][3:]
    table = {{row[0]: row[3:] for row in rows[1:] if row[1] in ("0", "1")}}
    divisor = dict(zip(kernels, table["iterations"]))
    entry = lambda name: "catmint_" + "".join(c if c.isalnum() else "_" for c in name) + {{"gpu-flops": "", "gpu-matrix": "_of_matrices", "gpu-memory": "_of_memory",
                         "gpu-instructions": "_of_instructions"}}[benchmark] * (name in ("nothing", "empty"))
    value = lambda event, k: round(float(table[event][k]) / float(divisor[kernels[k]]) * {scale})
"""
NCU = PROFILER + """\
    metrics = arguments[arguments.index("--metrics") + 1].split(",")
    events = [name.replace(".", ":stat=", 1) for name in metrics]
    with open(arguments[arguments.index("--log-file") + 1], "w", newline="") as stream:
        out = csv.writer(stream, quoting=csv.QUOTE_ALL)
        out.writerow(["ID", "Process ID", "Kernel Name", "Block Size", "Grid Size", "Device", *metrics])
        out.writerow([""] * 6 + ["inst"] * len(metrics))
        for k, kernel in enumerate(kernels):
            out.writerow([k, 7, entry(kernel), "(64, 1, 1)", "(2, 1, 1)", 0, *(f"{{value(event, k):,}}" for event in events)])
"""
ROCPROFV3 = PROFILER + """\
    counters = arguments[arguments.index("--pmc") + 1:arguments.index("--output-format")]
    folder = os.path.join(arguments[arguments.index("-d") + 1], "pass_1")
    os.makedirs(folder)
    with open(os.path.join(folder, "counts_counter_collection.csv"), "w", newline="") as stream:
        out = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        out.writerow(["Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Thread_Id", "Grid_Size", "Kernel_Id", "Kernel_Name", "Workgroup_Size", "Counter_Name",
                      "Counter_Value", "Start_Timestamp", "End_Timestamp"])
        for k, kernel in enumerate(kernels):
            for counter in counters + ["VALUBusy"]:
                out.writerow([k + 1, k + 1, "Agent 4", 1, 7, 7, 128, 1, entry(kernel), 64, counter, 50.5 if counter == "VALUBusy" else float(value(counter, k)), 1, 2])
"""


class Plans(support.Case):
    """The script, executed with a made-up profiler: what it imports is what a sweep of the software GPU has, so the same metrics are defined."""

    def check(self, tool, text, model, scale, component):
        sweep = self.folder / "sweep"
        self.expect(support.Run("sweep", "--pmu", f"software:{model}", "--benchmark", ALL, "--repetitions", "2", "--out", sweep), 0, err=None)
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / tool).write_text(textwrap.dedent(text).format(sweep=str(sweep), scale=scale))
        (folder / tool).chmod(stat.S_IRWXU)
        script = self.write("plan.sh", self.expect(support.Run("kernels", "--plan", tool, "--pmu", f"software:{model}"), 0).out)
        run = subprocess.run(["sh", str(script), str(self.folder / "counts")], env=support.environment(PATH=f"{folder}:{os.environ['PATH']}", CATMINT=support.PROGRAM), capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        for benchmark in ALL.split(","):
            tables = [support.Run("analyze", "--benchmark", benchmark, path / f"{benchmark}.csv", "--format", "json").json() for path in (sweep, self.folder / "counts" / "tables")]
            swept, imported = ({entry["metric"]: support.usable(entry) for entry in support.benchmark(document, benchmark)["metrics"]} for document in tables)
            self.assertEqual(swept, imported)
            self.assertGreater(sum(imported.values()), 4)
            events = {event for entry in support.benchmark(tables[1], benchmark)["metrics"] for event in support.definition(entry)}
            self.assertEqual({event.partition(":::")[0] for event in events}, {component})

    def test_ncu(self):
        self.check("ncu", NCU, "hopper", TURNS * THREADS, "cuda")

    def test_rocprofv3(self):
        self.check("rocprofv3", ROCPROFV3, "mi250x", TURNS * WAVEFRONTS, "rocp_sdk")


if __name__ == "__main__":
    support.main()
