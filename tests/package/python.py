"""The Python package against the program: the same metrics, and the same values of the same counts."""

import json
import pathlib
import tempfile
import unittest

import support

import catmint

try:
    import pandas
except ImportError:
    pandas = None


class Results(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.path = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "results.json"
        run = support.Run("discover", "--pmu", "software:golden-cove", "--benchmark", "cpu-flops,branch", "--repetitions", "2",
                          "--programs", "0", "--format", "json", *support.software_alone(), CATMINT_WITHOUT_ISA="AVX512-FP16")
        assert run.code == 0, str(run)
        cls.path.write_text(run.out)
        cls.document = run.json()
        cls.results = catmint.load(cls.path)

    def counts(self):
        """A count for each event, none like another."""
        return {event["event"]: 1000 + 17 * number for number, event in enumerate(
            event for benchmark in self.document["benchmarks"] for event in benchmark["events"])}


class Package(Results):
    def test_metrics_are_those_of_the_document(self):
        expected = [metric for benchmark in self.document["benchmarks"] for metric in benchmark["metrics"]]
        self.assertEqual([metric.document for metric in self.results], expected)
        self.assertEqual(self.results.benchmarks, ["cpu-flops", "branch"])
        found = self.results["DP Ops."]
        self.assertIs(self.results["PAPI_DP_OPS"], found)
        self.assertEqual({term.event: term.coefficient for term in found.terms},
                         support.definition(support.metric(self.document, "cpu-flops", "DP Ops.")))
        self.assertRegex(str(found), r"^DP Ops\. = 1 x FP_ARITH_INST_RETIRED:SCALAR_DOUBLE \+ 2 x ")

    def test_values_are_the_programs(self):
        """`catmint evaluate` computes by itself what an export of the definitions yields."""
        formulas, table = self.folder / "formulas.csv", self.folder / "counts.csv"
        self.assertIn(support.Run("export", self.path, "--to", "csv", "--output", formulas).code, (0, 1))
        table.write_text("event,first,second\n" + "".join(f"{event},{count},{3 * count}\n" for event, count in self.counts().items()))
        values = self.expect(support.Run("evaluate", formulas, "--counts", table, "--format", "json"), 0).json()
        runs = catmint.read_counts(table)
        self.assertEqual(list(runs), values["runs"])
        self.assertEqual(len(values["metrics"]), len(self.results.usable))
        for entry in values["metrics"]:
            for run, value in zip(runs, entry["values"]):
                self.assertAlmostEqual(self.results[entry["metric"]].evaluate(runs[run]) / value, 1, places=14)

    def test_counts_of_a_program(self):
        terms = self.results["DP Ops."].terms
        value = {"lowest": 5, "highest": 5, "repetitions": 1, "repetitions_error": None}
        document = {"schema": "catmint.count/1", "pmu": "hardware", "command": "true", "scopes": [
            {"scope": scope, "number": number, "name": "", "metrics": [{"metric": "DP Ops.", "definition_error": 0, "value": 7, **value}],
             "events": [{"event": term.event, "value": number + 2, **value} for term in terms]}
            for scope, number in (("program", 0), ("thread", 1))]}
        counts = catmint.load_counts(document)
        total = sum(term.coefficient for term in terms)
        self.assertEqual(self.results["DP Ops."].evaluate(counts.events()), 2 * total)
        self.assertEqual(self.results["DP Ops."].evaluate(counts.events("thread", 1)), 3 * total)
        self.assertEqual([(row["scope"], row["metric"], row["value"]) for row in counts.rows()],
                         [("program", "DP Ops.", 7), ("thread", "DP Ops.", 7)])

    def test_what_the_program_counts_can_be_read(self):
        run = support.Run("count", "--pmu", "software:golden-cove", "--results", self.path, "--metrics", "DP Ops.,All Branches",
                          "--format", "json", "--output", self.folder / "counts.json", "--", "/bin/true")
        if run.code == 125:
            self.skipTest(run.err.strip())
        counts = catmint.load_counts(self.folder / "counts.json")
        self.assertEqual([row["value"] for row in counts.rows()],
                         [self.results[name].evaluate(counts.events()) for name in ("DP Ops.", "All Branches")])

    def test_what_does_not_hold_is_refused(self):
        refused = next(metric for metric in self.results if metric.terms and not metric.usable)
        with self.assertRaisesRegex(catmint.NotComposable, "is not composable: "):
            refused.evaluate(self.counts())
        self.assertIsNotNone(refused.evaluate(self.counts(), anyway=True))
        empty = next(metric for metric in self.results if not metric.terms)
        with self.assertRaisesRegex(catmint.NotComposable, "has no definition"):
            empty.evaluate(self.counts(), anyway=True)

    def test_events_that_lack_are_named(self):
        counts = self.counts()
        del counts["FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"]
        with self.assertRaises(catmint.MissingEvents) as raised:
            self.results["DP Ops."].evaluate(counts)
        self.assertEqual(raised.exception.events, ["FP_ARITH_INST_RETIRED:SCALAR_DOUBLE"])
        rows = {row["metric"]: row for row in self.results.evaluate(counts)}
        self.assertEqual((rows["DP Ops."]["value"], rows["DP Ops."]["missing"]), (None, raised.exception.events))
        self.assertEqual(rows["All Branches"]["missing"], [])
        self.assertEqual(rows.keys(), {metric.name for metric in self.results.usable})

    def test_rows_are_flat_and_alike(self):
        for rows in (self.results.metric_rows(), self.results.term_rows(), self.results.event_rows(), self.results.representation_rows()):
            self.assertGreater(len(rows), 10)
            for row in rows:
                self.assertEqual(row.keys(), rows[0].keys())
                self.assertTrue(all(value is None or isinstance(value, (str, bool, int, float)) for value in row.values()), row)
        self.assertEqual(len(self.results.term_rows()), sum(len(metric.terms) for metric in self.results))

    def test_unknown_metrics(self):
        with self.assertRaisesRegex(catmint.Error, "there is no metric 'DP Op'; near it are DP Ops."):
            self.results["DP Op"]  # pylint: disable=pointless-statement
        for name in ("", None):
            with self.assertRaisesRegex(catmint.Error, "there is no metric"):
                self.results.metric(name)

    def test_two_of_a_name(self):
        document = json.loads(self.path.read_text())
        document["benchmarks"].append(document["benchmarks"][1] | {"benchmark": "another"})
        results = catmint.load(document)
        with self.assertRaisesRegex(catmint.Error, "'All Branches' of branch and 'All Branches' of another"):
            results.metric("All Branches")
        self.assertEqual(results.metric("All Branches", "another").benchmark, "another")

    def test_wrong_files(self):
        for text, fault in (("{", "this is no JSON"), ("[]", "the schema is None"), ('{"schema": "catmint.lint/1"}', "the schema is 'catmint.lint/1'")):
            with self.assertRaisesRegex(catmint.Error, fault):
                catmint.load(self.write("wrong.json", text))
        for text in ("", "event\n", "event,a,a\nx,1,2\n", "event,a\nx\n", "event,a\nx,many\n", "event,a\nx,inf\n"):
            with self.assertRaises(catmint.Error, msg=text):
                catmint.read_counts(self.write("wrong.csv", text))

    def test_version(self):
        self.assertEqual(f"catmint {catmint.__version__}\n", support.Run("--version").out.replace("-rc", "rc"))


@unittest.skipIf(pandas is None, "python3-pandas is not installed")
class Pandas(Results):
    def test_pandas(self):
        frame = pandas.DataFrame(self.results.term_rows())
        self.assertEqual(frame[frame.metric == "DP Ops."].coefficient.sum(), 15)
        runs = pandas.DataFrame([self.counts(), {event: 2 * count for event, count in self.counts().items()}])
        values = self.results["DP Ops."].evaluate(runs)
        self.assertEqual(values[1], 2 * values[0])


if __name__ == "__main__":
    support.main()
