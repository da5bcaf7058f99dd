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
            self.assertEqual({event["event"] for event in published if event["countable"]}, set(support.counted_events(model)))
            self.assertTrue(all(event["countable"] or event["reason"] == "not modelled" for event in published))

    def test_some_by_name(self):
        whole = "Mispredicted conditional branches retired"
        for words, out, lacks in ((("misp",), r"(?m)^BR_MISP_RETIRED:CONDITIONAL, of sde$", whole),
                                  (("sde:::BR_MISP_RETIRED:COND*", "--describe"), rf"\ABR_MISP_RETIRED:CONDITIONAL, of sde\n    {whole}\n\Z", "ALL_BRANCHES"),
                                  (("sde:::BR_MISP*COND*", "--describe"), whole, "ALL_BRANCHES"),
                                  (("--describe",), r"(?m)^BR_INST_EXEC:ALL_CONDITIONAL, of sde\n    \w", "Components")):
            run = self.expect(support.Run("events", *words, "--pmu", "software:skylake"), 0, err="", out=out)
            self.assertNotIn(lacks, run.out)
        document = support.Run("events", "sde:::br_misp", "--pmu", "software:skylake", "--format", "json").json()
        self.assertTrue(document["events"] and all("BR_MISP" in event["event"] for event in document["events"]))
        self.expect(support.Run("events", "BR_INST_RETIRED:CONT", "--pmu", "software:golden-cove"), 3, out="",
                    err=r"no event of software:golden-cove has 'BR_INST_RETIRED:CONT' in its name; did you mean 'BR_INST_RETIRED:COND'\?$")

    def test_unknown_names(self):
        self.expect(support.Run("events", "--pmu", "software:foo"), 2, out="", err=r"^catmint: unknown software PMU model \"foo\", expected a directory with .*, or one of: a64fx, .*golden-cove, .*, zen5$")
        self.expect(support.Run("events", "--pmu", "software:skylaky"), 2, out="", err=r"\"skylaky\"; did you mean 'skylake'\? '")
        for words in ("discover", "report a --output b", "lint a", "bundle a --output b"):
            run = support.Run(*words.split(), "--cpu", "nosuchcpu", cwd=self.folder)
            if run.code == 3 and words == "lint a":
                self.skipTest("libpfm4 is not installed")
            self.expect(run, 2, out="", err=r"^catmint: 'nosuchcpu' is not a PMU of libpfm4, expected a name like 'skx'$")

    def test_components_say_why_not(self):
        document = support.Run("events", "--pmu", "software", "--format", "json").json()
        for component in document["components"]:
            self.assertNotEqual(component["enabled"], bool(component["reason"]), component)
        for event in document["events"]:
            self.assertNotEqual(event["countable"], bool(event["reason"]), event)

    def test_table(self):
        run = self.expect(support.Run("events", "--pmu", "software"), 0, err="", out=r"\APMU  software:golden-cove: ")
        for heading in ("Components", "Events that can be counted", "Events that cannot be counted, by reason"):
            self.assertIn(f"\n{heading}\n", run.out)
        self.assertRegex(run.out, r"(?m)^  BR_INST_RETIRED:COND_TAKEN  +\w")
        self.assertNotIn("\033", run.out)

    def test_events_of_unknown_meaning_are_named(self):
        run = self.expect(support.Run("events", "--pmu", "software:core2"), 0, err="")
        self.assertRegex(run.out, r"(?s)Events that cannot be counted, by reason\n.* +\d+  sde: not modelled\n +the processor has them, and no document or fact settles their meaning\n +as BUS_TRANS_IFETCH:SELF, ")
        document = support.Run("events", "--pmu", "software:core2", "--format", "json").json()
        refused = [event for event in document["events"] if event["component"] == "sde" and not event["countable"]]
        self.assertIn("BUS_TRANS_IFETCH:SELF", {event["event"] for event in refused})
        self.assertEqual({event["reason"] for event in refused}, {"not modelled"})

    def test_refused_events_do_not_flood(self):
        # libpfm4 names a processor's events on any machine; where it has no such PMU, perf refuses hundreds of them.
        options = {"LIBPFM_FORCE_PMU": "spr"}
        document = support.Run("events", "--pmu", "software", "--format", "json", **options).json()
        refused = [event for event in document["events"] if not event["countable"]]
        run = self.expect(support.Run("events", "--pmu", "software", **options), 0, err="")
        below = run.out.split("\nEvents that cannot be counted, by reason\n")[1]
        groups = {(event["component"], event["reason"], event["hint"]) for event in refused}
        self.assertLess(len(below.splitlines()), 10 * len(groups) + 2)
        counts = [int(line.split()[0]) for line in below.splitlines() if line[:8].strip().isdigit()]
        self.assertEqual(sum(counts), len(refused))

    def test_hardware_or_a_reason(self):
        run = support.Run("events", "--pmu", "hardware")
        if run.code == 0:
            self.expect(run, 0, err="", out=r"\APMU  hardware: requested(, though no\s+hardware event can be counted)?")
        else:
            self.expect(run, 4, err=r"^catmint: no hardware event can be counted here: \w+", out="")


class Hardware(support.Case):
    """--pmu hardware where no hardware event can be counted, though events of the kernel may be."""

    def setUp(self):
        super().setUp()
        document = support.Run("events", "--pmu", "software", "--format", "json").json()
        self.kernels = [event["event"] for event in document["events"]
                        if event["countable"] and event["component"] == "perf_event"]
        if support.Run("events", "--format", "json").json()["pmu"] == "hardware":
            self.skipTest("hardware events can be counted here")
        if any(event["countable"] and event["component"] not in ("perf_event", "sde") for event in document["events"]):
            self.skipTest("another component of this machine counts")

    def sweep(self, *arguments, **changes):
        out = self.folder / "out"
        return support.Run("sweep", "--pmu", "hardware", "--benchmark", "branch", "--repetitions", "2", "--out", out,
                           *arguments, **changes)

    def test_it_is_refused_at_once(self):
        for arguments in ((), ("--events", "!CS"), ("--dry-run",)):
            for changes in ({}, {"LIBPFM_FORCE_PMU": "spr"}):
                with self.subTest(arguments=arguments, changes=changes):
                    self.expect(self.sweep(*arguments, **changes), 4, out="",
                                err=r"\Acatmint: no hardware event can be counted here: .*\n\Z")
                    self.assertEqual(list(self.folder.iterdir()), [])
        run = self.expect(support.Run("discover", "--pmu", "hardware"), 4, out="",
                          err=r"\Acatmint: no hardware event can be counted here: .*\n\Z")
        self.assertEqual("if --events or --component selects" in run.err, bool(self.kernels), run.err)

    def test_what_is_asked_for_is_counted(self):
        if "perf::PAGE-FAULTS" not in self.kernels:
            self.skipTest("perf_event counts no page faults here")
        for arguments in (("--events", "perf::PAGE-FAULTS"), ("--component", "perf_event", "--events", "perf::PAGE*")):
            self.expect(self.sweep(*arguments), 0, out="",
                        err=r"counting on hardware: requested, though no hardware event can be counted here: ")
        self.expect(self.sweep("--events", "NO_SUCH_*"), 2, out="", err=r'no event matches "NO_SUCH_\*"')


if __name__ == "__main__":
    support.main()
