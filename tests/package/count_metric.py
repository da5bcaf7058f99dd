"""docs/examples/count_metric.c, built outside against the installed package: from a sweep to a value of its own code."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, EXAMPLE = os.environ["CATMINT_PROGRAM"], os.environ["CATMINT_EXAMPLE"]
SKIPPED = 77
FP = "FP_ARITH_INST_RETIRED:"
WEIGHTS = {FP + "SCALAR_DOUBLE": 1, FP + "128B_PACKED_DOUBLE": 2, FP + "256B_PACKED_DOUBLE": 4, FP + "512B_PACKED_DOUBLE": 8}
DOT_PRODUCT = 2000  # additions and multiplications of 1,000 elements


class CountMetric(unittest.TestCase):
    changes = {}  # of the environment

    @classmethod
    def run_program(cls, *arguments):
        return subprocess.run([str(argument) for argument in arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=1200, check=False, env={**os.environ, **cls.changes})

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="catmint-test-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.results = pathlib.Path(cls.folder.name) / "RESULTS.json"
        done = cls.run_program(PROGRAM, "discover", "--pmu", "software:golden-cove", "--benchmark", "cpu-flops",
                               "--programs", "0", "--format", "json", "--output", cls.results)
        if done.returncode == 4:
            print(f"skipped: {done.stderr.strip()}", file=sys.stderr)
            sys.exit(SKIPPED)
        assert done.returncode == 0, done.stderr

    def count(self, metric, code=0, results=None):
        done = self.run_program(EXAMPLE, results or self.results, metric)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_double_precision(self):
        for name in ("DP Ops.", "PAPI_DP_OPS"):
            lines = self.count(name).stdout.splitlines()
            self.assertEqual(lines[-1], f"DP Ops. of a dot product of 1000 elements: {DOT_PRODUCT}")
            counts = {}
            for line in lines[:-1]:
                count, weight, _, event = line.split()
                self.assertEqual(int(weight), WEIGHTS[event])
                counts[event] = int(count)
            # Whatever the compiler made of it. Of 1,000 elements' instructions none is lost between the widths.
            self.assertEqual(sum(WEIGHTS[event] * count for event, count in counts.items()), DOT_PRODUCT)

    def test_single_precision(self):
        self.assertEqual(self.count("SP Ops.").stdout.splitlines()[-1], "SP Ops. of a dot product of 1000 elements: 0")

    def test_more_events_than_fit_into_a_set(self):
        document = json.loads(self.results.read_text())
        benchmark = document["benchmarks"][0]
        metric = next(metric for metric in benchmark["metrics"] if metric["metric"] == "DP Ops.")
        # An event set is of one component: the kernel's own events, where they are counted too, would be one more.
        others = [event["event"] for event in benchmark["events"]
                  if event["event"] not in WEIGHTS and not event["event"].startswith("perf::")]
        metric["definition"] = [{"event": event, "coefficient": 0.0} for event in others[:60]] + metric["definition"]
        changed = pathlib.Path(self.folder.name) / "many.json"
        changed.write_text(json.dumps(document))
        lines = self.count("DP Ops.", results=changed).stdout.splitlines()
        self.assertEqual(lines[-2], "The events do not fit into one event set: the code ran 2 times.")
        self.assertEqual(lines[-1], f"DP Ops. of a dot product of 1000 elements: {DOT_PRODUCT}")

    def changed(self, old, new):
        """The results with other names of events."""
        path = pathlib.Path(self.folder.name) / "changed.json"
        path.write_text(self.results.read_text().replace(f'"{old}', f'"{new}'))
        return path

    def test_events_with_their_component(self):
        lines = self.count("DP Ops.", results=self.changed(FP, "sde:::" + FP)).stdout.splitlines()
        self.assertEqual(lines[-1], f"DP Ops. of a dot product of 1000 elements: {DOT_PRODUCT}")
        self.assertTrue(all(" x sde:::" + FP in line for line in lines[:-1]), lines)
        lines = self.count("DP Ops.", results=self.changed(FP, "sde:::golden-cove::" + FP)).stdout.splitlines()
        self.assertEqual(lines[-1], f"DP Ops. of a dot product of 1000 elements: {DOT_PRODUCT}")
        said = self.count("DP Ops.", 1, self.changed(FP, "perf_event:::" + FP)).stderr
        self.assertRegex(said, rf"event 'perf_event:::{FP}\w+' cannot be counted here: |there is no event 'perf_event:::{FP}")
        said = self.count("DP Ops.", 1, self.changed(FP, "sysdetect:::" + FP)).stderr
        self.assertIn(f"there is no event 'sysdetect:::{FP}", said)

    def test_what_cannot_be_counted(self):
        self.assertIn("'DP FMA Instrs.' cannot be counted here: misfit 0.745", self.count("DP FMA Instrs.", 1).stderr)
        self.assertIn("there is no metric or preset 'dp ops.'", self.count("dp ops.", 1).stderr)
        missing = pathlib.Path(self.folder.name) / "missing.json"
        self.assertIn("missing.json: cannot be opened", self.count("DP Ops.", 1, missing).stderr)
        broken = pathlib.Path(self.folder.name) / "broken.json"
        broken.write_text(self.results.read_text().replace('"alpha": 0.0005', '"alpha": "0.0005"', 1))
        self.assertRegex(self.count("DP Ops.", 1, broken).stderr, r"broken.json:\d+:\d+: benchmarks\[0\].alpha is a text, expected a number")
        foreign = pathlib.Path(self.folder.name) / "foreign.json"
        foreign.write_text(self.results.read_text().replace(FP + "SCALAR_DOUBLE", FP + "SCALAR_QUADRUPLE"))
        self.assertRegex(self.count("DP Ops.", 1, foreign).stderr, f"there is no event '(sde:::)?{FP}SCALAR_QUADRUPLE'")


class AnotherListsTheirNames(CountMetric):
    """libpfm4 is told to take this CPU for a Sapphire Rapids: where perf_event works, it lists events of the model's names."""

    changes = {"LIBPFM_FORCE_PMU": "spr"}


