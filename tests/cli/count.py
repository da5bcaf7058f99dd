"""Programs counted: under the emulated PMU, against programs whose instructions are known, and through PAPI, against the kernel."""

import csv
import io
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import time

import documents
import support

PAGES = 3000
ADDITIONS, STORES = 1000, 37

# What each executes is plain to see: instructions, conditional branches, those taken, loads, stores, calls, additions in double.
KNOWN = {
    "loop": ("mov $100000, %ecx\n1: dec %ecx\n jnz 1b\n",
             {"instructions": 200001, "branches_cond": 100000, "branches_cond_taken": 99999}),
    "memory": (f"mov ${STORES}, %ecx\n1: mov %rax, -8(%rsp)\n mov -8(%rsp), %rbx\n mov -8(%rsp), %rdx\n dec %ecx\n jnz 1b\n",
               {"instructions": 1 + 5 * STORES, "loads": 2 * STORES, "stores": STORES}),
    "calls": ("mov $500, %ecx\n1: call 2f\n dec %ecx\n jnz 1b\n jmp 3f\n2: ret\n3:\n",
              {"instructions": 1 + 500 * 4 + 1, "calls": 500, "returns": 500}),
    "additions": (f"xorps %xmm0, %xmm0\n mov ${ADDITIONS}, %ecx\n1: addsd %xmm0, %xmm0\n mulsd %xmm0, %xmm0\n dec %ecx\n jnz 1b\n",
                  {"instructions": 2 + 4 * ADDITIONS, "fp_d_scalar_add": ADDITIONS, "fp_d_scalar_mul": ADDITIONS}),
    "vectors": ("vxorpd %ymm0, %ymm0, %ymm0\n mov $300, %ecx\n1: vfmadd231pd %ymm0, %ymm0, %ymm0\n dec %ecx\n jnz 1b\n",
                {"instructions": 2 + 300 * 3, "fp_d_256_fma": 300}),
}
EXIT = " mov $60, %eax\n mov $7, %edi\n syscall\n"  # three instructions more


def counts_of(document, kind="program"):
    """Events to values, of the scopes of a kind."""
    return [{event["event"]: event["value"] for event in scope["events"]} for scope in document["scopes"] if scope["scope"] == kind]


def awaits_a_process(process):
    """Whether it waits for the end of another one (pidfd_open), which it has begun to count then."""
    try:
        return any("pidfd" in os.readlink(f"/proc/{process.pid}/fd/{file}") for file in os.listdir(f"/proc/{process.pid}/fd"))
    except FileNotFoundError:
        return False  # it has just closed a file, or ended


FOREIGN = "software:a64fx" if platform.machine() != "aarch64" else "software:golden-cove"


class Counted(support.Case):
    def count(self, *arguments, code=0, **changes):
        out = self.folder / "counts.json"
        run = support.Run("count", "--format", "json", "--output", out, *arguments, **changes)
        if run.code == 125 and "the emulated PMU needs qemu" in run.err or "is not in lib/catmint" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, code, err="")
        document = json.loads(out.read_text())
        documents.hold(self, document)
        return document

    def results(self, terms, metric="Metric", pmu="hardware"):
        """A document with one definition."""
        table = support.measurements("branch", {event: {symbol: 1} for event, symbol in terms.items()})
        run = support.Run("analyze", self.write("table.csv", table), "--basis", support.SOURCE / "bases/paper/branch.csv",
                          "--signatures", self.write("signatures.csv", f"metric,preset,description,CE,CR,T,D,M\n{metric},,,0,1,0,0,0\n"),
                          "--benchmark", "branch", "--format", "json")
        document = self.expect(run, 0).json() | {"pmu": pmu}
        return self.write("results.json", json.dumps(document))


