"""What can be counted, and why the rest cannot."""

import support


class Events(support.Case):
    def test_models(self):
        for model, least in (("golden-cove", 80), ("skylake", 1), ("zen4", 1)):
            run = self.expect(support.Run("events", "--pmu", f"software:{model}", "--format", "json"), 0, err="")
            document = run.json()
            self.assertEqual((document["schema"], document["pmu"]), ("catmint.events/1", f"software:{model}"))
            self.assertTrue(document["pmu_reason"])
            published = [event for event in document["events"] if event["component"] == "sde"]
            self.assertGreaterEqual(len(published), least)
            self.assertTrue(all(event["countable"] for event in published))
            listed = (support.SOURCE / f"data/pmu/{model}/events.csv").read_text().splitlines()
            names = {line.split(",")[0] for line in listed if not line.startswith("#")} - {"event"}
            self.assertEqual({event["event"] for event in published}, names)

    def test_components_say_why_not(self):
        document = support.Run("events", "--pmu", "software", "--format", "json").json()
        for component in document["components"]:
            self.assertNotEqual(component["enabled"], bool(component["reason"]), component)
        for event in document["events"]:
            self.assertNotEqual(event["countable"], bool(event["reason"]), event)

    def test_table(self):
        run = self.expect(support.Run("events", "--pmu", "software"), 0, err="", out=r"\APMU  software:golden-cove: ")
        for heading in ("Components", "Events that can be counted", "Events that cannot, by reason"):
            self.assertIn(f"\n{heading}\n", run.out)
        self.assertRegex(run.out, r"(?m)^  BR_INST_RETIRED:COND_TAKEN  +\w")
        self.assertNotIn("\033", run.out)

    def test_refused_events_do_not_flood(self):
        # libpfm4 names a processor's events on any machine; where it has no such PMU, perf refuses hundreds of them.
        options = {"LIBPFM_FORCE_PMU": "spr"}
        document = support.Run("events", "--pmu", "software", "--format", "json", **options).json()
        refused = [event for event in document["events"] if not event["countable"]]
        run = self.expect(support.Run("events", "--pmu", "software", **options), 0, err="")
        below = run.out.split("\nEvents that cannot, by reason\n")[1]
        groups = {(event["component"], event["reason"], event["hint"]) for event in refused}
        self.assertLess(len(below.splitlines()), 10 * len(groups) + 2)
        counts = [int(line.split()[0]) for line in below.splitlines() if line[:8].strip().isdigit()]
        self.assertEqual(sum(counts), len(refused))

    def test_hardware_or_a_reason(self):
        run = support.Run("events", "--pmu", "hardware")
        if run.code == 0:
            self.expect(run, 0, err="", out=r"\APMU  hardware: ")
        else:
            self.expect(run, 4, err=r"^catmint: no hardware event can be counted here: \w+", out="")


if __name__ == "__main__":
    support.main()
