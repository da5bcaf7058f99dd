"""Definitions held against random programs, live."""

import json
import re
import signal
import subprocess
import time

import support

GROUPS = [f"fp_{p}_{width}" for p in "sd" for width in ("scalar", "128", "256")]


def meetings():
    """Where additions of one precision and width, and multiplications of another, are in one program that mispredicts: in no kernel are they."""
    pairs = " + ".join(f"min({one}_add + {one}_sub, {other}_mul)" for one in GROUPS for other in GROUPS if one != other)
    return f"(({pairs}) if mispredicted_cond > 20 else 0)"


def operations():
    """Every floating-point operation once, a multiply-add twice, over all widths."""
    widths = {"scalar": (1, 1), "128": (4, 2), "256": (8, 4), "512": (16, 8)}
    parts = [f"{size}*fp_{p}_{width}_{o}" for width, sizes in widths.items() for p, size in zip("sd", sizes)
             for o in ("add", "sub", "mul", "div", "sqrt")]
    parts += [f"{2 * size}*fp_{p}_{width}_fma" for width, sizes in widths.items() for p, size in zip("sd", sizes)]
    return " + ".join(parts)


class Models(support.Case):
    def model(self, events, counters=0):
        """A model with those events, {name: expression}, so many of them at a time."""
        lines = [f'{name},,"{expression}"' for name, expression in events.items()]
        self.write("model/events.csv", "\n".join(["event,description,expression", *lines]) + "\n")
        machine = (support.SOURCE / "data/pmu/skylake/machine.csv").read_text()
        self.write("model/machine.csv", re.sub(r"(?m)^counters,.*$", f"counters,{counters}", machine))
        return f"software:{self.folder / 'model'}"

    def sweep(self, pmu, *options):
        self.out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", pmu, "--out", self.out, *support.software_alone(), *options), 0)
        return self.out