class Emulated(Counted):
    """Under qemu-user, where catmint's plugin counts."""

    def build(self, name, text):
        if shutil.which("cc") is None or os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        source = self.write(f"{name}.S", f"    .globl _start\n_start:\n {text}{EXIT}")
        program = self.folder / name
        subprocess.run(["cc", "-nostdlib", "-static", "-o", program, source], check=True)
        return program

    def test_known_assembly_is_exact(self):
        for name, (text, expected) in KNOWN.items():
            program = self.build(name, text)
            expected = expected | {"instructions": expected["instructions"] + 3}
            for beside in (), ("mispredicted_cond", "l2_load_miss"):  # without caches and predictor, and with them
                events = [option for fact in (*expected, *beside) for option in ("--events", fact)]
                counts, = counts_of(self.count("--pmu", "software", *events, "--", program, code=7))
                self.assertEqual({fact: counts[fact] for fact in expected}, expected, (name, beside))
                self.assertEqual(set(counts), {*expected, *beside})

    def test_the_status_survives_a_caller_that_ignores_children(self):
        program = self.build("loop", KNOWN["loop"][0])
        self.count("--pmu", "software", "--events", "instructions", "--", program, code=7)  # skips where there is no emulator
        command = f"trap '' CHLD; exec '{support.PROGRAM}' count --pmu software --events instructions -- '{program}'"
        done = subprocess.run(["bash", "-c", command], capture_output=True, env=support.environment(), check=False)
        self.assertEqual(done.returncode, 7, done.stderr)

    def test_metrics_of_a_model(self):
        program = self.build("loop", KNOWN["loop"][0])
        results = self.results({"BR_INST_RETIRED:COND": "CR"}, "Conditional", "software:golden-cove")
        document = self.count("--results", results, "--metrics", "Conditional", "--repeat", "3", "--", program, code=7)
        metric = document["scopes"][0]["metrics"][0]
        self.assertEqual((metric["value"], metric["repetitions"], metric["repetitions_error"]), (100000, 3, 0))
        self.assertEqual((metric["error"], metric["error_because"]), (None, "the results do not say which other facts its definition may count"))
        self.assertEqual(document["pmu"], "emulated:golden-cove")

    def test_the_error_is_what_the_program_does(self):
        """Own facts, and all leaks that were found; of others the largest; each as often as it happens."""
        results = json.loads(self.results({"BR_INST_RETIRED:COND": "CR"}, "Conditional", "software:golden-cove").read_text())
        metric, = results["benchmarks"][0]["metrics"]
        leaks = [("branches_cond_taken", 0.01, True), ("instructions - 2*branches_cond", 0.5, True), ("calls", 1, True), ("loads", 3, False)]
        known = metric | {"meaning": "branches_cond", "own": 0.002, "rest": 0.00001, "open": [{"fact": "min(instructions, branches_cond)", "at_most": 0.0001, "found": False}],
                          "leaks": [dict(zip(("fact", "at_most", "found"), leak)) for leak in leaks]}
        unread = {"metric": "Unread", "leaks": [{"fact": "no_such_fact", "at_most": 1}]}
        results["benchmarks"][0]["metrics"] = [known, known | unread, known | {"metric": "Refuted", "composable": False}]
        path = self.write("known.json", json.dumps(results))
        wanted = ("--results", path, "--all", "--repeat", "2", "--", self.build("loop", KNOWN["loop"][0]))
        found = {value["metric"]: (value["error"], value["error_because"]) for value in self.count(*wanted, code=7)["scopes"][0]["metrics"]}
        error = 0.002 * 100000 + 0.01 * 99999 + 0.5 * 4 + 0.0001 * 100000
        self.assertAlmostEqual(found["Conditional"][0], error)
        self.assertIsNone(found["Conditional"][1])
        self.assertRegex(found["Unread"][1], "unknown fact 'no_such_fact'")
        self.assertEqual((found["Unread"][0], found["Refuted"]), (None, (None, "its definition does not measure the metric")))
        self.assertRegex(support.Run("count", *wanted).err, rf"(?m)^Conditional +100000 +{error:.0f} +\S+ % +0 %$\n^Unread +100000 +- ")
        row, *_ = csv.DictReader(io.StringIO(support.Run("count", "--format", "csv", *wanted).err))
        self.assertEqual((round(float(row["error"]), 6), row["error_because"]), (round(error, 6), ""))

    def test_types_of_cores_are_counted_by_themselves(self):
        out = self.folder / "hybrid.json"
        self.expect(support.Run("discover", "--pmu", "software:alder-lake", "--benchmark", "branch", "--programs", "0", "--repetitions", "2",
                                "--format", "json", "--output", out, *support.software_alone()), 0)
        program = self.build("loop", KNOWN["loop"][0])
        for core in ("cpu_core", "cpu_atom"):
            document = self.count("--results", out, "--core", core, "--metrics", "all_branches", "--", program, code=7)
            metric, = document["scopes"][0]["metrics"]
            self.assertEqual((metric["value"], metric["core"], document["metrics"][0]["core"]), (100000, core, core))
        for options, words in (([], "of several types of cores.*--core cpu_core"), (["--core", "cpu"], "unknown type of cores 'cpu', expected one such as cpu_core")):
            self.expect(support.Run("count", "--results", out, *options, "--", program), 125, words, out="")

    def test_core_utilities_run(self):
        for command, code in ((["true"], 0), (["false"], 1), (["ls", "-l", "/"], 0), (["sh", "-c", "exit 9"], 9)):
            document = self.count("--pmu", "software", "--events", "instructions", "--", *command, code=code)
            self.assertGreater(counts_of(document)[0]["instructions"], 10000)
        run = support.Run("count", "--pmu", "software", "--events", "instructions", "--", "echo", "hello")
        self.expect(run, 0, out="^hello\n$")

    def test_the_table_says_what_stands_behind_it(self):
        results = self.results({"BR_INST_RETIRED:COND": "CR"}, "Conditional", "software:golden-cove")
        run = support.Run("count", "--results", results, "--repeat", "2", "--", self.build("loop", KNOWN["loop"][0]))
        self.expect(run, 7, r"PMU +emulated:golden-cove\nCommand .*\nRuns +2, \S+ s each\nMultiplexed +no: (?:.*\n)+Conditional +100000 +- +\S+ % +0 %\n"
                            r"(?:.*\n)+BR_INST_RETIRED:COND +100000 +1 of 1 +0 %\n", out="")
        self.expect(support.Run("count", "--results", results, "--metrics", "Conditionl", "--", "true"), 125, "did you mean 'Conditional'", out="")

    def test_scripts_and_signals(self):
        script = self.write("script", "#!/bin/sh\nkill -9 $$\n")
        script.chmod(0o755)
        document = self.count("--pmu", "software", "--events", "instructions", "--", script, code=137)
        event, = document["scopes"][0]["events"]
        self.assertEqual((document["signal"], event["reason"]), (9, "a signal ended the program, the counts go up to then"))
        self.assertGreater(event["value"], 0)
        self.assertIsNone(self.count("--pmu", "software", "--events", "instructions", "--", "sh", "-c", "exit 137", code=137)["signal"])
        run = support.Run("count", "--pmu", "software", "--events", "instructions", "--events", "tsc_cycles", "--", script)
        self.expect(run, 137, r"^Cut short +signal 9 \(Killed\) ended the program: the counts go up to then$(?:.*\n)+instructions +\d+ +1 of 1 +-  cut short$")
        self.assertRegex(run.err, r"(?m)^tsc_cycles +- +0 of 1 +-  not modelled$")

    def test_values_that_are_none(self):
        """An event of what the emulated PMU does not know: a clock, a GPU, what the model lacks. Other facts of these events may be known."""
        unknown = {"CLOCK": "tsc_cycles", "LESS": "tsc_cycles - instructions", "GPU": "gpu_launches + instructions", "NOTHING": "0", "SUM": "1 + 2"}
        known = {"KNOWN": "instructions", "ZERO": "fp_h_512_add", "SCALED": "0*instructions"}
        model = support.make_model(self.folder / "model", unknown | known)
        results = json.loads(self.results({"KNOWN": "CR"}).read_text()) | {"pmu": "software:golden-cove"}
        metric, = results["benchmarks"][0]["metrics"]
        lacking = {"definition": [{"event": "CLOCK", "coefficient": 1}]}
        results["benchmarks"][0]["metrics"] = [metric, metric | {"metric": "Refuted", "composable": False}, metric | {"metric": "Cycles"} | lacking]
        path = self.write("three.json", json.dumps(results))
        events = [option for event in {**unknown, **known} for option in ("--events", event)]
        wanted = ("--pmu", f"software:{model}", "--results", path, "--all", *events, "--", self.build("loop", KNOWN["loop"][0]))
        scope = self.count(*wanted, code=7)["scopes"][0]
        found = {event["event"]: (event["value"], event["reason"]) for event in scope["events"]}
        self.assertEqual({name: found[name] for name in unknown}, dict.fromkeys(unknown, (None, "the emulated PMU does not know its meaning")))
        self.assertEqual({name: found[name] for name in known}, {"KNOWN": (200004, None), "ZERO": (0, None), "SCALED": (0, None)})
        rows = {"Metric": (200004, None, ""), "Refuted": (200004, "its definition does not measure the metric", "  not composable"),
                "Cycles": (None, "an event of its definition has no value", "  lacks an event")}
        self.assertEqual({value["metric"]: (value["value"], value["reason"]) for value in scope["metrics"]}, {name: row[:2] for name, row in rows.items()})
        table, sheet = support.Run("count", *wanted).err, support.Run("count", "--format", "csv", *wanted).err
        for name, (value, reason, mark) in rows.items():
            self.assertRegex(table, rf"(?m)^{name} +{'-' if value is None else value} .*[-%]{mark}$")
            row, = (row for row in csv.DictReader(io.StringIO(sheet)) if row["name"] == name)
            self.assertEqual((row["value"], row["reason"]), ("" if value is None else str(value), reason or ""))

    def test_one_failure_of_several_runs_is_the_status(self):
        log = self.folder / "runs"
        script = self.write("script", f"#!/bin/sh\necho >>{log}\n[ $(wc -l <{log}) = 2 ] && exit 7\nexit 0\n")
        script.chmod(0o755)
        document = self.count("--pmu", "software", "--events", "instructions", "--repeat", "3", "--", script, code=7)
        self.assertEqual((document["exit_status"], len(document["seconds"])), (7, 3))

    def test_an_interrupt_ends_all_runs(self):
        self.count("--pmu", "software", "--events", "instructions", "--", "true")  # skips where there is no emulator
        out = self.folder / "counts.json"
        with subprocess.Popen(["catmint", "count", "--pmu", "software", "--events", "instructions", "--format", "json", "--output", out, "--repeat", "5",
                               "--", "sh", "-c", "echo; exec sleep 60"], executable=support.PROGRAM, env=support.environment(), stdout=subprocess.PIPE, start_new_session=True) as process:
            process.stdout.readline()
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(), 130)
        document = json.loads(out.read_text())
        self.assertEqual((document["interrupted"], len(document["seconds"])), (True, 1))

    def test_programs_executed_anew_are_named(self):
        document = self.count("--pmu", "software", "--events", "instructions", "--", "sh", "-c", "/bin/true; :")
        self.assertRegex(document["note"], "1 program started by exec")

    def test_intervals_add_up(self):
        program = self.build("loop", KNOWN["loop"][0].replace("100000", "20000000"))
        document = self.count("--pmu", "software", "--events", "instructions", "--interval", "50", "--", program, code=7)
        parts = [counts["instructions"] for counts in counts_of(document, "interval")]
        self.assertEqual(sum(parts), 40000004)
        self.assertEqual(counts_of(document)[0]["instructions"], 40000004)

    def test_what_it_cannot_do_is_said(self):
        for arguments, words in ((["--per-thread", "--", "true"], "all threads together"), (["-p", "1"], "runs already"),
                                 (["--events", "NO_SUCH", "--", "true"], "no event or fact 'NO_SUCH'"), (["--events", "loadz", "--", "true"], "did you mean 'loads'"),
                                 (["--core", "cpu_core", "--", "true"], r"the model golden-cove\S* has cores that are all alike, none of the type 'cpu_core'"),
                                 (["--pmu", FOREIGN, "--", "true"], r"models a processor of \w+, and the program is of \w+, expected a model or a program of the other")):
            run = support.Run("count", "--pmu", "software", "--events", "instructions", *arguments)
            self.expect(run, 125, words, out="")


