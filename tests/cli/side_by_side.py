"""Events of two components are counted in the same runs, and what fails in one costs the other nothing."""

import collections
import csv
import math
import os

import support

COUNTERS, SDE_AT_A_TIME = 6, 40
BRANCH = 44  # kernels
TWO = {**support.preloading(os.environ["CATMINT_TWO_COMPONENTS"]), "LIBPFM_FORCE_PMU": "amd64_fam19h_zen4"}


class SideBySide(support.Case):
    def setUp(self):
        super().setUp()
        events = support.Run("events", "--format", "json", **TWO).json()["events"]
        self.core = [event for event in events if event["component"] == "perf_event"]
        refused = next((event["reason"] for event in self.core if not event["countable"]), None)
        if not self.core or refused is not None:
            self.skipTest(f"perf_event's events cannot be counted here: {refused or 'there are none'}")
        self.assertEqual(len(events), len(self.core) + 100)

    def test_runs_are_those_of_the_longer_plan(self):
        run = self.expect(support.Run("sweep", "--dry-run", "--benchmark", "branch", "--repetitions", "2", **TWO), 0)
        sets = math.ceil(len(self.core) / COUNTERS)
        self.assertRegex(run.out, rf"(?m)^perf_event +{len(self.core)} +{sets} +{COUNTERS}$")
        self.assertRegex(run.out, rf"(?m)^sde +100 +{math.ceil(100 / SDE_AT_A_TIME)} +{SDE_AT_A_TIME}$")
        self.assertRegex(run.out, rf"(?m)^branch +{BRANCH} +{sets} +{sets * BRANCH * 2} ")

    def test_faults_of_one_cost_the_other_nothing(self):
        out = self.folder / "out"
        self.expect(support.Run("sweep", "--benchmark", "branch", "--repetitions", "2", "--out", out, **TWO), 1,
                    r"^catmint: 2 events crashed, hung or failed;", out="")
        with open(out / "events.csv", newline="") as stream:
            rows = {row["event"]: row for row in csv.DictReader(stream)}
        failed = {name: row["status"] for name, row in rows.items() if row["status"] != "counted"}
        self.assertEqual(failed, {"sde:::other::COUNT_7": "crashed (SIGSEGV)", "sde:::other::COUNT_50": "timed out"})
        with open(out / "branch.csv", newline="") as stream:
            counted = collections.Counter(row["event"] for row in csv.DictReader(
                line for line in stream if not line.startswith("#")))
        self.assertEqual(counted, {"iterations": 1, **{name: 2 for name in rows if name not in failed}})


if __name__ == "__main__":
    support.main()
