"""Output that cannot be written, and interrupts, leave what was there before."""

import os
import signal
import stat
import subprocess
import time
import unittest

import support

RECORDED = support.SOURCE / "data/recorded/branch.csv"


def analyse(*options, **keywords):
    return support.Run("analyze", RECORDED, "--benchmark", "branch", *options, **keywords)


class Writing(support.Case):
    def test_full_disk(self):
        for form in ("table", "json"):
            with open("/dev/full", "wb") as full:
                run = analyse("--format", form, stdout=full)
            self.expect(run, 4, err=r"^catmint: .*cannot be written: No space left on device$")
            self.expect(analyse("--format", form, "--output", "/dev/full"), 4, err=r"^catmint: /dev/full: .*No space",
                        out="")
        for arguments in (["--help"], ["--version"], ["kernels"], ["analyze", "--help"]):
            with open("/dev/full", "wb") as full:
                self.expect(support.Run(*arguments, stdout=full), 4, err=r"^catmint: stdout cannot be written: No space")

    def test_unwritable_places(self):
        directory = self.folder / "directory"
        directory.mkdir()
        for output in (self.folder / "no" / "file", directory, "/dev/null/file"):
            self.expect(analyse("--output", output), 4, err=rf"^catmint: {output}: cannot be written: ", out="")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["directory"])

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write anywhere")
    def test_read_only_directory(self):
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        self.expect(analyse("--output", self.folder / "file"), 4, err=r"cannot be written: Permission denied", out="")

    def test_a_limit_on_file_size_keeps_the_old_file(self):
        path = self.write("results.json", "as before")
        command = f"ulimit -f 1; trap '' XFSZ; exec '{support.PROGRAM}' analyze '{RECORDED}' --benchmark branch " \
                  f"--format json --output '{path}'"
        done = subprocess.run(["bash", "-c", command], env=support.environment(), capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertRegex(done.stderr, r"^catmint: .*results\.json: writing failed: File too large")
        self.assertEqual(path.read_text(), "as before")
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_an_existing_file_is_replaced_whole(self):
        path = self.write("results.json", "as before")
        path.chmod(0o640)
        self.expect(analyse("--format", "json", "--output", path), 0, err="", out="")
        self.assertEqual(path.read_text(), analyse("--format", "json").out)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_a_reader_that_leaves(self):
        done = subprocess.run(["bash", "-c", f"'{support.PROGRAM}' --help | true; echo ${{PIPESTATUS[0]}}"],
                              env=support.environment(), capture_output=True, text=True, check=False)
        self.assertIn(done.stdout.strip(), ("0", "141"))


class Interrupt(support.Case):
    def interrupted(self, *arguments, after, number=signal.SIGINT):
        """Starts the program, sends the signal once `after()` says so, and gives exit code and stderr."""
        process = subprocess.Popen([support.PROGRAM, *map(str, arguments)], env=support.environment(
            TMPDIR=str(self.folder / "tmp")), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 120
        while not after() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertIsNone(process.poll(), "the program ended before it could be interrupted")
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def test_a_sweep_leaves_the_earlier_one(self):
        (self.folder / "tmp").mkdir()
        directory = self.folder / "sweep"
        few = ["--pmu", "software", "--events", "BR_INST_RETIRED:*", "--benchmark", "branch"]
        run = support.Run("sweep", "--out", directory, *few, "--repetitions", "2")
        self.expect(run, 0, out="")
        before = {path.name: path.read_bytes() for path in directory.iterdir()}
        self.assertEqual(sorted(before), ["branch.csv", "events.csv", "manifest.json"])
        started = time.monotonic()
        for number in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupted("sweep", "--out", directory, "--pmu", "software", "--repetitions", "5000",
                                              after=lambda: time.monotonic() - started > 2.0, number=number)
            self.assertEqual((code, out), (130, ""), err)
            self.assertRegex(err, r"(?m)^catmint: .*interrupted")
            self.assertEqual({path.name: path.read_bytes() for path in directory.iterdir()}, before)

    def test_discover_leaves_nothing(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        output = self.write("results.json", "as before")
        started = time.monotonic()
        code, out, err = self.interrupted("discover", "--pmu", "software", "--repetitions", "5000", "--output", output,
                                          after=lambda: any(temporary.iterdir()) and time.monotonic() - started > 2.0)
        self.assertEqual((code, out), (130, ""), err)
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual(output.read_text(), "as before")


if __name__ == "__main__":
    support.main()
