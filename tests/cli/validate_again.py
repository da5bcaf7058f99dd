"""Metrics solved again with the programs that refuted their definitions, and definitions held against workloads, live."""

import signal
import subprocess
import time

import support
import validate

OPS = validate.operations()
SCALAR = " + ".join(part for part in OPS.split(" + ") if "_scalar_" in part)
PACKED = " + ".join(part for part in OPS.split(" + ") if "_scalar_" not in part)
# No kernel of cpu-flops mispredicts: there one event is all operations, which two others are everywhere.
MISPREDICTING = {"ALL": f"{OPS} + 4*max(0, mispredicted_cond - 20)", "SCALAR": SCALAR, "PACKED": PACKED}


class Again(validate.Models):
    def count(self, events, counters=0):
        """Sweeps cpu-flops on a model with those events."""
        self.pmu = self.model(events, counters)
        self.sweep(self.pmu, "--benchmark", "cpu-flops", "--repetitions", "2")
        if not any(support.usable(metric) for metric in support.benchmark(self.analysed(), "cpu-flops")["metrics"]):
            self.skipTest("this processor executes no vector instructions")

    def analysed(self):
        return support.Run("analyze", self.out, "--format", "json").json()

    def ops(self):
        return support.metric(self.analysed(), "cpu-flops", "FP Ops.")

    def held(self, *options):
        return support.Run("validate", self.out, "--pmu", self.pmu, "--format", "json", *options)

    def kill(self, folder, *options):
        """Kills a validation while it counts into that folder."""
        process = subprocess.Popen(["catmint", "validate", str(self.out), "--pmu", self.pmu, "--workers", "1", *options],
                                   executable=support.PROGRAM, env=support.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        journal = self.out / folder / "journal"
        while process.poll() is None and not (journal.exists() and b"\nS\t" in journal.read_bytes()):
            time.sleep(0.001)
        self.assertIsNone(process.poll(), "it was over before it was killed")
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_refuting_programs_become_controls(self):
        self.count(MISPREDICTING, counters=1)
        self.assertEqual(support.definition(self.ops()), {"ALL": 1.0})
        self.kill("validation-controls", "--programs", "8")
        # What was counted before they were controls refutes, and nothing else is believed yet.
        self.assertFalse(self.ops()["composable"])
        self.assertIsNotNone(self.ops()["validation"]["refuted_by"])
        self.expect(self.held("--programs", "8", "--workers", "1"), 2, "--resume", "")
        self.kill("validation-2", "--programs", "8", "--resume")
        entry = self.ops()
        self.assertEqual((support.usable(entry), entry["validation"]), (False, None))
        self.expect(support.Run("analyze", self.out), 0, out=r"programs\s+refuted\s+the\s+previous\s+definition")
        self.expect(self.held("--programs", "8", "--workers", "2", "--resume"), 0)
        entry = self.ops()
        self.assertEqual(support.definition(entry), {"SCALAR": 1.0, "PACKED": 1.0})
        self.assertTrue(support.usable(entry))
        # Those that chose it do not judge it.
        self.assertNotEqual(entry["validation"]["seed"], 1)
        self.assertEqual((entry["validation"]["refuted_by"], entry["validation"]["failed"]), (None, 0))
        self.expect(support.Run("explain", "--metric", "FP Ops.", self.out), 0, out=r"Programs +\d+ that were not used for fitting: median 0 % off")

    def test_workloads(self):
        """Workloads load much and call nobody, nor do they jump: no program is like that for long."""
        self.count({"OPS": f"1.1*({OPS}) if loads > 10000 + 2000*(calls + branches_uncond) else {OPS}"}, counters=1)
        self.expect(self.held("--programs", "8"), 0)
        self.assertIsNone(self.ops()["workloads"])
        self.kill("validation-workloads", "--programs", "8", "--workloads")
        run = self.expect(self.held("--programs", "8", "--workloads", "--resume"), 1, "")
        document = run.json()
        self.assertGreater(document["workloads"], 20)
        entry = support.metric(document, "cpu-flops", "FP Ops.")
        self.assertEqual((entry["verdict"], entry["validation"]["refuted_by"]), ("refuted", None))
        self.assertRegex(entry["workloads"]["refuted_by"], r"^[a-z0-9-]+\.(scalar|128|256|512) \(.+\)$")
        self.assertAlmostEqual(entry["workloads"]["median"], 0.1, delta=1e-3)
        self.assertFalse(self.ops()["composable"])
        self.expect(support.Run("explain", "--metric", "FP Ops.", self.out), 0, out=r"not composable: refuted: off by 10 % in the median of workloads")


if __name__ == "__main__":
    support.main()
