"""The surrounding in which a test is said to run is the one it runs in."""

import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import support  # noqa: E402

SURROUNDING = os.environ.get("CATMINT_SURROUNDING", "plain")
HARDWARE_KINDS = ("perf::PERF_COUNT_HW_", "perf::CYCLES", "perf::INSTRUCTIONS")


class Check(support.Case):
    def setUp(self):
        super().setUp()
        document = self.expect(support.Run("events", "--pmu", "software", "--format", "json"), 0, err="").json()
        self.component = next(entry for entry in document["components"] if entry["component"] == "perf_event")
        self.events = [event for event in document["events"] if event["component"] == "perf_event"]
        self.published = {event["event"] for event in document["events"] if event["component"] == "sde" and event["countable"]}
        self.said = document["pmu_reason"]

    def test_surrounding(self):
        {"clash": self.clash, "software": self.software, "off": self.off, "ordinary": self.ordinary, "no-avx512": self.no_avx512,
         "load": self.load, "blanks": self.blanks, "plain": lambda: None}[SURROUNDING]()
        self.assertGreaterEqual(len(self.published), len(support.counted_events()))  # the software PMU counts everywhere

    def clash(self):
        self.assertTrue(self.component["enabled"], self.component)
        self.assertGreater(len(self.events), 100)
        self.assertFalse([event for event in self.events if event["countable"]])
        model = {event["event"] for event in support.model_events()}
        self.assertGreater(len(model & {event["event"] for event in self.events}), 50)

    def software(self):
        if not self.component["enabled"]:
            self.skipTest(f"PAPI's perf_event cannot be made alive: {self.component['reason']}")
        counted = {event["event"] for event in self.events if event["countable"]}
        self.assertIn("perf::PAGE-FAULTS", counted)
        self.assertFalse([name for name in counted if name.startswith(HARDWARE_KINDS)])

    def off(self):
        self.assertFalse(self.component["enabled"])
        self.assertEqual(self.events, [])

    def ordinary(self):
        self.assertNotEqual(os.geteuid(), 0)
        self.assertEqual([group for group in os.getgroups() if group == 0], [])

    def no_avx512(self):
        run = self.expect(support.Run("kernels"), 0, err="")
        lines = [line for line in run.out.splitlines() if "AVX512" in line]
        self.assertTrue(lines)
        self.assertEqual([line for line in lines if line.split()[2] != "no"], [])

    def load(self):
        siblings = pathlib.Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
        self.assertGreaterEqual(len(siblings), 8 + 1)

    def blanks(self):
        for path in (support.PROGRAM, str(support.SOURCE), __file__, tempfile.gettempdir()):
            self.assertIn(" ", path)


if __name__ == "__main__":
    support.main()
