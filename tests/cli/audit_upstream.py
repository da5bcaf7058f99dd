"""The field's own files against results of the matching models: what tests/data/audit-list.csv expects, and nothing false.

CATMINT_UPSTREAM is a folder with what was downloaded: linux (a kernel's tree, or its tools/perf), perfmon, likwid, papi. CATMINT_VERDICTS names a
file that all verdicts go to.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import support

UPSTREAM = pathlib.Path(os.environ.get("CATMINT_UPSTREAM", "/nonexistent"))
PERF = UPSTREAM / "linux/tools/perf/pmu-events/arch/x86"
MODELS = {"spr": "golden-cove", "icx": "golden-cove", "skx": "skylake", "zen4": "zen4"}
FILES = {
    "perf": {"spr": PERF / "sapphirerapids/spr-metrics.json", "icx": PERF / "icelakex/icx-metrics.json", "skx": PERF / "skylakex/skx-metrics.json",
             "zen4": PERF / "amdzen4/recommended.json"},
    "perfmon": {"spr": UPSTREAM / "perfmon/SPR/metrics/sapphirerapids_metrics.json", "icx": UPSTREAM / "perfmon/ICX/metrics/icelakex_metrics.json",
                "skx": UPSTREAM / "perfmon/SKX/metrics/skylakex_metrics.json"},
    "likwid": {cpu: UPSTREAM / "likwid/groups" / folder for cpu, folder in (("spr", "SPR"), ("icx", "ICX"), ("skx", "skylakeX"), ("zen4", "zen4"))},
    "papi": {cpu: UPSTREAM / "papi/src/papi_events.csv" for cpu in MODELS},
}
SECTIONS = {"zen4": "amd64_fam19h_zen4"}


@unittest.skipUnless(PERF.is_dir(), "CATMINT_UPSTREAM names no folder with the trees of perf, perfmon, LIKWID and PAPI")
class Upstream(support.Case):
    def expected(self):
        lines = (support.SOURCE / "tests/data/audit-list.csv").read_text().splitlines()
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))

    def verdicts(self):
        for model in set(MODELS.values()):
            self.expect(support.Run("discover", "--pmu", f"software:{model}", "--repetitions", "3", "--out", self.folder / model, "--programs", "0",
                                    *support.software_alone()), 0, err=None)
            self.expect(support.Run("validate", self.folder / model, "--programs", "200", "--all-events"), 0, err=None)
        for source, files in FILES.items():
            for cpu, path in files.items():
                section = ["--section", SECTIONS.get(cpu, cpu)] if source == "papi" else []
                run = support.Run("audit", path, "--against", self.folder / MODELS[cpu], "--format", "json", *section)
                for entry in json.loads(run.out)["formulas"]:
                    yield (source, cpu, f"{entry['section']}: {entry['metric']}" if source == "likwid" else entry["metric"]), entry

    def test_perf_converts_every_export(self):
        """perf's own jevents.py takes each metric, and each event of it stands in perf's lists, which jevents.py does not check."""
        for cpu, folder in (("spr", "sapphirerapids"), ("skx", "skylakex"), ("zen4", "amdzen4")):
            results, tree = self.folder / f"{cpu}.json", self.folder / f"arch-{cpu}"
            self.expect(support.Run("discover", "--pmu", f"software:{MODELS[cpu]}", "--repetitions", "3", "--format", "json", *support.software_alone(),
                                    "--output", results), 0, err=None)
            shutil.copytree(PERF / folder, tree / "x86" / folder)
            shutil.copytree(PERF.parent / "test", tree / "test")
            (tree / "x86/mapfile.csv").write_text(f"Family-model,Version,Filename,EventType\nMine-6-1,v1,{folder},core\n")
            exported = tree / "x86" / folder / "catmint-metrics.json"
            self.assertIn(support.Run("export", "--to", "perf", results, "--known-events", PERF / folder, "--output", exported).code, (0, 1))
            metrics = json.loads(exported.read_text())
            self.assertGreater(len(metrics), 10)
            done = subprocess.run([sys.executable, PERF.parent.parent / "jevents.py", "x86", "all", tree, self.folder / "events.c"], capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            converted = (self.folder / "events.c").read_text().lower()
            events = {event["EventName"].lower() for path in (PERF / folder).glob("*.json") for event in json.loads(path.read_text()) if "EventName" in event}
            for metric in metrics:
                with self.subTest(cpu=cpu, metric=metric["MetricName"]):
                    self.assertIn(metric["MetricName"].lower() + "\\000", converted)
                    self.assertLessEqual(set(re.findall(r"[a-z_][a-z0-9_.]*", metric["MetricExpr"].lower())), events)

    def write_down(self, rows, found, path):
        """A line a metric: its verdict beside the expected one, the programs that tried it, and the reason."""
        with path.open("w", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(["source", "cpu", "metric", "claim", "expected", "verdict", "programs", "median", "why"])
            for row in rows:
                entry = found.get((row["source"], row["cpu"], row["metric"]))
                verdict, above = (entry["verdict"], entry["numerator"]) if entry else ("not read", {"measures": "", "remark": ""})
                below = (entry and entry["denominator"]) or {"measures": ""}
                said = "; ".join(filter(None, (above["measures"], below["measures"], above["remark"])))
                median = f"{entry['program_median']:.2g}" if entry and entry["program_median"] is not None else ""
                lines.writerow([row["source"], row["cpu"], row["metric"], row["claim"], row["expected"], verdict + " where tried" * bool(entry and entry["partial"]),
                                entry["programs"] or "" if entry else "", median, said if verdict in ("right", "wrong") else said or row["why"]])

    def test_list(self):
        found, rows = dict(self.verdicts()), self.expected()
        if "CATMINT_VERDICTS" in os.environ:
            self.write_down(rows, found, pathlib.Path(os.environ["CATMINT_VERDICTS"]))
        decided = right = 0
        for row in rows:
            entry = found.get((row["source"], row["cpu"], row["metric"]), {"verdict": None, "programs": 0})
            verdict, programs = entry["verdict"], entry["programs"]
            decided += verdict in ("right", "wrong")
            right += verdict == "right" and programs > 0
            with self.subTest(**row):
                self.assertTrue(verdict is not None or row["expected"] == "undecided")
                if verdict == "wrong":
                    self.assertEqual(row["expected"], "wrong")
                if row["expected"] == "wrong":
                    self.assertEqual(verdict, "wrong")
        print(f"{len(rows)} metrics: {decided} decided, {right} right in 200 programs, too")
        self.assertGreater(decided, 0.6 * len(rows))
        self.assertGreater(right, 0.3 * len(rows))


if __name__ == "__main__":
    support.main()