class Regions(Counted):
    def test_emulated(self):
        program = os.environ["CATMINT_REGIONS_EXAMPLE"]
        document = self.count("--pmu", "software", "--regions", "--events", "fp_d_scalar_add", "--events", "instructions", "--", program)
        scopes = {scope["name"]: scope for scope in document["scopes"]}
        self.assertEqual({name: scope["calls"] for name, scope in scopes.items()}, {"fill": 1, "sum": 10})
        self.assertEqual(scopes["sum"]["events"][0]["value"] % 10, 0)
        self.assertGreater(scopes["sum"]["events"][1]["value"], 10 * 1000)
        self.assertEqual([scope["seconds"] for scope in scopes.values()], [None, None])

    def test_without_catmint_the_calls_do_nothing(self):
        done = subprocess.run([os.environ["CATMINT_REGIONS_EXAMPLE"]], capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"2.4975e+06\n", b""))

    def test_a_program_without_regions(self):
        run = support.Run("count", "--regions", "--pmu", "software", "--events", "instructions", "--", "true")
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 0, "no region was counted")


class Kernel(Counted):
    """Through PAPI: the kernel counts page faults, which the program knows."""

    def setUp(self):
        super().setUp()
        self.touching = os.environ["CATMINT_TOUCHING"]
        self.kernel = {**support.preloading(os.environ["CATMINT_KERNEL_COUNTS"]), "LIBPFM_FORCE_PMU": "amd64_fam19h_zen4"}
        run = support.Run("count", "--pmu", "hardware", "--events", "RETIRED_INSTRUCTIONS", "--", "true", **self.kernel)
        if run.code != 0:
            self.skipTest(f"the kernel's own events cannot be counted here: {run.err.strip()}")

    def faults(self, *arguments, kind="program", pages=PAGES, code=5, command=()):
        document = self.count("--pmu", "hardware", "--events", "RETIRED_INSTRUCTIONS", *arguments, "--", *(command or [self.touching, pages]),
                              code=code, **self.kernel)
        return [counts["RETIRED_INSTRUCTIONS"] for counts in counts_of(document, kind)]

    def assert_faults(self, found, expected):
        self.assertGreaterEqual(found, expected)
        self.assertLess(found, expected + 500)

    def test_threads_and_children_are_inherited(self):
        self.assert_faults(self.faults()[0], 6 * PAGES)

    def test_each_thread(self):
        first, *others = self.faults("--per-thread", kind="thread")
        self.assert_faults(first, 2 * PAGES)
        for found, expected in zip(sorted(others), (PAGES, PAGES, 2 * PAGES), strict=True):
            self.assert_faults(found, expected)

    def test_intervals_add_up(self):
        self.assert_faults(sum(self.faults("--interval", "20", kind="interval")), 6 * PAGES)

    def test_processors_with_all_that_runs_on_them(self):
        run = support.Run("count", "-a", "--pmu", "hardware", "-e", "RETIRED_INSTRUCTIONS", "--", "true", **self.kernel)
        if "perf_event_paranoid is at most 0" in run.err:
            self.skipTest(run.err.strip())
        events = ["-e", "RETIRED_INSTRUCTIONS,CYCLES_NOT_IN_HALT"]
        online = pathlib.Path("/sys/devices/system/cpu/online").read_text().strip()
        for options, processors in ((["-a"], ""), (["-C", online], online)):
            document = self.count(*options, *events, "-I", "20", "--", self.touching, PAGES, code=5, **self.kernel)
            faults, cycles = document["scopes"][0]["events"]
            self.assertEqual(document["processors"], processors)
            self.assertGreaterEqual(faults["value"], 6 * PAGES)
            self.assertAlmostEqual(faults["per_second"], faults["value"] / document["seconds"][0])
            self.assertAlmostEqual(faults["per_cycle"], faults["value"] / cycles["value"])
            interval = document["scopes"][1]
            self.assertAlmostEqual(interval["events"][0]["per_second"], interval["events"][0]["value"] / interval["seconds"])
        run = support.Run("count", "-a", *events, "--", self.touching, PAGES, **self.kernel)
        self.expect(run, 5, r"^Processors +all, with all that ran on them$(?:.*\n)+Event +Value +per second +per cycle +run +runs \+-\n"
                            r"RETIRED_INSTRUCTIONS +\d+ +\S+ +\S+ +1 of 1 +-\n", out="")
        for options, words in ((["-C", "4095"], "'4095' is no list of processors"), (["-C", "1000"], "processor 1000 is not online"),
                               (["-a", "--per-thread"], "as a whole, without"), (["-a", "-p", "1"], "as a whole, without")):
            self.expect(support.Run("count", *options, *events, "--", "true", **self.kernel), 125, words, out="")
        with subprocess.Popen(["catmint", "count", "-a", *events], executable=support.PROGRAM, stderr=subprocess.PIPE, env=support.environment(**self.kernel), text=True) as process:
            support.wait_until_caught(process, signal.SIGINT)
            process.send_signal(signal.SIGINT)
            self.assertRegex(process.communicate()[1], r"(?m)^Interrupted +the counts go up to then$")
        self.expect(support.Run("count", "-a", *events, "-r", "2", **self.kernel), 125, "expected a command to repeat", out="")

    def test_events_that_do_not_fit_take_several_runs(self):
        events = [option for event in ("RETIRED_INSTRUCTIONS", "CYCLES_NOT_IN_HALT", "RETIRED_BRANCH_INSTRUCTIONS") for option in ("--events", event)]
        for options, runs in (((), 3), (("--repeat", "2"), 6)):
            document = self.count("--pmu", "hardware", *events, *options, "--", self.touching, PAGES, code=5, CATMINT_COUNTERS="1", **self.kernel)
            self.assertEqual((len(document["seconds"]), document["runs_each"]), (runs, 3))
            self.assert_faults(counts_of(document)[0]["RETIRED_INSTRUCTIONS"], 6 * PAGES)
        document = self.count("--pmu", "hardware", *events, "--multiplex", "--", self.touching, PAGES, code=5, **self.kernel)
        self.assertEqual((len(document["seconds"]), document["multiplexed"]), (1, True))

    def test_metrics_and_errors(self):
        results = self.results({"RETIRED_INSTRUCTIONS": "CR"}, "Faults")
        out = self.folder / "counts.csv"
        run = support.Run("count", "--results", results, "--repeat", "3", "--format", "csv", "--output", out, "--", self.touching, PAGES, **self.kernel)
        self.expect(run, 5, err="")
        rows = {row["name"]: row for row in csv.DictReader(io.StringIO(out.read_text()))}
        self.assert_faults(float(rows["Faults"]["value"]), 6 * PAGES)
        self.assertEqual((rows["Faults"]["repetitions"], rows["Faults"]["kind"]), ("3", "metric"))
        self.assertGreaterEqual(float(rows["Faults"]["definition_error"]), 0)

    def test_a_process_that_runs(self):
        out, limit = self.folder / "counts.json", time.monotonic() + 60  # of kernels before 5.3, where it has no such file
        with subprocess.Popen([self.touching, str(PAGES), "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.stdout.readline()  # what it touched before is not counted
            with subprocess.Popen(["catmint", "count", "--format", "json", "--output", out, "--pmu", "hardware", "--events",
                                   "RETIRED_INSTRUCTIONS", "-p", str(process.pid)], executable=support.PROGRAM, env=support.environment(**self.kernel)) as counting:
                while not awaits_a_process(counting) and counting.poll() is None and time.monotonic() < limit:
                    time.sleep(0.01)
                process.stdin.close()
            self.assertEqual(counting.returncode, 0)
        document = json.loads(out.read_text())
        self.assertGreaterEqual(counts_of(document)[0]["RETIRED_INSTRUCTIONS"], PAGES)
        self.assertLess(counts_of(document)[0]["RETIRED_INSTRUCTIONS"], 2 * PAGES)
        self.assertEqual(document["process"], process.pid)

    def test_regions(self):
        document = self.count("--pmu", "hardware", "--regions", "--events", "CYCLES_NOT_IN_HALT", "--", os.environ["CATMINT_REGIONS_EXAMPLE"], **self.kernel)
        self.assertEqual({scope["name"]: scope["calls"] for scope in document["scopes"]}, {"fill": 1, "sum": 10})
        for scope in document["scopes"]:
            self.assertTrue(0 < scope["seconds"] < document["seconds"][0], scope["seconds"])

    def test_interrupts_are_the_commands(self):
        out = self.folder / "counts.json"
        with subprocess.Popen(["catmint", "count", "--pmu", "hardware", "--events", "RETIRED_INSTRUCTIONS", "--format", "json", "--output", out,
                               "--", "sh", "-c", "echo; exec sleep 600"], executable=support.PROGRAM, env=support.environment(**self.kernel), stdout=subprocess.PIPE,
                              start_new_session=True) as process:
            process.stdout.readline()  # so it is counted by now, however long that took
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(), 130)
        self.assertEqual(json.loads(out.read_text())["exit_status"], 130)


class Usage(support.Case):
    def test_own_failures_are_125(self):
        results = self.write("results.json", "{}")
        for arguments, words in (([], "needs at least one argument"), (["--pmu", "hardware", "--", "true"], r"no definitions are kept for this processor|no hardware counters here .*\(--pmu software\)$"), (["--nonsense", "true"], "unknown option"),
                                 (["--results", results, "--", "true"], "results.json"), (["--metrics", "X", "--events", "E", "--", "true"], "needs --results"),
                                 (["--events", "E", "--repeat", "0", "--", "true"], "--repeat"), (["--events", "E", "--interval", "1", "--", "true"], "10 or more"),
                                 (["--events", "E", "--repeat", "2", "-p", "1"], "counted once"), (["--events", "E", "--regions", "--per-thread", "--", "true"], "regions"),
                                 (["--events", "E", "--output", "/nowhere/x", "--", "true"], "/nowhere/x")):
            self.expect(support.Run("count", *arguments), 125, words, out="")

    def test_options_as_perf_has_them(self):
        self.expect(support.Run("topdown", "-e", "E", "--", "true"), 125, "unknown option '-e'", out="")
        for arguments, words in ((["-x", "", "--", "true"], "-x: expected a separator"), (["-x", '"', "--", "true"], "-x: expected a separator"), (["-e", "a,,b", "--", "true"], "-e: expected"),
                                 (["-r", "0", "--", "true"], "-r: expected"), (["-C", "x", "--", "true"], "-C: expected processors"),
                                 (["-a", "--", "true"], "no definitions are kept for this processor|, and no processors: leave out -a and -C$"), (["-a", "--pmu", "software", "--", "true"], "the emulated PMU counts a program, not processors"), (["-I", "1", "--", "true"], "10 or more"), (["-o", "/nowhere/x", "--", "true"], "/nowhere/x")):
            self.expect(support.Run("count", *arguments), 125, words, out="")

    def test_options_of_the_command_are_its_own(self):
        run = support.Run("count", "--pmu", "software", "--events", "instructions", "sh", "-c", "exit 4")
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 4)

    def test_commands_that_are_not_there(self):
        folder = self.write("folder/file", "").parent
        for command, code in (("no-such-command", 127), (folder, 126), (folder / "file", 126)):
            run = support.Run("count", "--pmu", "software", "--events", "instructions", "--", command)
            self.expect(run, code, "cannot be run", out="")


if __name__ == "__main__":
    support.main()
