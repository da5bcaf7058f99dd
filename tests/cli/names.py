"""An event is its component and its name: what two components list under one name is never mixed up."""

import shutil

import support
import twins

COND = "BR_INST_RETIRED:COND"
SWEEP = ("sweep", "--benchmark", "cpu-flops", "--repetitions", "2")


class Names(support.Case):
    def sweep(self, name, model, surroundings, *more, code=0, err=None):
        out = self.folder / name
        self.expect(support.Run(*SWEEP, "--pmu", f"software:{model}", "--out", out, *twins.COMPONENTS, *more,
                                **surroundings), code, err, out="")
        return out

    def definitions(self, out):
        document = self.expect(support.Run("analyze", out, "--format", "json"), 0, err="").json()
        entry = support.benchmark(document, "cpu-flops")
        return ({event["event"] for event in entry["events"]},
                {metric["metric"]: support.definition(metric) for metric in entry["metrics"]})

    def test_refused_namesakes_change_no_table(self):
        for model in twins.MODELS:
            with self.subTest(model):
                alone = self.sweep(f"alone-{model}", model, twins.environment(self, {}))
                refused = twins.environment(self, dict.fromkeys(support.counted_events(model), twins.REFUSED))
                beside = self.sweep(f"beside-{model}", model, refused)
                self.assertEqual(twins.keys(alone, "cpu-flops"), twins.keys(beside, "cpu-flops"))
                self.assertEqual(twins.manifest(beside)["prefixed_events"], [])
                listed = [(name, "twin", "unavailable") for name in support.counted_events(model)]
                self.assertEqual(sorted(twins.events(beside)), sorted(listed + twins.events(alone)))
                self.assertEqual(self.definitions(alone), self.definitions(beside))

    def test_counted_namesakes_carry_their_components(self):
        for model in twins.MODELS:
            with self.subTest(model):
                marks = twins.marked(model)
                crashing = next(name for name, mark in marks.items() if mark == twins.CRASHING)
                out = self.sweep(f"out-{model}", model, twins.environment(self, marks), code=1,
                                 err=rf"^catmint: twin:::{crashing}: crashed \(SIGSEGV\)$")
                prefixed = twins.prefixed(model)
                self.assertEqual(set(twins.manifest(out)["prefixed_events"]), prefixed)
                statuses = {(event, component): status for event, component, status in twins.events(out)}
                for name, mark in marks.items():
                    status = {twins.REFUSED: "unavailable", twins.COUNTED: "counted"}.get(mark, "crashed (SIGSEGV)")
                    label = f"twin:::{name}" if f"twin:::{name}" in prefixed else name
                    self.assertEqual(statuses.pop((label, "twin")), status)
                own = {f"sde:::{name}" if f"sde:::{name}" in prefixed else name for name in support.counted_events(model)}
                self.assertEqual(statuses, {(label, "sde"): "counted" for label in own})
                counted = own | {label for label in prefixed if label.startswith("twin:::")} | {"ALONE:HERE"}
                counted.remove(f"twin:::{crashing}")
                self.assertEqual(self.definitions(out)[0], counted)
                self.assertEqual(sorted(twins.keys(out, "cpu-flops")), sorted([("iterations", "1", "0"), *(
                    (event, str(repetition), "0") for event in counted for repetition in (1, 2))]))

    def test_options_take_a_component_with_a_name(self):
        marks = {COND: twins.COUNTED, "BR_INST_RETIRED": twins.COUNTED, "ALONE": twins.COUNTED}
        both = twins.environment(self, marks)
        ours, theirs = (f"sde:::{COND}", "sde"), (f"twin:::{COND}", "twin")
        rows = (  # options, what is selected
            (("--events", COND), {ours, theirs}),
            (("--events", f"sde:::{COND}"), {(COND, "sde")}),
            (("--events", f"twin:::{COND}"), {(COND, "twin")}),
            (("--events", f"sde:::golden-cove::{COND}"), {(COND, "sde")}),
            (("--events", f"twin:::{COND}", "--events", f"sde:::{COND}"), {ours, theirs}),
            (("--events", "*:COND", "--events", "!twin:::*", "--events", "!*MISP*"), {(COND, "sde")}),
            (("--events", "twin:::*"), {(name, "twin") for name in marks}),
            (("--events-file", self.write("one", f"twin:::{COND}\nsde:::golden-cove::{COND} # ours\n")), {ours, theirs}),
            (("--events-file", self.write("two", "twin:::BR_INST_RETIRED 1\n")), {("BR_INST_RETIRED", "twin"), (COND, "twin")}),
            (("--events-file", self.write("three", f"BR_INST*:COND\n!sde:::{COND}\n")), {(COND, "twin")}),
        )
        for number, (options, selected) in enumerate(rows):
            with self.subTest(options):
                out = self.sweep(f"out{number}", "golden-cove", both, *options)
                self.assertEqual({(event, component) for event, component, _ in twins.events(out)}, selected)
        refused = (
            (("--events", "twin:::BR_MISP*"), 2, r'no event matches "twin:::BR_MISP\*"'),
            (("--events", f"perf:::{COND}"), 2, rf'no event matches "perf:::{COND}"'),
            (("--events", f"other:::{COND}"), 2, rf'no event matches "other:::{COND}"'),
            (("--events-file", self.write("four", f"{COND}\ntwin:::GONE\n")), 1, r'four:2: no event matches "twin:::GONE"'),
        )
        for options, code, said in refused:
            with self.subTest(options):
                self.sweep("no", "golden-cove", both, *options, code=code, err=said)

    def test_events_tell_namesakes_apart(self):
        both = twins.environment(self, {COND: twins.COUNTED, "BR_INST_RETIRED": twins.REFUSED})
        document = self.expect(support.Run("events", "--pmu", "software", "--format", "json", **both), 0, err="").json()
        found = {(event["component"], event["papi_name"]) for event in document["events"]
                 if event["event"] == COND and event["countable"]}
        self.assertEqual(found, {("sde", f"sde:::golden-cove::{COND}"), ("twin", COND)})
        run = self.expect(support.Run("events", "--pmu", "software", **both), 0, err="")
        table = run.out.split("\nEvents that can be counted\n")[1].split("\nEvents that cannot")[0]
        self.assertRegex(table, rf"(?ms)^sde:\n.*^  {COND} .*^twin:\n  {COND} ")

    def test_sweeps_of_namesakes_are_not_merged(self):
        both = twins.environment(self, {COND: twins.COUNTED})
        folders = [self.sweep(f"out-{component}", "golden-cove", both, "--events-file",
                              self.write("list", f"{component}:::{COND}\n")) for component in ("sde", "twin")]
        self.expect(support.Run("merge", *folders, "--out", self.folder / "merged"), 3,
                    rf"out-twin: it counts twin:::{COND}, a different event from sde:::{COND} of \S*out-sde", out="")
        one = self.sweep("one", "golden-cove", both, "--events", COND)
        shutil.copytree(one, self.folder / "again")
        self.expect(support.Run("merge", one, self.folder / "again", "--out", self.folder / "merged"), 3,
                    rf": the event (sde|twin):::{COND} is also in \S*(one|again)$", out="")
        self.assertFalse((self.folder / "merged").exists())


if __name__ == "__main__":
    support.main()
