"""Events of which two components have the same name: every option and file that names an event takes component:::NAME."""

import json

import support

# Two components count BR:COND; BR:MISP is sde's alone, for perf_event refuses its own; BR:TAKEN nobody else has.
EVENTS = {"perf_event:::BR:COND": {"CR": 1, "D": 1}, "sde:::BR:COND": {"CR": 1}, "BR:MISP": {"M": 1}, "BR:TAKEN": {"T": 1}}
EVENTS_CSV = """event,component,status,reason,hint,description
perf_event:::BR:COND,perf_event,counted,,,
BR:MISP,perf_event,unavailable,no counter,,
BR:GONE,perf_event,unavailable,no counter,,
sde:::BR:COND,sde,counted,,,
BR:MISP,sde,counted,,,
BR:TAKEN,sde,counted,,,
BR:GONE,sde,timed out,it hung,,
"""
MANIFEST = '{"machine": {}, "pmu": "software:toy", "pmu_reason": "a test"}'
HEADER = "metric,formula,unit,source\n"
BOTH = "'perf_event:::BR:COND' or 'sde:::BR:COND'"


class Names(support.Case):
    def setUp(self):
        super().setUp()
        self.table = self.write("sweep/branch.csv", support.measurements("branch", EVENTS))
        self.write("sweep/manifest.json", MANIFEST)
        self.write("sweep/events.csv", EVENTS_CSV)
        self.sweep = self.folder / "sweep"

    def explain(self, event, path=None):
        path = path or self.sweep
        return support.Run("explain", event, path, "--benchmark", "branch", "--format", "json")

    def test_explain(self):
        rows = (  # what is asked for, and the event that is meant
            ("perf_event:::BR:COND", "perf_event:::BR:COND"), ("sde:::BR:COND", "sde:::BR:COND"), ("BR:MISP", "BR:MISP"),
            ("sde:::BR:MISP", "BR:MISP"), ("sde:::BR:TAKEN", "BR:TAKEN"),
        )
        for asked, meant in rows:
            with self.subTest(asked):
                entry, = self.expect(self.explain(asked), 0, err="").json()["events"]
                self.assertEqual(entry["event"], meant)
                self.assertEqual({part["symbol"]: part["coefficient"] for part in entry["representation"]}, EVENTS[meant])
        faults = (
            ("BR:COND", f"event 'BR:COND' is ambiguous, expected {BOTH}"),
            ("perf_event:::BR:MISP", "event 'perf_event:::BR:MISP' could not be counted: no counter"),
            ("sde:::BR:GONE", "event 'sde:::BR:GONE' could not be counted: it hung"),
            ("BR:GONE", "event 'BR:GONE' could not be counted: no counter"),
            ("perf_event:::BR:TAKEN", "there is no event 'perf_event:::BR:TAKEN' in these results; did you mean 'perf_event:::BR:COND'\\?"),
            ("rocm:::BR:COND", "there is no event 'rocm:::BR:COND' in these results; did you mean 'sde:::BR:COND'\\?"),
            ("sde:::", "there is no event 'sde:::' in these results; did you mean 'sde:::BR:COND'\\?"),
        )
        for asked, said in faults:
            with self.subTest(asked):
                self.expect(self.explain(asked), 3, err=rf"\Acatmint: {said}\n\Z", out="")

    def test_where_no_component_is_known(self):
        """A table alone, and a folder without that column."""
        bare = "\n".join(",".join(field for i, field in enumerate(line.split(",")) if i != 1) for line in EVENTS_CSV.split("\n"))
        self.write("bare/branch.csv", self.table.read_bytes())
        self.write("bare/events.csv", bare)
        for path in (self.table, self.folder / "bare"):
            for asked, meant in (("sde:::BR:TAKEN", "BR:TAKEN"), ("any:::BR:TAKEN", "BR:TAKEN"), ("sde:::BR:COND", "sde:::BR:COND")):
                entry, = self.expect(self.explain(asked, path), 0, err="").json()["events"]
                self.assertEqual(entry["event"], meant)
            self.expect(self.explain("BR:COND", path), 3, err=f"ambiguous, expected {BOTH}")
            self.expect(self.explain("any:::BR:COND", path), 3, err="there is no event")

    def statuses(self, *arguments, path=None):
        run = self.expect(support.Run("analyze", path or self.sweep, "--benchmark", "branch", "--format", "json", *arguments), 0, err="")
        return {event["event"] for event in support.benchmark(run.json(), "branch")["events"] if event["status"] == "avoided"}

    def test_avoid(self):
        rows = (("sde:::BR:COND", "sde:::BR:COND"), ("perf_event:::BR:COND", "perf_event:::BR:COND"), ("BR:TAKEN", "BR:TAKEN"),
                ("sde:::BR:TAKEN", "BR:TAKEN"))
        for asked, meant in rows:
            self.assertEqual(self.statuses("--avoid", asked), {meant})
            self.assertEqual(self.statuses("--avoid", asked, path=self.table), {meant})
        for asked, said in (("BR:COND", f"^catmint: event 'BR:COND' is ambiguous, expected {BOTH}$"),
                            ("perf_event:::BR:TAKEN", r"^catmint: \S+/branch.csv: event 'perf_event:::BR:TAKEN', which is to be avoided, was not measured")):
            self.expect(support.Run("analyze", self.sweep, "--avoid", asked), 3, err=said, out="")

    def test_only(self):
        rows = (("perf_event:::*", {"perf_event:::BR:COND"}), ("sde:::*", set(EVENTS) - {"perf_event:::BR:COND"}),
                ("*COND", {"perf_event:::BR:COND", "sde:::BR:COND"}), ("BR:COND", {"perf_event:::BR:COND", "sde:::BR:COND"}),
                ("sde:::BR:TAKEN", {"BR:TAKEN"}), ("BR:[MT]*", {"BR:MISP", "BR:TAKEN"}))
        for pattern, used in rows:
            with self.subTest(pattern):
                self.assertEqual(self.statuses("--only", pattern), set(EVENTS) - used)
        self.assertEqual(self.statuses("--only", "sde:::BR:T*", path=self.table), set(EVENTS) - {"BR:TAKEN"})
        self.expect(support.Run("analyze", self.sweep, "--only", "perf_event:::BR:T*"), 3, err="no event matches", out="")

    def test_definitions_carry_the_name_of_the_table(self):
        document = self.expect(support.Run("analyze", self.sweep, "--format", "json"), 0, err="").json()
        self.assertLessEqual({event["event"] for event in support.benchmark(document, "branch")["events"]}, set(EVENTS))
        used = {event for entry in support.benchmark(document, "branch")["metrics"] for event in support.definition(entry)}
        self.assertIn("sde:::BR:COND", used)
        for event in used:
            self.expect(self.explain(event), 0, err="")

    def test_audit(self):
        """Formulas name the events of the results in either way."""
        results = self.write("results.json", support.Run("analyze", self.sweep, "--format", "json").out)
        metric = "Conditional Branches Retired"
        rows = (("sde:::BR:COND", "right", "sde"), ("sde:::toy::br.cond", "right", "sde"), ("perf_event:::BR:COND", "wrong", "perf"),
                ("br.cond", "unknown", "ambiguous|several|may be"), ("BR:COND", "unknown", "ambiguous|several|may be"))
        for against in (self.sweep, results):
            for formula, verdict, remark in rows:
                with self.subTest(formula=formula, against=against.name):
                    path = self.write("formulas.csv", HEADER + f'{metric},"{formula}",,\n')
                    entry, = support.Run("audit", path, "--against", against, "--format", "json").json()["formulas"]
                    self.assertEqual(entry["verdict"] == "right", verdict == "right", entry)
                    self.assertRegex(json.dumps(entry), remark)

    def test_audit_knows_second_names(self):
        """An alias of data/event-aliases.csv behind a component, too."""
        self.write("sweep/branch.csv", support.measurements("branch", {
            "sde:::BR_INST_RETIRED:CONDITIONAL": {"CR": 1}, "perf_event:::BR_INST_RETIRED:CONDITIONAL": {"CR": 1, "D": 1}}))
        for formula, verdict in (("sde:::BR_INST_RETIRED:COND", "right"), ("perf_event:::BR_INST_RETIRED:COND", "wrong")):
            path = self.write("formulas.csv", HEADER + f"Conditional Branches Retired,{formula},,\n")
            entry, = support.Run("audit", path, "--against", self.sweep, "--format", "json").json()["formulas"]
            self.assertEqual(entry["verdict"], verdict, entry)

    def test_evaluate(self):
        formulas = self.write("formulas.csv", HEADER + "twice,2 * perf_event:::BR:COND,,\nother,sde:::BR:COND,,\n"
                              "sum,BR:MISP + BR:TAKEN,,\n")

        def evaluate(rows):
            counts = self.write("counts.csv", "event,run\n" + "".join(f"{event},{count}\n" for event, count in rows))
            return support.Run("evaluate", formulas, "--counts", counts, "--format", "json")

        rows = [("perf_event:::BR:COND", 7), ("sde:::BR:COND", 5), ("sde:::BR:MISP", 1), ("BR.TAKEN", 2)]
        values = {entry["metric"]: entry["values"] for entry in self.expect(evaluate(rows), 0, err="").json()["metrics"]}
        self.assertEqual(values, {"twice": [14], "other": [5], "sum": [3]})
        # One count cannot be that of both.
        run = evaluate([("BR:COND", 7), ("BR:MISP", 1), ("BR:TAKEN", 2)])
        self.expect(run, 3, err="'perf_event:::BR:COND' and 'sde:::BR:COND' are events of two components, expected counts of both, "
                                "found only 'BR:COND'", out="")
        formulas = self.write("one.csv", HEADER + "M,BR:COND,,\n")
        self.expect(evaluate(rows), 3, err=f"event 'BR:COND' is ambiguous, expected {BOTH}", out="")


if __name__ == "__main__":
    support.main()
