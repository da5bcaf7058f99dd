"""scripts/first-hour on the software PMU: what it leaves can be checked and analysed elsewhere."""

import csv
import os
import subprocess

import support

SCRIPT = support.SOURCE / "scripts/first-hour"
BRIEF = ("--benchmark", "branch", "--pmu", "software:golden-cove", "--component", "sde", "--events", "BR_*", "--repetitions", "2", "--workers", "1", "--programs", "1")


class FirstHour(support.Case):
    def run_script(self, *arguments, program=support.PROGRAM):
        return subprocess.run([SCRIPT, *arguments], cwd=self.folder, env=os.environ | {"CATMINT": str(program)}, capture_output=True, text=True, timeout=600)

    def test_what_it_leaves(self):
        name = "somebody's hour"
        run = self.run_script(name, *BRIEF)
        if "this processor" in run.stderr:
            self.skipTest(run.stderr.strip())
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"(?s)\APMU +software:golden-cove.*\nSend +somebody's hour/sweep\.bundle")
        folder = self.folder / name
        with open(folder / "steps.csv", encoding="ascii", newline="") as stream:
            steps = {row["step"]: int(row["status"]) for row in csv.DictReader(stream)}
        self.assertEqual(list(steps), ["version", "doctor", "events", "discover", "validate", "bundle"])
        self.assertIn('"pmu": "software:golden-cove"', (folder / "events.txt").read_text())
        command = run.stdout.rpartition("Verify")[2]  # as it is pasted into a shell
        subprocess.run(["bash", "-c", command], cwd=self.folder, env=support.environment(), stdout=subprocess.DEVNULL, check=True)
        self.expect(support.Run("analyze", folder / "sweep"), 0, out="Conditional Branches")
        again = self.run_script(name, *BRIEF)
        self.assertEqual((again.returncode, again.stderr), (2, f"scripts/first-hour: {name}: it exists: name another directory\n"))

    def test_help_begins_nothing(self):
        """Of this script and of discover, which would build first."""
        for script in ("first-hour", "discover"):
            run = subprocess.run([support.SOURCE / "scripts" / script, "--help"], cwd=self.folder, env=os.environ | {"CATMINT": "/nonexistent"}, capture_output=True, text=True, timeout=60)
            self.assertEqual((run.returncode, run.stderr, list(self.folder.iterdir())), (0, "", []), script)
            self.assertRegex(run.stdout, r"\A[A-Z].*\n(.*\n)*.*catmint discover")

    def test_a_failure_is_said(self):
        run = self.run_script("none", "--benchmark", "nosuch", "--pmu", "software:golden-cove")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"unknown benchmark .nosuch.[\s\S]*scripts/first-hour: discover failed, exit status [234]\n")


if __name__ == "__main__":
    support.main()
