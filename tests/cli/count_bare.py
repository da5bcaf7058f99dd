"""Programs counted without results: facts under the emulated PMU, or by the definitions that are kept for the processor."""

import csv
import io
import json
import pathlib
import re
import shutil
import subprocess

import support


def counts_of(document):
    return [{event["event"]: event["value"] for event in scope["events"]} for scope in document["scopes"]]


class Bare(support.Case):
    def count(self, *arguments):
        out = self.folder / "counts.json"
        run = support.Run("count", "--format", "json", "-o", out, *arguments)
        if run.code == 125 and ("the emulated PMU needs qemu" in run.err or "is not in lib/catmint" in run.err):
            self.skipTest(run.err.strip())
        self.expect(run, 0, err="")
        return json.loads(out.read_text())

    def results(self):
        """A document with the definition of Metric, by an event that no PMU has."""
        run = support.Run("analyze", self.write("table.csv", support.measurements("branch", {"NO_SUCH_EVENT": {"CR": 1}})), "--basis", support.SOURCE / "bases/paper/branch.csv",
                          "--signatures", self.write("signatures.csv", "metric,preset,description,CE,CR,T,D,M\nMetric,,,0,1,0,0,0\n"),
                          "--benchmark", "branch", "--format", "json")
        return self.write("results.json", json.dumps(self.expect(run, 0).json() | {"pmu": "hardware"}))

    def test_without_results_facts_are_counted(self):
        """Of a million multiplications and additions, exactly; a list of events takes their place."""
        if shutil.which("cc") is None:
            self.skipTest("there is no compiler")
        program = self.folder / "horner"
        subprocess.run(["cc", "-O2", "-o", program, support.SOURCE / "docs/examples/horner.c"], check=True)
        document = self.count("--", program)
        self.assertEqual(document["reason"], "facts are counted, without definitions of metrics")
        counts, = counts_of(document)
        self.assertEqual((counts["DP Ops."], counts["SP Ops."], counts["HP Ops."]), (2000000, 0, 0))
        self.assertEqual({name for name, count in counts.items() if count is None}, set())
        self.assertGreater(counts["Bytes Loaded"], counts["Loads"])
        listed, = counts_of(self.count("-e", "instructions,loads", "--pmu", "software", "--", program))
        self.assertEqual(sorted(listed), ["instructions", "loads"])
        self.assertLess(abs(listed["instructions"] / counts["Instructions"] - 1.0), 0.01)
        table = self.expect(support.Run("count", "-x", ",", "--", program), 0, err=r"(?m)^program,.*DP Ops\.,").err
        self.assertNotIn("modelled", table.lower())
        for separator, written in ((";", ";"), ("\\t", "\t"), (" ", " "), ("||", "||")):
            other = self.expect(support.Run("count", "-x", separator, "--", program), 0).err
            rows = [list(csv.reader(io.StringIO(text.replace("||", "|")), delimiter=delimiter)) for text, delimiter in ((table, ","), (other, written[0]))]
            self.assertEqual(*rows, separator)
            self.assertEqual({row[-3] for row in rows[0][1:]}, {""})  # rates a second

    def test_the_work_of_the_kernel(self):
        """Under a model that has interrupts perf's modifiers choose whose work is counted; without any it is the program's."""
        for name, keys in (("idle", ""), ("busy", "interrupt_every,5000\ninterrupt_instructions,1600\n")):
            for file, text in (("inherits", "golden-cove\n"), ("events.csv", "event,description,expression\nINTERRUPTS,Interrupts taken,interrupts\n"), ("time.csv", "event,description,expression\nCYCLES,Cycles,cycles\n"), ("machine.csv", f"key,value\n{keys}interference,0\n")):
                self.write(f"{name}/{file}", text)
        names = "instructions instructions:u instructions:k instructions:uk cpu/loads/k INST_RETIRED:ANY:k branches:k MEM_INST_RETIRED:ALL_LOADS:k interrupts INTERRUPTS BR_MISP_RETIRED:k".split()
        busy, = counts_of(self.count("--pmu", f"software:{self.folder / 'busy'}", "-e", ",".join(names), "--", "true"))
        interrupts = busy["interrupts"]
        self.assertGreater(interrupts, 5)
        self.assertLess(abs(busy["instructions"] / 5000 - interrupts), 1.0)
        self.assertEqual([busy[name] for name in names[1:8]],
                         [busy["instructions"], 1600 * interrupts, busy["instructions"] + 1600 * interrupts, 400 * interrupts, 1600 * interrupts, 100 * interrupts, 400 * interrupts])
        self.assertEqual((busy["INTERRUPTS"], busy["BR_MISP_RETIRED:k"]), (interrupts, None))
        alone, = counts_of(self.count("--pmu", f"software:{self.folder / 'busy'}", "-e", "instructions:k", "--", "true"))
        self.assertLessEqual(abs(alone["instructions:k"] - 1600 * interrupts), 1600)
        idle, = counts_of(self.count("--pmu", f"software:{self.folder / 'idle'}", "-e", "instructions,interrupts,kernel_instructions", "--", "true"))
        self.assertLess(abs(idle["instructions"] / busy["instructions"] - 1.0), 0.01)
        self.assertEqual((idle["interrupts"], idle["kernel_instructions"]), (0, 0))
        slots = [counts_of(self.count("--pmu", f"software:{self.folder / name}", "-e", "slots,slots_retired,slots_bad_speculation,slots_frontend,slots_backend", "--", "true"))[0] for name in ("busy", "idle")]
        self.assertTrue(all(found["slots"] == sum(found.values()) - found["slots"] for found in slots), slots)
        self.assertGreater(slots[0]["slots_frontend"], slots[1]["slots_frontend"])
        self.expect(support.Run("count", "--pmu", f"software:{self.folder / 'idle'}", "-e", "loads:k", "--", "true"), 125, err="it has no interrupts .* It counts 'loads', the program's$")

    def test_what_a_model_decides_is_marked(self):
        """Mispredictions and misses in a count of its own, cycles and what a definition takes of these; nothing that code alone decides."""
        run = support.Run("count", "--pmu", "software:golden-cove", "--", "true")
        if "the emulated PMU needs qemu" in run.err:
            self.skipTest(run.err.strip())
        rows = {row[:24].strip(): row.endswith("  modelled") for row in self.expect(run, 0, err=r"(?m)^Modelled +marked values are of the model's clock, predictor").err.splitlines() if " of 1 " in row}
        self.assertEqual({name for name, marked in rows.items() if marked}, {name for name in rows if "Mis" in name})
        self.assertGreater(len(rows), 10)
        cycles = support.Run("count", "--pmu", "software:golden-cove", "-e", "cycles,instructions", "--", "true")
        self.expect(cycles, 0, err=r"(?s)Modelled .* so is all that\s+is per cycle.*\ncycles [^\n]*  modelled\ninstructions [^\n]*-\n")
        self.assertNotIn("odelled", support.Run("count", "--pmu", "software:golden-cove", "-e", "loads", "--", "true").err)
        wanted = ("--pmu", "software:golden-cove", "-e", "branch-misses,instructions", "--", "true")
        reasons = {"branch-misses": "the model of the emulated PMU decides it", "instructions": None}
        self.assertEqual({event["event"]: event["reason"] for event in self.count(*wanted)["scopes"][0]["events"]}, reasons)
        rows = csv.DictReader(io.StringIO(support.Run("count", "-x", ",", *wanted).err))
        self.assertEqual({row["name"]: (row["reason"] or None, row["pmu"]) for row in rows}, {name: (reason, "emulated:golden-cove") for name, reason in reasons.items()})
        results = self.folder / "results.json"
        results.write_text(json.dumps(json.loads(self.results().read_text().replace("NO_SUCH_EVENT", "BR_MISP_RETIRED")) | {"pmu": "software:golden-cove"}))
        self.expect(support.Run("count", "--results", results, "--", "true"), 0, err=r"(?m)^Metric .*\nMetric .*  modelled\n")

    def test_every_name_that_is_printed_or_listed_is_taken(self):
        """By -e: the sums of a bare count, perf's names of them, all facts, and metrics of results."""
        bare, = counts_of(self.count("--pmu", "software:golden-cove", "--", "true"))
        again, = counts_of(self.count("--pmu", "software:golden-cove", "-e", ",".join(bare), "--", "true"))
        self.assertEqual(list(again), list(bare))
        self.assertEqual(again["Branches"], bare["Branches"])
        listed = [line.split("  ")[0] for line in support.Run("events", "--facts").out.splitlines() if not line.startswith(" ")]
        self.assertEqual(len(set(listed)), len(listed))
        self.assertTrue({*bare, "branches_cond", "loads", "cycles", "slots_frontend", "fused_pairs"} <= set(listed))
        facts, = counts_of(self.count("--pmu", "software:golden-cove", "-e", ",".join(listed), "--", "true"))
        self.assertEqual(sorted(facts), sorted(listed))
        names = {"branches": "Branches", "branch-misses": "Mispredicted Branches", "dp_ops": "DP Ops.", "instructions:u": "Instructions", "l1-dcache-loads": "Loads", "cache-misses": "L3 Data Misses"}
        found, = counts_of(self.count("--pmu", "software:golden-cove", "-e", ",".join(names), "--", "true"))
        self.assertEqual(list(found), list(names))
        self.assertTrue(all(abs(found[name] - bare[names[name]]) <= max(100, 0.05 * bare[names[name]]) for name in names), (found, bare))
        results = self.folder / "results.json"
        results.write_text(json.dumps(json.loads(self.results().read_text().replace("NO_SUCH_EVENT", "BR_INST_RETIRED:COND")) | {"pmu": "software:golden-cove"}))
        document = self.count("--results", self.folder, "-e", "Metric,Branches,branches_cond", "--", "true")
        self.assertEqual([metric["metric"] for metric in document["scopes"][0]["metrics"]], ["Metric"])
        self.assertEqual([event["event"] for event in document["scopes"][0]["events"]], ["BR_INST_RETIRED:COND", "Branches", "branches_cond"])
        self.expect(support.Run("count", "--pmu", "software", "-e", "task-clock", "--", "true"), 125, err="'task-clock': the program's own time is not known")
        self.expect(support.Run("events", "--facts", "conditional branches"), 0, out=r"(?m)^branches_cond  +conditional branches$")
        self.expect(support.Run("events", "--facts", "loadz"), 3, out="", err=r"no fact has 'loadz' in its name or meaning; did you mean 'Loads'\?")

    def test_the_unknown_name_is_blamed(self):
        """Not the first one of the list; a name that is nearly a fact's is offered it, and a metric is called one."""
        for names, blamed, more in (("instructions,PAPI_DP_OPS", "PAPI_DP_OPS", "'PAPI_DP_OPS' is a metric and no event: --metrics 'DP Ops\\.'"),
                                    ("loadz,instructions", "loadz", r"did you mean 'loads'\?")):
            for pmu in ("software:golden-cove", "auto"):
                run = support.Run("count", "--pmu", pmu, "-e", names, "--", "true")
                if "the emulated PMU needs qemu" in run.err:
                    self.skipTest(run.err.strip())
                self.expect(run, 125, err=rf"(?s)no event (or fact )?'{blamed}'.*{more}")
                if pmu != "auto" or "the kernel offers no hardware counters" in run.err:
                    self.assertNotIn("'instructions'", run.err)

    def test_append(self):
        """Behind what the file has; the head of a table in CSV stands there once."""
        out = self.write("counts.csv", "")
        for times in (1, 2, 3):
            run = support.Run("count", "--pmu", "software", "-x", ",", "-e", "instructions", "-o", out, "--append", "--", "true")
            if "the emulated PMU needs qemu" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 0, "", "")
            rows = list(csv.DictReader(io.StringIO(out.read_text())))
            self.assertEqual([row["name"] for row in rows], ["instructions"] * times)
        out = self.write("counts.txt", "before\n")
        self.expect(support.Run("count", "--pmu", "software", "-e", "instructions", "-o", out, "--append", "--", "true"), 0, "", "")
        self.assertRegex(out.read_text(), r"\Abefore\n\n(.*\n)+instructions ")
        out = self.write("unfinished.csv", "some,headings\n1,2")
        self.expect(support.Run("count", "--pmu", "software", "-x", ",", "-e", "instructions", "-o", out, "--append", "--", "true"), 0, "", "")
        self.assertRegex(out.read_text(), r"\A(?:some,headings)\n1,2\nscope,.*\nprogram,")
        marker = self.folder / "ran"
        for words in ((), ("--append",)):
            self.expect(support.Run("count", "--pmu", "software", "-e", "instructions", *words, "-o", self.folder, "--", "touch", marker), 125, "Is a directory", "")
            self.assertFalse(marker.exists())
        for words in (("--append",), ("--append", "-o", out, "--format", "json")):
            self.expect(support.Run("count", *words, "--", "true"), 125, r"^catmint: --append needs --output FILE, and a table or CSV, found (no --output|--format json)$", "")
        self.expect(support.Run("count", "--append", "-o", "/nowhere/x", "--", "true"), 125, "/nowhere/x", "")

    def test_timeout(self):
        """Ends the program, and what was counted until then is said; a shorter program does not notice."""
        out = self.folder / "counts.json"
        words = ("count", "--pmu", "software", "-e", "instructions", "--format", "json", "-o", out)
        run = support.Run(*words, "--timeout", "60000", "--", "true")
        if "the emulated PMU needs qemu" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 0, "", "")
        self.assertFalse(json.loads(out.read_text())["interrupted"])
        self.expect(support.Run(*words, "--timeout", "3000", "--", "sleep", "600", timeout=300), 143, None, "")
        document = json.loads(out.read_text())
        self.assertEqual((document["interrupted"], document["exit_status"]), (True, 143))
        self.assertGreater(counts_of(document)[0]["instructions"], 1000)
        deaf = ("sh", "-c", "trap '' TERM; while :; do :; done")
        self.expect(support.Run(*words, "--timeout", "3000", "--", *deaf, timeout=300), 137, None, "")  # killed, when it has not ended
        document = json.loads(out.read_text())
        self.assertEqual((document["interrupted"], document["exit_status"]), (True, 137))
        self.assertGreater(counts_of(document)[0]["instructions"], 1000)
        self.expect(support.Run("count", "--timeout", "1", "--", "true"), 125, "--timeout: expected milliseconds, 10 or more, at most a day, found '1'$", "")

    def test_the_process_as_perf_calls_it(self):
        for words in (("--pid", "1", "--pmu", "software"), ("-p", "1", "--pmu", "software"), ("--process", "1", "--pmu", "software")):
            self.expect(support.Run("count", *words), 125, "cannot count a process that runs already: that needs hardware counters$", "")

        for option, argument, expected in (("-p", "abc", "the number of a process"), ("--pid", "abc", "the number of a process"), ("-r", "0", "a number from 1 to 10000"), ("-I", "x", "milliseconds, ")):
            self.expect(support.Run("count", option, argument), 125, rf"^catmint: {option}: expected {expected}", "")

    def test_a_script_without_its_interpreter(self):
        """As the shell has it: 127 where there is none, 126 where it cannot be executed."""
        plain = self.write("plain", "no program\n")
        plain.chmod(0o644)
        for interpreter, code, words in (("/nowhere/sh", 127, "No such file or directory"), (plain, 126, "Permission denied"), (self.folder, 126, "Permission denied")):
            script = self.write("script", f"#!{interpreter} -e\necho done\n")
            script.chmod(0o755)
            with self.subTest(interpreter):
                for options in ((), ("--stepped",)):
                    run = support.Run("count", "--pmu", "software", "-e", "instructions", *options, "--", script)
                    self.expect(run, code, rf"^catmint: '.*script' cannot be run: {words}$", "")
                self.assertEqual(subprocess.run(["sh", "-c", f"'{script}'"], capture_output=True, check=False).returncode, code)

    def test_formulas_of_a_gpu(self):
        """Their names are no variables, and whose they are is said."""
        for name, event in (("ncu-roofline", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"), ("rocprof-compute-mi200", "SQ_INSTS_VALU_ADD_F16")):
            run = support.Run("count", "--pmu", "software", "--formulas", support.SOURCE / f"data/formulas/{name}.csv", "--", "true")
            if "the emulated PMU needs qemu" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 125, f"has none of the events that .*{name}.csv needs, such as '{event}': .*none a GPU's events", "")

    def test_definitions_that_are_kept(self):
        """Those of this processor in the user's directory count, and where they cannot be counted, facts do."""
        try:
            text = pathlib.Path("/proc/cpuinfo").read_text()
            vendor, family, model = (re.search(rf"(?m)^{name}\s*: (.*)", text)[1] for name in ("vendor_id", "cpu family", "model"))
        except (OSError, TypeError):
            self.skipTest("the processor has no family and model")
        kept = self.folder / f"data/catmint/{vendor}-{family}-{int(model):X}.json"
        kept.parent.mkdir(parents=True)
        shutil.copy(self.results(), kept)
        run = support.Run("count", "--", "true", XDG_DATA_HOME=str(self.folder / "data"))
        if run.code == 125 and "the emulated PMU needs qemu" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 0, err="(?s)the definitions that are kept for this processor cannot be counted, so facts are: .*Instructions")
        named = support.Run("count", "--metrics", "Metric", "--", "true", XDG_DATA_HOME=str(self.folder / "data"))
        self.assertEqual(named.code, 125)
        self.assertNotIn("needs --results", named.err)


if __name__ == "__main__":
    support.main()
