"""What `explain` tells of events and metrics, to people and as JSON."""

import json

import support


def explain(benchmark, *what, **changes):
    return support.Run("explain", "--method", "paper", *what, support.RECORDED[benchmark], "--benchmark", benchmark, **changes)


class Asking(support.Case):
    def test_several_events_and_presets(self):
        events = ("MADE_UP:SUM_SCALAR", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE")
        document = self.expect(explain("cpu-flops", *events, "--format", "json"), 0, err="").json()
        self.assertEqual([entry["event"] for entry in document["events"]], list(events))
        for arguments in (("PAPI_DP_OPS",), ("--metric", "PAPI_DP_OPS"), ("--metric", "DP Ops."), ("--metric", "dp_ops")):
            document = self.expect(explain("cpu-flops", *arguments, "--format", "json"), 0, err="").json()
            self.assertEqual([entry["metric"] for entry in document["metrics"]], ["DP Ops."])

        document = self.expect(explain("cpu-flops", events[0], "PAPI_DP_OPS", "--format", "json"), 0, err="").json()
        self.assertEqual((document["events"][0]["event"], document["metrics"][0]["metric"]), (events[0], "DP Ops."))
        self.expect(explain("cpu-flops", "PAPI_DP_OPS", events[1]), 0, out=r"(?s)^Metric +DP Ops\..*\nEvent +FP_ARITH", err="")

    def test_clocks_are_no_alarm(self):
        entry, = self.expect(explain("cpu-flops", "MADE_UP:CYCLES_3", "--format", "json"), 0, err="").json()["events"]
        self.assertRegex(entry["reason"], "it counts time, which is never twice the same$")

    def test_results_are_no_table(self):
        results = self.write("results.json", '{"schema": "catmint.metrics/1"}')
        for arguments in (("explain", "--metric", "Loads"), ("analyze", "--benchmark", "branch"), ("analyze",)):
            self.expect(support.Run(*arguments, results), 3, err=r"results\.json: results in JSON have no counts: expected the directory of a sweep, .* or a measurement table$", out="")

    def test_other_files_are_no_table(self):
        """Whatever is no measurement table is called so, with its line, not asked for its benchmark."""
        for name, text, line in (("notes.txt", "Some notes of mine\n", 1), ("broken.json", '# comment\n"schema": 1\n', 2), ("formulas.csv", "metric,formula\nA,B\n", 1), ("array.json", "[]\n", 1)):
            path = self.write(name, text)
            for arguments in (("explain", "--metric", "Loads"), ("explain", "LOADS"), ("analyze",)):
                self.expect(support.Run(*arguments, path), 3, err=rf"^catmint: .*{name}:{line}: it is no measurement table, expected one, or the directory of a sweep: ", out="")

    def test_other_files_are_no_results(self):
        """Every command that reads a document calls a text none, with its line; what is quoted of it stays as it is."""
        text, sweep = self.write("notes.txt", "catmint finds this\n"), self.folder / "page.html"
        results = self.write("results.json", json.dumps(support.sapphire_rapids()))
        for arguments, code in ((("report", text, "--output", sweep), 3), (("diff", text, results), 2), (("export", "--to", "perf", text), 3), (("count", "--results", text, "--", "true"), 125),
                                (("audit", support.SOURCE / "data/formulas/portable.csv", "--against", text), 3), (("report", results, "--audit", text, "--output", sweep), 3),
                                (("report", results, "--values", text, "--output", sweep), 3), (("roofline", "--machine", text, "--out", self.folder / "r"), 3), (("incore", "--results", text), 3)):
            self.expect(support.Run(*arguments), code, err=r"^catmint: .*notes\.txt:1: it is no JSON, expected ", out="")
        self.expect(support.Run("merge", text, "--out", self.folder / "m"), 3, err=r"notes\.txt: it is not a directory, expected that of a sweep$", out="")
        self.expect(support.Run("analyze", text), 3, err=r"notes\.txt:1: it is no measurement table, .*: column 1 is 'catmint finds this', expected 'event'$", out="")

    def test_near_names_are_offered(self):
        for arguments, words in ((["FP_ARITH_INST_RETIRED:SCALAR_DUBLE"], "did you mean 'FP_ARITH_INST_RETIRED:SCALAR_DOUBLE'"),
                                 (["--metric", "dp opz."], "did you mean 'DP Ops.'"), (["PAPI_DP_OP"], "did you mean 'PAPI_DP_OPS'"), (["DP_OPS"], "is a metric, not an event; --metric 'DP_OPS' explains it"),
                                 (["DP Ops."], "is a metric, not an event; --metric 'DP Ops.' explains it"),
                                 (["MADE_UP:SUM_SCALAR", "NOTHING_LIKE_IT"], "no event 'NOTHING_LIKE_IT' in these results$")):
            self.expect(explain("cpu-flops", *arguments), 3, err=words, out="")
        self.expect(support.Run("analyze", "--benchmark", "brunch", support.RECORDED["branch"]), 2, err="did you mean 'branch'")
        self.expect(support.Run("discover", "--pmu", "software", "--benchmark", "brunch"), 2, err="did you mean 'branch'")
        self.expect(support.Run("events", "--pmu", "software:golden-cave"), 2, err="did you mean 'golden-cove'")

    def test_colour_is_asked_for(self):
        for options, coloured in (((), False), (("--color", "always"), True), (("--color", "never"), False), (("--color", "auto"), False)):
            run = self.expect(explain("cpu-flops", "MADE_UP:SUM_SCALAR", *options), 0, err="")
            self.assertEqual("\x1b[" in run.out, coloured, str(options))
        self.expect(explain("cpu-flops", "MADE_UP:SUM_SCALAR", "--color", "green"), 2, err="expected auto, always or never", out="")


class Events(support.Case):
    def test_every_status_has_its_reason(self):
        rows = [
            ("cpu-flops", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "selected", "definitions may use it"),
            ("cpu-flops", "MADE_UP:COPY_OF_SCALAR_DOUBLE", "dependent", "the same as FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"),
            ("cpu-flops", "MADE_UP:SUM_SCALAR", "dependent", "it is a combination of selected events"),
            ("cpu-flops", "MADE_UP:CYCLES_3", "noisy", "differ by 0.000789, more than tau = 1e-10"),
            ("cpu-flops", "MADE_UP:CYCLES_1", "noisy", "more than tau"),
            ("branch", "MADE_UP:CYCLES_1", "unrepresentable", "that the kernels do not control"),
        ]
        for benchmark, event, status, reason in rows:
            with self.subTest(event=event):
                document = self.expect(explain(benchmark, event, "--format", "json"), 0, err="").json()
                self.assertEqual(document["schema"], "catmint.explain/1")
                entry, = document["events"]
                self.assertEqual((entry["event"], entry["status"], entry["benchmark"]), (event, status, benchmark))
                self.assertIn(reason, entry["reason"])
                self.assertEqual(entry["selected_as"] is not None, status == "selected")
                people = self.expect(explain(benchmark, event, COLUMNS="300"), 0, err="").out
                self.assertIn(entry["reason"], people)
                self.assertIn(f"Event         {event}, in benchmark {benchmark}\n", people)

    def test_zero_is_said_without_a_spread(self):
        """Strays of a neighbour are named, and their repetitions are no noise of the event's."""
        head, *rows = support.measurements("branch", {"COND": {"CR": 1}, "NOTHING": {}, "STRAY": {}}, 3).splitlines()
        rows = [row.split(",") for row in rows]
        rows = [[*row[:3], *(str(float(count) * 1e6 + (row[:2] == ["STRAY", "1"] and 3 * (i == 2))) for i, count in enumerate(row[3:]))] for row in rows]
        table = "\n".join([head, ",".join(["iterations", "0", "0", *["1000000"] * (len(rows[0]) - 3)]), *map(",".join, rows)])
        path = self.write("t.csv", table + "\n")
        for event, reason in (("NOTHING", "it counted nothing on the kernels"), ("STRAY", "it counted nothing but a few strays on the kernels")):
            run = support.Run("explain", event, path, "--benchmark", "branch", "--basis", support.SOURCE / "bases/paper/branch.csv", COLUMNS="200")
            self.expect(run, 0, err="", out=rf"^Status +zero, not selected: {reason} that definitions are fitted to$")
            self.assertNotIn("Noise", run.out)

    def test_what_is_below_alpha_is_told_all_the_same(self):
        path = self.write("t.csv", support.measurements("dcache", {"LOADS": {"L1_DM": 1, "L1_DH": 1},
                                                                   "FEW": {"L1_DM": 0.02, "L1_DH": 0.02}}))
        entry, = support.Run("explain", "--method", "paper", "FEW", path, "--benchmark", "dcache", "--format", "json").json()["events"]
        self.assertEqual({part["symbol"]: part["coefficient"] for part in entry["representation"]},
                         {"L1_DM": 0.02, "L1_DH": 0.02})
        self.assertIn("rounding to alpha = 0.05 leaves nothing", entry["reason"])

    def test_what_it_measures(self):
        entry, = explain("cpu-flops", "MADE_UP:SUM_SCALAR", "--format", "json").json()["events"]
        self.assertEqual({part["symbol"]: part["coefficient"] for part in entry["representation"]},
                         {"S_SCAL": 1, "D_SCAL": 1, "S_FMA_SCAL": 2, "D_FMA_SCAL": 2})
        self.assertEqual(entry["representation"][0]["words"], "scalar instructions other than FMA in single precision")
        people = explain("cpu-flops", "MADE_UP:SUM_SCALAR", COLUMNS="200").out
        self.assertRegex(people, r"(?m)^In words +S_SCAL: scalar instructions other than FMA in single precision\n +D_SCAL: ")
        self.assertEqual({part["event"]: part["coefficient"] for part in entry["combination"]},
                         {"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE": 1, "FP_ARITH_INST_RETIRED:SCALAR_SINGLE": 1})
        self.assertEqual(entry["disagrees"], [])

    def test_equivalents_are_ordered_by_noise(self):
        entry, = explain("dcache", "MEM_LOAD_RETIRED:L1_MISS", "--format", "json").json()["events"]
        self.assertIn("MADE_UP:COPY_OF_L1_MISS", [other["event"] for other in entry["equivalents"]])
        for name in ("MEM_LOAD_RETIRED:L1_HIT", "L2_RQSTS:DEMAND_DATA_RD_HIT"):
            entry, = explain("dcache", name, "--format", "json").json()["events"]
            noises = [other["max_rnmse"] for other in entry["equivalents"]]
            self.assertTrue(noises)
            self.assertEqual(noises, sorted(noises))

    def test_constant_overhead_is_recognised_and_used_when_asked_for(self):
        rows = [("MADE_UP:INSTRUCTIONS", 4, 16), ("MADE_UP:ONE_AN_ITERATION", 1, 0), ("MADE_UP:SUM_SCALAR", 0, 4)]
        for event, offset, symbols in rows:
            entry, = explain("cpu-flops", event, "--format", "json").json()["events"]
            self.assertAlmostEqual(entry["offset"], offset, places=9)
            self.assertEqual(entry["status"] == "unrepresentable", offset != 0)
            self.assertEqual(len(entry["representation"]), symbols)
            self.assertEqual(entry["disagrees"], [])
        people = explain("cpu-flops", "MADE_UP:INSTRUCTIONS", COLUMNS="300").out
        self.assertIn("it counts a constant 4 per iteration", people)
        self.assertRegex(people, r"(?m)^Measures +1 x S_SCAL .*\n +and a constant 4 per iteration\nIn words ")
        people = explain("cpu-flops", "MADE_UP:ONE_AN_ITERATION", COLUMNS="300").out
        self.assertIn("and none of the ideal events; such events", people)
        self.assertRegex(people, r"(?m)^Measures +a constant 1 per iteration, and nothing else\nResidual +the ideal events do not explain 0 % of the counts")
        options = ("--benchmark", "cpu-flops", "--only", "MADE_UP:INSTRUCTIONS", "--only", "FP_*", "--format", "json")
        for asked in (False, True):
            run = support.Run("analyze", "--method", "paper", support.RECORDED["cpu-flops"], *options, *["--with-offset"] * asked)
            entry = support.benchmark(run.json(), "cpu-flops")
            self.assertEqual("MADE_UP:INSTRUCTIONS" in entry["selected"], asked)
            used = [metric for metric in entry["metrics"] if "MADE_UP:INSTRUCTIONS" in support.definition(metric)]
            for metric in used:
                weight = support.definition(metric)["MADE_UP:INSTRUCTIONS"]
                self.assertAlmostEqual(metric["constant"], -4 * weight, places=9)

    def test_kernels_that_disagree(self):
        entry, = explain("branch", "MADE_UP:CYCLES_1", "--format", "json").json()["events"]
        self.assertGreater(len(entry["disagrees"]), 0)
        for kernel in entry["disagrees"]:
            self.assertNotAlmostEqual(kernel["counted"], kernel["represented"])

    def test_what_is_not_there(self):
        self.expect(explain("branch", "NO_SUCH"), 3, err=r"^catmint: there is no event 'NO_SUCH' in these results$", out="")
        self.expect(explain("branch", "--metric", "Joy"), 3, err=r"^catmint: there is no metric 'Joy'", out="")
        self.write("branch.csv", support.RECORDED["branch"].read_text())
        self.write("events.csv", "event,component,status,reason,hint,description\nGONE,x,unavailable,refused,,\n")
        self.expect(support.Run("explain", "--method", "paper", "GONE", self.folder), 3, err="^catmint: event 'GONE' could not be counted: refused$")


class Unmeasured(support.Case):
    def test_metrics_of_which_nothing_was_measured_refute_nothing(self):
        sweep = self.folder / "sweep"
        swept = support.Run("sweep", "--pmu", "software:golden-cove", *support.software_alone(), "--benchmark", "cpu-flops", "--repetitions", "2", "--out", sweep,
                            CATMINT_WITHOUT_ISA="AVX512-FP16")
        if swept.code == 4:
            self.skipTest(swept.err.strip())
        self.expect(swept, 0)
        run = self.expect(support.Run("explain", "INST_RETIRED:ANY", sweep), 0, out=r"^Event +INST_RETIRED:ANY")
        self.assertNotRegex(run.out, r"\bnan\b|not HP Instrs")


class Metrics(support.Case):
    def test_text_is_short_unless_asked_for(self):
        """A definition of 24 symbols: at most 40 lines, all of them with --verbose, and the same JSON."""
        short, whole = (self.expect(support.Run("explain", "--metric", "DP Ops.", support.RECORDED["cpu-flops"], "--benchmark", "cpu-flops", *more), 0, err="").out
                        for more in ((), ("--verbose",)))
        self.assertLessEqual(len(short.splitlines()), 40)
        self.assertRegex(short, r"\nMore +--verbose lists all of it\n\Z")
        self.assertNotIn("--verbose", whole)
        self.assertGreater(len(whole.splitlines()), len(short.splitlines()))
        self.assertIn("D_FMA_512: the metric has 16", " ".join(whole.split()))

    def test_definition_and_what_it_misses(self):
        entry, = explain("cpu-flops", "--metric", "DP FMA Instrs.", "--format", "json").json()["metrics"]
        self.assertFalse(support.usable(entry))
        self.assertIn("miss 44.7 % of the metric", entry["reason"])
        self.assertEqual({part["coefficient"] for part in entry["definition"]}, {0.8})
        missed = {part["symbol"]: round(part["coefficient"], 9) for part in entry["missed"]}
        self.assertEqual((missed["D_SCAL"], missed["D_FMA_SCAL"]), (-0.8, 0.4))
        entry, = explain("dcache", "--metric", "L1 Hits", "--format", "json").json()["metrics"]
        self.assertTrue(support.usable(entry))
        self.assertEqual(entry["missed"], [])
        term, = entry["definition"]
        self.assertEqual([other["event"] for other in term["equivalents"]], ["MADE_UP:L1_HIT_TIMES_2"])
        self.assertLess(term["interval"][0], term["solved"])
        people = explain("dcache", "--metric", "L1 Hits").out
        self.assertRegex(people, r"(?m)^Definition +1 x MEM_LOAD_RETIRED:L1_HIT$")
        self.assertRegex(people, r"(?m)^Stable, alpha +the same from ")


if __name__ == "__main__":
    support.main()
