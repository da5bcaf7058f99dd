"""Output that cannot be written leaves what was there before."""

import os
import stat
import subprocess
import unittest

import support

RECORDED = support.RECORDED["branch"]


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
                self.expect(support.Run(*arguments, stdout=full), 4, err=r"^catmint: (stdout|kernels) cannot be written: No space")

    def test_unwritable_places(self):
        directory = self.folder / "directory"
        directory.mkdir()
        for output in (self.folder / "no" / "file", directory, "/dev/null/file"):
            self.expect(analyse("--output", output), 4, err=rf"^catmint: {output}: cannot be written: ", out="")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["directory"])
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.expect(analyse("--output", pipe), 4, err=rf"^catmint: {pipe}: cannot be written: it is a pipe without a reader", out="")

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

    def test_closed_streams(self):
        path = self.folder / "results.json"
        command = f"'{support.PROGRAM}' analyze '{RECORDED}' --benchmark branch --format json"
        rows = [(f"{command} >&-", 4), (f"{command} --output '{path}' >&- 2>&-", 0), (f"{command} --mint 2>&-", 2)]
        for line, code in rows:
            done = subprocess.run(["bash", "-c", line], env=support.environment(), capture_output=True, check=False)
            self.assertEqual(done.returncode, code, line)
        self.assertEqual(path.read_text(), analyse("--format", "json").out)

    def test_a_reader_that_leaves(self):
        done = subprocess.run(["bash", "-c", f"'{support.PROGRAM}' --help | true; echo ${{PIPESTATUS[0]}}"],
                              env=support.environment(), capture_output=True, text=True, check=False)
        self.assertIn(done.stdout.strip(), ("0", "141"))


if __name__ == "__main__":
    support.main()
