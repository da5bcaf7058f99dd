"""Components of PAPI that crash or hang when they are initialised are left out, and the rest is counted."""

import csv
import json
import os

import support

PRELOAD = support.preloading(os.environ["CATMINT_FAULTY_COMPONENT"])
TINY = f"software:{support.SOURCE / 'tests/data/pmu/tiny'}"
INITIALISED, LISTED = "while it was initialised", "while its events were listed"


def faulty(*faults):
    """The environment in which components fail: "component:init|list:crash|hang|exit"."""
    return {**PRELOAD, "FAULTY_COMPONENTS": ",".join(faults)}


class Components(support.Case):
    @classmethod
    def setUpClass(cls):
        document = support.Run("events", "--pmu", TINY, "--format", "json").json()
        cls.sound = {entry["component"]: entry for entry in document["components"]}
        cls.events = {event["event"] for event in document["events"] if event["countable"]}

    def setUp(self):
        super().setUp()
        for component in ("perf_event_uncore", "sysdetect"):
            if component not in self.sound:
                self.skipTest(f"this PAPI was built without its {component} component")

    def listed(self, *faults, arguments=()):
        run = support.Run("events", "--pmu", TINY, "--format", "json", *arguments, **faulty(*faults))
        return self.expect(run, 0, err="").json()

    def test_doctor_names_them(self):
        run = support.Run("doctor", "--format", "json", **faulty("sysdetect:init:crash"))
        found = {one["finding"]: one for one in run.json()["findings"]}
        self.assertIn(f"PAPI's component sysdetect is disabled: crashed (SIGSEGV) {INITIALISED}.", found["papi-sysdetect"]["text"])
        self.assertEqual(found["papi-sysdetect"]["severity"], "note")
        self.assertTrue(found["papi-sysdetect"]["advice"])

    def test_each_way_to_fail(self):
        rows = (  # what fails, and what is said of it
            (("perf_event_uncore:init:crash",), {"perf_event_uncore": f"crashed (SIGSEGV) {INITIALISED}"}),
            (("sysdetect:list:crash",), {"sysdetect": f"crashed (SIGSEGV) {LISTED}"}),
            (("perf_event_uncore:init:hang",), {"perf_event_uncore": f"timed out {INITIALISED}"}),
            (("sysdetect:list:hang",), {"sysdetect": f"timed out {LISTED}"}),
            (("sysdetect:init:exit",), {"sysdetect": f"ended the process (status 3) {INITIALISED}"}),
            (("perf_event_uncore:init:crash", "sysdetect:init:crash"),
             {"perf_event_uncore": f"crashed (SIGSEGV) {INITIALISED}", "sysdetect": f"crashed (SIGSEGV) {INITIALISED}"}),
            (("perf_event_uncore:list:crash", "sysdetect:init:crash"),
             {"perf_event_uncore": f"crashed (SIGSEGV) {LISTED}", "sysdetect": f"crashed (SIGSEGV) {INITIALISED}"}),
            ((), {}),
            (("no_such:init:crash",), {}),
        )
        for faults, expected in rows:
            with self.subTest(faults):
                document = self.listed(*faults, arguments=("--component-timeout", "5"))
                for entry in document["components"]:
                    name = entry["component"]
                    if name in expected:
                        self.assertEqual((entry["enabled"], entry["reason"], entry["events"]),
                                         (False, expected[name], 0))
                        self.assertTrue(entry["hint"])
                    else:
                        self.assertEqual(entry, self.sound[name])
                self.assertEqual({event["event"] for event in document["events"] if event["countable"]}, self.events)

    def sweep(self, faults, *arguments, code, err):
        out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", TINY, "--benchmark", "cpu-flops", "--repetitions", "2", "--out", out,
                                *arguments, **faulty(*faults)), code, err, out="")
        with open(out / "events.csv", newline="") as stream:
            return json.loads((out / "manifest.json").read_text()), {
                row["event"] for row in csv.DictReader(stream) if row["status"] == "counted"}

    def test_the_rest_is_swept(self):
        manifest, counted = self.sweep(
            ["perf_event_uncore:init:crash"], code=1,
            err=rf"^catmint: component perf_event_uncore: crashed \(SIGSEGV\) {INITIALISED}$")
        self.assertEqual(counted, self.events)
        entry = next(entry for entry in manifest["components"] if entry["component"] == "perf_event_uncore")
        self.assertEqual(entry["reason"], f"crashed (SIGSEGV) {INITIALISED}")

    def test_one_that_nobody_asked_for_is_no_failure(self):
        _, counted = self.sweep(["perf_event_uncore:init:crash"], "--component", "sde", code=0,
                                err=r"\A(?!.*perf_event_uncore)")
        self.assertTrue(counted)

    def test_where_the_software_pmu_itself_is_left_out(self):
        run = support.Run("events", "--pmu", TINY, **faulty("sde:init:crash"))
        self.expect(run, 4, rf"needs PAPI's sde component: crashed \(SIGSEGV\) {INITIALISED}", out="")

    def test_a_time_that_makes_no_sense(self):
        for text in ("0", "-1", "soon", "nan"):
            self.expect(support.Run("events", "--component-timeout", text), 2,
                        rf"--component-timeout: expected seconds, more than 0, found '{text}'", out="")


if __name__ == "__main__":
    support.main()
