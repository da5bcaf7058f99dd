"""An interrupt leaves what was there before."""

import os
import pathlib
import signal
import subprocess
import time

import support


def catches(process, number):
    """Whether it has come so far that the signal would not just end it."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return False
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return int(caught, 16) >> (number - 1) & 1 != 0


class Interrupt(support.Case):
    def interrupted(self, *arguments, after, number=signal.SIGINT):
        """Starts the program, sends the signal once `after(process)` says so, and gives exit code and stderr."""
        process = subprocess.Popen([support.PROGRAM, *map(str, arguments)], env=support.environment(
            TMPDIR=str(self.folder / "tmp")), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 600
        while not (catches(process, number) and after(process)) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertIsNone(process.poll(), "the program ended before it could be interrupted")
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
        return process.returncode, out, err

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


if __name__ == "__main__":
    support.main()
