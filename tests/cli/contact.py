"""What a newcomer sees first: short, each thing once, fit to be pasted, and in words of the page's reader."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import unittest

import support


class Contact(support.Case):
    def test_metrics_say_where_they_are_defined(self):
        """With a pattern: the models, and the results that are kept for this processor."""
        shown = self.expect(support.Run("metrics", "dp ops"), 0, err="").out
        self.assertRegex(shown, r"(?m)^DP Ops\.  .*\n(  .*\n)*  Defined on the models (\S+\s+)*skylake\b")
        self.assertRegex(shown, r"(?m)^Matrix DP Ops\.  .*\n(  .*\n)*  Defined on no model whose facts are kept$")
        self.assertNotIn("Defined on", support.Run("metrics").out)
        table = (support.SOURCE / "data/defined-metrics.csv").read_text()
        metrics = set(re.findall(r"(?m)^([A-Z0-9]\S.*?)  +\S", support.Run("metrics").out))
        models = set(support.Run("models").out.split())
        rows = [line.rsplit(",", 1) for line in table.splitlines() if not line.startswith(("#", "metric,"))]
        self.assertEqual({name.strip('"') for name, _ in rows} - metrics, set())
        self.assertEqual({model for _, row in rows for model in row.split()} - models, set())

    def test_a_model_has_the_metrics_of_the_table(self):
        out = self.folder / "swept"
        self.expect(support.Run("sweep", "--pmu", "software:skylake", "--facts", "kept", "--out", out), 0)
        document = self.expect(support.Run("analyze", "--benchmark", "branch", "--format", "json", out), 0).json()
        table = dict(line.rsplit(",", 1) for line in (support.SOURCE / "data/defined-metrics.csv").read_text().splitlines() if not line.startswith("#"))
        for metric in support.benchmark(document, "branch")["metrics"]:
            self.assertEqual("skylake" in table.get(metric["metric"], "").split(), metric["composable"], metric["metric"])

    def test_an_event_fits_a_screen(self):
        """In all benchmarks of a sweep under a model; --verbose explains it in each."""
        out = self.folder / "swept"
        self.expect(support.Run("sweep", "--pmu", "software:skylake", "--facts", "kept", "--out", out), 0)
        for event in ("INST_RETIRED:ANY_P", "BR_MISP_RETIRED:ALL_BRANCHES", "MEM_INST_RETIRED:ALL_LOADS"):
            short = self.expect(support.Run("explain", event, out), 0, out=r"(?m)^Elsewhere +\w+ in \w.*\n(.*\n)*More +--verbose lists all of it$").out
            whole = self.expect(support.Run("explain", "--verbose", event, out), 0).out
            self.assertLessEqual(len(short.splitlines()), 40, event)
            self.assertGreater(len(whole.splitlines()), 40, event)
            self.assertNotIn("Refuted", short)
            self.assertEqual(len(re.findall("(?m)^Event ", whole)), len(re.findall("(?m)^Event ", short)) + len(re.findall(r"[\w-]+(?:,|$)", re.sub(r"\w+ in ", "", re.search(r"(?s)Elsewhere(.*)More", short)[1].strip()), re.M)), event)

    def test_kernels_that_are_left_out_are_details(self):
        sweep = ("sweep", "--pmu", "software:golden-cove", "--benchmark", "tlb", "--dry-run", "--out", self.folder / "o")
        self.assertNotIn("left out", self.expect(support.Run(*sweep), 0).err)
        self.assertIn("left out", self.expect(support.Run(*sweep, "--max-buffer", "64M"), 0).err)

    def test_obstacles_are_said_once(self):
        shown, listed = support.Run("doctor").out, support.Run("doctor", "--format", "json").json()["findings"]
        stops = [finding for finding in listed if finding["severity"] == "stops"]
        self.assertEqual("papi-perf_event\n" in shown, any(finding["finding"] == "papi-perf_event" and (finding["advice"] or len(stops) == 1) for finding in stops))

    def test_paths_with_blanks_can_be_pasted(self):
        """What discover prints of them is one word for a shell, and no line breaks in it."""
        folder = self.folder / ("a b " * 12 + "end")
        run = support.Run("discover", "--pmu", "software:golden-cove", "--benchmark", "branch", "--programs", "0", "--repetitions", "2", "--out", folder, COLUMNS="80")
        self.expect(run, 0)
        for name, label in (("report.html", "Report"), ("results.json", "Results")):
            line, = re.findall(rf"(?m)^{label} +(.*)$", run.out)
            self.assertEqual(shlex.split(line), [str(folder / name)])
        command, = re.findall(r"(?m)^(?:Definitions)? +'(\S*catmint analyze .*?)'", run.out)
        self.assertEqual(shlex.split(command)[2], str(folder))

    @unittest.skipUnless(shutil.which("man") and "minimized" not in subprocess.run(["man", "man"], capture_output=True, text=True, check=False).stdout, "there is no man here")
    def test_the_manual_is_shown_on_a_terminal(self):
        """By man; elsewhere it is what man reads."""
        terminal, other = pty.openpty()
        with subprocess.Popen([support.PROGRAM, "manual", "count"], stdout=other, stderr=other, env={**os.environ, "PAGER": "cat", "MANPAGER": "cat"}) as shown:
            os.close(other)
            text = b""
            try:
                while piece := os.read(terminal, 4096):
                    text += piece
            except OSError:
                pass  # the other end is closed
            self.assertEqual(shown.wait(), 0)
        os.close(terminal)
        self.assertNotIn(b".SH", text)
        self.assertIn(b"EXIT STATUS", re.sub(rb"\x1b\[[0-9;]*m|.\x08", b"", text))
        self.expect(support.Run("manual", "count"), 0, out=r"(?m)^\.SH SYNOPSIS$")


if __name__ == "__main__":
    support.main()
