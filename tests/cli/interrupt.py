"""An interrupt leaves what was there before."""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import support


class Interrupting(support.Case):
    def interrupted(self, *arguments, after, number=signal.SIGINT):
        """Starts the program, sends the signal once `after(process)` says so, and gives exit code and stderr."""
        process = subprocess.Popen(["catmint", *map(str, arguments)], executable=support.PROGRAM, env=support.environment(
            TMPDIR=str(self.folder / "tmp")), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 600
        while not (support.catches(process, number) and after(process)) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        self.assertIsNone(process.poll(), "the program ended before it could be interrupted")
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
        return process.returncode, out, err


class Interrupt(Interrupting):
    def test_a_sweep_leaves_the_earlier_one(self):
        (self.folder / "tmp").mkdir()
        directory = self.folder / "sweep"
        few = ["--pmu", "software", "--events", "BR_INST_RETIRED:*", "--benchmark", "branch"]
        run = support.Run("sweep", "--out", directory, *few, "--repetitions", "2")
        self.expect(run, 0, out="")
        before = {path.name: path.read_bytes() for path in directory.iterdir()}
        self.assertEqual(sorted(before), ["branch.csv", "events.csv", "manifest.json", "together.json"])
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            started = time.monotonic()
            code, out, err = self.interrupted("sweep", "--out", directory, "--pmu", "software", "--repetitions", "5000",
                                              after=lambda _, since=started: time.monotonic() - since > 1.0, number=number)
            self.assertEqual((code, out), (130, ""), err)
            self.assertRegex(err, r"(?m)^catmint: .*interrupted")
            self.assertEqual({path.name: path.read_bytes() for path in directory.iterdir()}, before)

    def test_discover_leaves_nothing(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        output = self.write("results.json", "as before")
        started = time.monotonic()
        code, out, err = self.interrupted("discover", "--pmu", "software", "--repetitions", "5000", "--output", output,
                                          after=lambda _: any(temporary.iterdir()) and time.monotonic() - started > 2.0)
        self.assertEqual((code, out), (130, ""), err)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual(output.read_text(), "as before")

    def test_a_large_table(self):
        """Streamed, in either way of reading, and while thresholds are looked for."""
        (self.folder / "tmp").mkdir()
        output = self.write("results.json", "as before")
        table = self.folder / "large.csv"
        events = 400000
        header, first, second = support.measurements("branch", {"EVENT": {"CR": 1}}).splitlines(keepends=True)

        def is_open(process):
            return any(os.path.realpath(link) == str(table.resolve()) for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir())

        for apart in (False, True):
            rows = [first.replace("EVENT", f"E{i}") for i in range(events)]
            again = [second.replace("EVENT", f"E{i}") for i in range(events)]
            ordered = rows + again if apart else [row for pair in zip(rows, again) for row in pair]
            table.write_text(header + "".join(ordered))
            self.assertGreater(table.stat().st_size, 32 << 20)
            code, out, err = self.interrupted("analyze", table, "--benchmark", "branch", "--tau", "auto", "--alpha", "auto",
                                              "--format", "json", "--output", output, after=is_open)
            self.assertEqual((code, out), (130, ""), err)
            self.assertRegex(err, r"^catmint: .*interrupted")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["large.csv", "results.json", "tmp"])
            self.assertEqual(output.read_text(), "as before")


class Budget(Interrupting):
    """Time is forced: SIGALRM, by which a budget ends, is sent."""

    COUNTED = ["--pmu", "software", "--events", "MEM_INST_RETIRED:*", "--benchmark", "mem-ops"]

    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        self.directory = self.folder / "sweep"

    def test_what_fits(self):
        counted = ["--pmu", "software", "--events", "INST_RETIRED:ANY", "--repetitions", "2", "--out", self.directory]
        run = support.Run("sweep", *counted, "--benchmark", "branch,mem-ops", "--budget", "1000h")
        self.expect(run, 0, out="", err=r"^catmint: counting takes about .* s, within a budget of 1000\.0 hours: \S+ \(\S+ s\), \S+ \(\S+ s\)$")
        self.assertNotIn("left out, for", run.err)
        run = support.Run("sweep", *counted, "--benchmark", "branch,mem-ops", "--budget", "1e-6s")
        self.expect(run, 4, out="", err=r"^catmint: left out, since they do not fit into a budget of 0\.0 s: .*branch")
        self.assertIn("catmint: no benchmark fits", run.err)
        for wrong in ("0", "-1m", "10x", "", "nan"):
            self.expect(support.Run("sweep", *counted, "--budget", wrong), 2, err=r"expected a time above 0, as in 90s, 10m or 1h")

    def test_used_up_and_resumed(self):
        journal = self.directory / "journal"
        options = [*self.COUNTED, "--repetitions", "10", "--out", self.directory]
        code, out, err = self.interrupted("sweep", *options, "--budget", "1000h", after=lambda _: journal.exists() and journal.stat().st_size > 0,
                                          number=signal.SIGALRM)
        self.assertEqual((code, out), (1, ""), err)
        self.assertRegex(err, r"(?m)^catmint: the time for counting is used up; 'catmint sweep --out \S+ --resume --benchmark mem-ops'")
        self.expect(support.Run("sweep", *options, "--resume", "--budget", "1000h"), 0, out="")
        self.assertFalse(journal.exists())

    def cut(self, *more, model="narrow"):
        """A sweep of sets of one event, so many that the signal comes before the last one, ended when some of them are counted."""
        folder = self.folder / model
        if not folder.exists():
            shutil.copytree(support.SOURCE / "data/pmu/golden-cove", folder)
            machine = folder / "machine.csv"
            machine.write_text(machine.read_text().replace("\ncounters,0\n", "\ncounters,1\n"))
        options = ["--pmu", f"software:{folder}", "--component", "sde", "--benchmark", "branch", "--repetitions", "2", "--out", self.directory,
                   *(word for events in ("BR_*", "MEM_*", "L2_*", "FP_*", "DTLB_*") for word in ("--events", events))]
        journal = self.directory / "journal"
        counted = self.interrupted("sweep", *options, *more, "--budget", "1000h", number=signal.SIGALRM,
                                   after=lambda _: journal.exists() and b"\nS\t" in journal.read_bytes())
        return options, *counted

    def test_what_was_counted_is_the_result(self):
        """Said to be incomplete wherever it is shown, until it is resumed; never joined with others."""
        options, code, out, err = self.cut()
        self.assertEqual((code, out), (1, ""), err)
        counted, of = map(int, re.search(r"(?m)^catmint: branch: (\d+) of (\d+) events were counted$", err).groups())
        self.assertTrue(0 < counted < of, err)
        self.assertRegex(err, r"(?m)^catmint: the time for counting is used up; 'catmint sweep --out \S+ --resume --benchmark branch'")
        manifest = json.loads((self.directory / "manifest.json").read_text())
        self.assertEqual(manifest["incomplete"], [{"benchmark": "branch", "counted": counted, "of": of}])
        with (self.directory / "events.csv").open() as stream:
            states = [row["status"] for row in csv.DictReader(stream)]
        self.assertEqual((states.count("counted"), states.count("left out")), (counted, of - counted))
        shown = support.Run("analyze", self.directory)
        self.expect(shown, 0, out=rf"^Incomplete +branch {counted} of {of} events: the sweep was ended early; 'catmint sweep",
                    err=r"^catmint: \S+: the sweep here is incomplete: finish it with 'catmint sweep --resume'")
        document = support.Run("analyze", self.directory, "--format", "json").json()
        self.assertEqual(document["incomplete"], manifest["incomplete"])
        self.assertEqual(document["benchmarks"][0]["counts"]["measured"], counted)
        page = self.folder / "page.html"
        self.expect(support.Run("report", self.directory, "--output", page), 0)
        self.assertIn(f"<strong>Incomplete</strong>: the sweep was ended early. branch has {counted} of {of} events.", page.read_text())
        self.expect(support.Run("merge", self.directory, "--out", self.folder / "merged"), 3, err=r"holds an incomplete sweep: finish it")
        self.expect(support.Run("sweep", *options), 2, err=r"holds an unfinished sweep")
        self.expect(support.Run("sweep", *options, "--resume"), 0, out="")
        self.assertNotIn("incomplete", json.loads((self.directory / "manifest.json").read_text()))
        self.expect(support.Run("analyze", self.directory), 0, err="")
        table = (self.directory / "branch.csv").read_bytes()
        shutil.rmtree(self.directory)
        self.expect(support.Run("sweep", *options), 0, out="")
        self.assertEqual((self.directory / "branch.csv").read_bytes(), table)
        # A result that is complete stays.
        _, code, out, err = self.cut("--max-kernel-seconds", "9")
        self.assertEqual((code, out), (1, ""), err)
        self.assertNotIn("incomplete", json.loads((self.directory / "manifest.json").read_text()))
        self.assertEqual((self.directory / "branch.csv").read_bytes(), table)

    def test_used_up_among_programs(self):
        code, out, err = self.interrupted("discover", *self.COUNTED, "--repetitions", "2", "--programs", "60", "--out", self.directory,
                                          "--budget", "1000h", after=lambda _: any(self.directory.glob("validation*")), number=signal.SIGALRM)
        self.assertEqual(code, 1, err)
        self.assertRegex(err, r"(?m)^catmint: the budget is used up: the definitions are not held against all programs")
        self.assertRegex(out, r"(?m)^mem-ops +\d+ of \d+ ")

    def test_used_up_on_one_type_of_cores(self):
        """The other type has time of its own."""
        hybrid = f"software:{support.SOURCE / 'tests/data/pmu/hybrid'}"
        code, out, err = self.interrupted("discover", "--pmu", hybrid, "--component", "sde", "--benchmark", "branch", "--repetitions", "2",
                                          "--programs", "16", "--out", self.directory, "--budget", "1000h", number=signal.SIGALRM,
                                          after=lambda _: any((self.directory / "cpu_big").glob("validation*")))
        self.assertEqual(code, 1, err)
        self.assertEqual(len(re.findall(r"(?m)^catmint: the budget is used up: the definitions are not held against all programs", err)), 1, err)
        self.assertNotIn("interrupted", err)
        self.assertRegex(out, r"(?s)On cores of the type cpu_big\nbranch +[1-9].*On cores of the type cpu_little\nbranch +[1-9]")


if __name__ == "__main__":
    support.main()