class Validate(Models):
    def validate(self, *options, code=0, err=None):
        return self.expect(support.Run("validate", self.out, "--format", "json", *options), code, err).json()

    def verdicts(self, document, benchmark):
        return {metric["metric"]: metric["verdict"] for metric in support.benchmark(document, benchmark)["metrics"]}

    def check_outcomes(self, found):
        """What each program says is what the summary says."""
        off = [max(0, abs(one["measured"] - one["expected"]) - one["range"]) / abs(one["expected"]) for one in found["outcomes"]]
        self.assertEqual((len(off), len({one["program"] for one in found["outcomes"]})), (found["programs"],) * 2)
        self.assertAlmostEqual(max(off), found["worst"])

    def test_lines_of_the_modelled_machine(self):
        """What crosses a line is that machine's, and proven: of a64fx and power10 every fourth and every second of those of 64 bytes. Lines of 128 are between these."""
        for line in (32, 256):
            with self.subTest(line=line):
                pmu = self.model({"BRANCHES": "branches_cond", "SPLITS": "split_loads + split_stores"})
                machine = self.folder / "model/machine.csv"
                machine.write_text(machine.read_text().replace("line_size,64", f"line_size,{line}"))
                self.sweep(pmu, "--benchmark", "branch", "--repetitions", "2")
                self.assertEqual(self.verdicts(self.validate("--pmu", pmu, "--programs", "8"), "branch")["Conditional Branches Retired"], "held")

    def test_right_definitions_hold(self):
        self.sweep("software:golden-cove", "--benchmark", "branch", "--repetitions", "2", "--events", "BR_*")
        before = (self.out / "manifest.json").read_bytes()
        analysed = support.Run("analyze", self.out, "--format", "json").json()
        document = self.validate("--programs", "6")
        self.assertEqual([document[key] for key in ("schema", "pmu", "seed", "programs")],
                         ["catmint.validation/1", "software:golden-cove", 1, 6])
        for metric in support.benchmark(document, "branch")["metrics"]:
            composable = support.usable(support.metric(analysed, "branch", metric["metric"]))
            with self.subTest(metric=metric["metric"]):
                self.assertEqual(metric["verdict"], "held" if composable else "not defined")
                self.assertEqual(metric["validation"] is None, not composable)
            if composable:
                found = metric["validation"]
                self.assertEqual([found["seed"], found["failed"], found["refuted_by"]], [1, 0, None])
                self.assertGreaterEqual(found["programs"], 1)
                self.assertLessEqual(found["median"], 0.015)
                self.assertLessEqual(found["median"], found["worst"])
                self.check_outcomes(found)
        # The sweep is as it was, and so are programs of the same seed; another one makes others.
        self.assertEqual((self.out / "manifest.json").read_bytes(), before)
        self.expect(support.Run("analyze", self.out), 0)
        facts = self.facts()
        self.assertEqual(len(facts), 6)
        self.validate("--programs", "6")
        self.assertEqual(self.facts(), facts)
        self.validate("--programs", "6", "--seed", "2")
        self.assertNotEqual(self.facts(), facts)

    def facts(self):
        """What programs do, as far as construction tells it."""
        manifest = json.loads((self.out / "validation/manifest.json").read_text())
        return [{name: program["facts"].get(name) for name in ("instructions", "loads", "branches_cond", "calls")}
                for program in manifest["validation"]["programs"]]

    def test_overcount_that_no_kernel_shows(self):
        ops = operations()
        pmu = self.model({"OPS": f"1.02*({ops}) if {meetings()} > 0 else {ops}"})
        self.sweep(pmu, "--benchmark", "cpu-flops", "--repetitions", "2")
        analysed = support.Run("analyze", self.out, "--format", "json").json()
        if not any(support.usable(metric) for metric in support.benchmark(analysed, "cpu-flops")["metrics"]):
            self.skipTest("this processor executes no vector instructions")
        entry = support.metric(analysed, "cpu-flops", "FP Ops.")
        self.assertTrue(support.usable(entry))
        self.assertEqual(support.definition(entry), {"OPS": 1.0})
        document = self.validate("--pmu", pmu, "--programs", "12", code=1)
        found = next(metric for metric in support.benchmark(document, "cpu-flops")["metrics"] if metric["metric"] == "FP Ops.")
        self.assertEqual(found["verdict"], "refuted")
        self.assertAlmostEqual(found["validation"]["median"], 0.02, delta=1e-3)
        self.assertRegex(found["validation"]["refuted_by"], r"^program-\d+ \(.+\)$")
        table = support.Run("validate", self.out, "--pmu", pmu, "--programs", "12", "--resume")
        self.expect(table, 1, out=r"FP Ops\. +refuted +\d+ +2(\.\d)? % +2(\.\d)? %\n +refuted: off by 2(\.\d)? % in the median of programs")
        self.expect(table, 1, out=r"0 definitions held in 12 programs")

    def test_what_holds_takes_the_place(self):
        """No kernel stores outside the first level: the first event, which counts misses of stores too, is like the second there."""
        pmu = self.model({"LOADS": "loads", "MISSES": "l1d_load_miss + l1d_store_miss", "LOAD_MISSES": "l1d_load_miss + 0*loads",
                          "SAME": "2*l1d_load_miss + 2*l1d_store_miss"})
        self.sweep(pmu, "--benchmark", "dcache", "--repetitions", "3", "--max-buffer", "64M")
        metric = support.metric(support.Run("analyze", self.out, "--format", "json").json(), "dcache", "L1 Misses")
        self.assertTrue(support.usable(metric))
        self.validate("--pmu", pmu, "--programs", "8")
        metric = support.metric(support.Run("analyze", self.out, "--format", "json").json(), "dcache", "L1 Misses")
        self.assertEqual(support.definition(metric), {"LOAD_MISSES": 1.0})
        self.assertTrue(support.usable(metric))
        self.assertIsNone(metric["validation"]["refuted_by"])
        self.assertEqual(metric["alternatives"], [])
        self.assertEqual(metric["definition"][0]["equivalents"], [])
        paper = support.Run("analyze", self.out, "--format", "json", "--method", "paper").json()
        for entry in support.benchmark(paper, "dcache")["metrics"]:
            self.assertEqual(support.usable(entry) and entry["validation"]["refuted_by"] is not None, False)

    def test_what_cannot_be_done(self):
        table = self.write("tables/branch.csv", support.measurements("branch", {"BR": {"CR": 1}}))
        self.sweep("software:skylake", "--benchmark", "branch", "--repetitions", "2", "--events", "BR_*")
        own = self.model({"BR": "branches_cond"})
        rows = (
            (("validate",), 2, "validate needs one argument, DIR"),
            (("validate", self.out, "--programs", "0"), 2, "--programs: expected a number from 1 to 10000, found '0'"),
            (("validate", self.out, "--seed", "-1"), 2, "--seed: expected a whole number from 0"),
            (("validate", self.out, "--seed", "1.5"), 2, "--seed: expected a whole number from 0"),
            (("validate", self.folder / "none"), 3, "none"),
            (("validate", table.parent), 3, "manifest.json, expected the directory of a complete sweep"),
            (("validate", self.out, "--pmu", "software:zen4"), 2, "was counted on the PMU software:skylake, this is software:zen4"),
            (("validate", self.out, "--programs", "4", "--workloads=yes"), 2, "unknown option '--workloads=yes'"),
            (("validate", self.out, "--pmu", own), 2, "was counted on the PMU software:skylake, this is software:model"),
            (("validate", self.out, "--output", self.folder / "none/x"), 4, "none"),
        )
        for arguments, code, message in rows:
            with self.subTest(arguments=arguments):
                self.expect(support.Run(*arguments), code, message, "")
        # Hardware that counts is another PMU, and where none counts that is said.
        run = support.Run("validate", self.out, "--pmu", "hardware")
        self.expect(run, run.code, "no hardware event can be counted here: |was counted on the PMU software:skylake, this is hardware", "")
        self.assertIn(run.code, (2, 4))
        self.assertFalse((self.out / "validation/manifest.json").exists())

    def test_resumed(self):
        """Killed in the middle, resumed, and refused with other programs."""
        pmu = self.model({"COND": "branches_cond", "TAKEN": "branches_cond_taken", "MISSED": "mispredicted_cond",
                          "OTHERS": "branches_uncond + branches_indirect + calls + returns"}, counters=1)
        self.sweep(pmu, "--benchmark", "branch", "--repetitions", "2")
        arguments = ["validate", str(self.out), "--pmu", pmu, "--workers", "1", "--programs", "8"]
        process = subprocess.Popen(["catmint", *arguments], executable=support.PROGRAM, env=support.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        journal = self.out / "validation/journal"
        while process.poll() is None and not (journal.exists() and b"\nS\t" in journal.read_bytes()):
            time.sleep(0.002)
        self.assertIsNone(process.poll(), "it was over before it was killed")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.expect(support.Run(*arguments), 2, "--resume", "")
        self.expect(support.Run(*arguments, "--seed", "9", "--resume"), 2, "cannot resume: the value of seed", "")
        self.expect(support.Run(*arguments, "--resume"), 0, "", "definitions? held in 8 programs")
        self.assertFalse(journal.exists())


if __name__ == "__main__":
    support.main()
