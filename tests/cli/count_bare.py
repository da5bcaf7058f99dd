"""Programs counted without results: facts under the emulated PMU, or by the definitions that are kept for the processor."""

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
        counts, = counts_of(self.count("--", program))
        self.assertEqual((counts["DP Ops."], counts["SP Ops."], counts["HP Ops."]), (2000000, 0, 0))
        self.assertEqual({name for name, count in counts.items() if count is None}, set())
        self.assertGreater(counts["Bytes Loaded"], counts["Loads"])
        listed, = counts_of(self.count("-e", "instructions,loads", "--pmu", "software", "--", program))
        self.assertEqual(sorted(listed), ["instructions", "loads"])
        self.assertLess(abs(listed["instructions"] / counts["Instructions"] - 1.0), 0.01)
        table = self.expect(support.Run("count", "-x", ",", "--", program), 0, err=r"(?m)^program,.*DP Ops\.,").err
        self.assertNotIn("Exact", table)
        self.expect(support.Run("count", "--", program), 0, err=r"(?m)^Exact +all but mispredictions and misses")

    def test_the_unknown_name_is_blamed(self):
        """Not the first one of the list; a name that is nearly a fact's is offered it, and a metric is called one."""
        for names, blamed, more in (("instructions,dp_ops", "dp_ops", "'dp_ops' is a metric and no event: --metrics 'DP Ops\\.' with --results FILE"),
                                    ("instructions,PAPI_DP_OPS", "PAPI_DP_OPS", "'PAPI_DP_OPS' is a metric and no event: --metrics 'DP Ops\\.'"),
                                    ("loadz,instructions", "loadz", r"did you mean 'loads'\?")):
            for pmu in ("software:golden-cove", "auto"):
                run = support.Run("count", "--pmu", pmu, "-e", names, "--", "true")
                if "the emulated PMU needs qemu" in run.err:
                    self.skipTest(run.err.strip())
                self.expect(run, 125, err=rf"(?s)no event (or fact )?'{blamed}'.*{more}")
                if pmu != "auto" or "the kernel offers no hardware counters" in run.err:
                    self.assertNotIn("'instructions'", run.err)

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