class AnotherCountsTheirNames(CountMetric):
    """A preloaded component counts events of the model's names: tables carry the component, and so do definitions."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="catmint-test-")
        cls.addClassCleanup(folder.cleanup)
        # The loader parts its list at blanks and colons, which folders may have in their names.
        library, names = pathlib.Path(folder.name) / "library.so", pathlib.Path(folder.name) / "names"
        library.symlink_to(os.environ["CATMINT_TWIN_COMPONENT"])
        names.write_text("".join(name + "\n" for name in WEIGHTS))
        cls.changes = {"LD_PRELOAD": str(library), "TWIN_EVENTS": str(names),
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
        super().setUpClass()

    def test_double_precision(self):
        lines = self.count("DP Ops.").stdout.splitlines()
        self.assertEqual(lines[-1], f"DP Ops. of a dot product of 1000 elements: {DOT_PRODUCT}")
        used = {line.split()[-1] for line in lines[:-1]}  # where a CPU lacks AVX-512, one fewer
        self.assertLessEqual({"sde:::" + name for name in WEIGHTS if "512B" not in name}, used)
        self.assertLessEqual(used, {"sde:::" + name for name in WEIGHTS})

    def test_events_with_their_component(self):
        said = self.count("DP Ops.", 1, self.changed("sde:::" + FP, FP)).stderr
        self.assertRegex(said, rf"event '({FP}\w+)' is ambiguous, expected sde:::\1 or twin:::\1|"
                               rf"event '({FP}\w+)' is ambiguous, expected twin:::\2 or sde:::\2")

    def test_more_events_than_fit_into_a_set(self):
        """Those of the other component are not of this metric."""
        document = json.loads(self.results.read_text())
        names = {event["event"] for event in document["benchmarks"][0]["events"]}
        self.assertLessEqual({f"{component}:::{name}" for name in WEIGHTS for component in ("sde", "twin")}, names)
        self.assertFalse(names & set(WEIGHTS))


if __name__ == "__main__":
    unittest.main()
