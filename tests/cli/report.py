"""The page of `catmint report` has what the results have, whatever they are called, and `catmint diff` finds what differs."""

import json
import xml.etree.ElementTree

import documents
import report_page
import support
from report_page import number, shown


def without(text, *names):
    return {name: value for name, value in text.items() if name not in names}


class Contents(support.Case):
    """Everything of the document is in the page, and nothing else."""

    @classmethod
    def setUpClass(cls):
        cls.document = support.sapphire_rapids()

    def check_terms(self, card, metric):
        terms = [item for item in card.all("li")]
        self.assertEqual([item.first(css="name").text for item in terms], [shown(term["event"]) for term in metric["definition"]])
        for item, term in zip(terms, metric["definition"]):
            found = number(item.first(css="factor").text.removesuffix("\u00d7"))
            self.assertAlmostEqual(found, term["coefficient"], delta=1e-4 * abs(term["coefficient"]))

    def check_kernels(self, card, benchmark, metric):
        check = metric["check"]
        rows = [[cell.text for cell in row.all("td")] for row in card.first("table").all("tr")][1:]
        self.assertEqual([row[0] for row in rows], [shown(kernel) for kernel in benchmark["kernels"]])
        for row, expected, value in zip(rows, check["expected"], check["rounded"]):
            self.assertAlmostEqual(number(row[1]), expected, delta=1e-4 * abs(expected))
            self.assertAlmostEqual(number(row[2]), value, delta=1e-4 * abs(value) + 1e-9)
        marks = [mark for mark in card.first("svg").all(css="m") if "data-kernel" in mark.attributes]
        self.assertEqual(len(marks), len(benchmark["kernels"]))

    def check_metric(self, card, benchmark, metric):
        self.assertEqual(card.first("h3").text, shown(metric["metric"]))
        self.assertEqual(card.first("p").text, shown(metric.get("description", "")))
        verdict = card.first(css="badge").text
        self.assertEqual(verdict in ("composable", "in a range"), support.usable(metric))
        self.assertEqual(verdict == "in a range", bool(metric["valid_above"]))
        self.check_terms(card, metric)
        if metric["check"] is not None:
            self.check_kernels(card, benchmark, metric)
        self.assertEqual(card.first("details", css="exports") is not None, support.usable(metric))

    def check_events(self, section, benchmark, most=20000):
        rows = [row for row in section.all("tr") if "data-event" in row.attributes]
        self.assertEqual(len(rows), min(most, len(benchmark["events"])))
        for row in rows:
            event = benchmark["events"][int(row.attributes["data-event"])]
            cells = [cell.text for cell in row.all("td")]
            self.assertEqual(cells[:2], [shown(event["event"]), event["status"]])
            self.assertAlmostEqual(number(cells[2]), event["max_rnmse"], delta=0.01 * event["max_rnmse"])
            self.assertEqual(cells[4], shown(event["equivalent_to"] or ""))

    def check_noise(self, page, section, benchmark):
        plot = page.plot(section, "noise of the events")
        marks = [mark for mark in plot.all(css="m") if "data-event" in mark.attributes]
        bars = [int(mark.attributes["data-count"]) for mark in plot.all(css="m") if "data-count" in mark.attributes]
        self.assertEqual(len(marks) + sum(bars), len(benchmark["events"]))
        for mark in marks:
            event = benchmark["events"][int(mark.attributes["data-event"])]
            self.assertTrue(mark.first("title").text.startswith(f"{shown(event['event'])}: {event['status']}, noise "))
            self.assertIn(event["status"], mark.classes)
        places = [float(mark.attributes["d"].removeprefix("M").split()[0]) for mark in marks]
        noise = [benchmark["events"][int(mark.attributes["data-event"])]["max_rnmse"] for mark in marks]
        self.assertEqual(sorted(places), places)
        self.assertEqual(sorted(noise), noise)
        return marks, bars

    def check_map(self, page, section, benchmark):
        plot = page.plot(section, "counts of events by symbol")
        kept = [event for event in benchmark["events"] if event["status"] in ("selected", "dependent")]
        for mark in plot.all(css="m"):
            if "data-event" in mark.attributes:
                self.assertIn(benchmark["events"][int(mark.attributes["data-event"])]["status"], ("selected", "dependent"))
        names = [text.first("title").text if text.first("title") else text.text for text in plot.all("text", css="name")]
        events = [shown(event["event"]) for event in kept]
        self.assertEqual(names[len(benchmark["symbols"]):][:len(benchmark["selected"])],
                         [shown(event) for event in benchmark["selected"]])
        self.assertEqual(sorted(names), sorted([shown(symbol) for symbol in benchmark["symbols"]] + events[:60]))

    def check(self, page, document, view=0):
        for number_of, benchmark in enumerate(document["benchmarks"]):
            section = page.benchmark(view, number_of)
            self.assertEqual(section.first("h2").text, shown(benchmark["benchmark"]))
            for i, metric in enumerate(benchmark["metrics"]):
                with self.subTest(metric["metric"]):
                    self.check_metric(page.metric(view, number_of, i), benchmark, metric)
            self.check_events(section, benchmark)
            self.check_noise(page, section, benchmark)
            self.check_map(page, section, benchmark)

    def check_alone(self, page):
        """Nothing is loaded, and nothing but the page's own script runs."""
        for element in page.root.all():
            for name, value in element.attributes.items():
                self.assertFalse(name.startswith("on"), name)
                if name in ("src", "href", "action", "data", "srcset"):
                    self.assertRegex(value, r"^#[\w-]+$")
        self.assertEqual(len(list(page.root.all("script"))), 1)
        self.assertEqual([element.tag for element in page.root.all() if element.tag in ("img", "b", "i", "iframe", "link")], [])
        self.assertNotRegex("".join(style.text for style in page.root.all("style")), r"url\(|@import")
        names = [element.attributes["id"] for element in page.root.all() if "id" in element.attributes]
        self.assertEqual(len(names), len(set(names)))
        for link in page.root.all("a"):
            self.assertIn(link.attributes["href"][1:], names)

    def test_texts_and_marks_are_those_of_the_results(self):
        page = report_page.make(self, self.document)
        self.check(page, self.document)
        self.check_alone(page)
        composable = sum(support.usable(metric) for benchmark in self.document["benchmarks"] for metric in benchmark["metrics"])
        self.assertIn(f"{composable} of ", page.root.first(css="lead").text)

    def test_names_that_are_markup_are_text(self):
        document = report_page.hostile(self.document)
        page = report_page.make(self, document)
        self.check(page, document)
        self.check_alone(page)
        for row in document["unavailable"]:
            self.assertIn(shown(row["event"]), page.root.first("section", id="unavailable-0").text)
        for text in document["findings"][0].values():
            self.assertIn(shown(text), page.root.first("section", id="unavailable-0").text + "x stops")
        facts = [fact.text for fact in page.root.first("dl", css="facts").all("dd")]
        for value in (document["pmu"], document["pmu_reason"], *document["machine"].values()):
            if isinstance(value, str):
                self.assertIn(shown(value), facts)

    def test_many_events(self):
        document = report_page.many(self.document, 30000)
        page = report_page.make(self, document)
        marks, bars = self.check_noise(page, page.benchmark(0, 0), document["benchmarks"][0])
        self.assertEqual({"selected"}, {document["benchmarks"][0]["events"][int(mark.attributes["data-event"])]["status"] for mark in marks})
        self.assertGreater(len(bars), 600)
        rows = [row for row in page.root.all("tr") if "data-event" in row.attributes]
        self.assertLessEqual(len(rows), 20000)
        self.assertLess(len(page.source), 5e6)
        named = {row.attributes["data-event"] for row in page.benchmark(0, 0).all("tr") if "data-event" in row.attributes}
        self.assertTrue(all(str(i) in named for i, event in enumerate(document["benchmarks"][0]["events"])
                            if event["status"] in ("selected", "dependent")))
        self.assertRegex(page.benchmark(0, 0).text, r"\d+ of 30000 events are named here")

    def test_older_documents_have_less(self):
        document = json.loads(json.dumps(self.document))
        document.pop("unavailable")
        for benchmark in document["benchmarks"]:
            benchmark["metrics"] = [without(metric, "check", "controls", "resolution", "confounded_with", "also_counts", "refused",
                                            "validation", "description", "measurable") for metric in benchmark["metrics"]]
            benchmark["metrics"] = [metric | {"check": None} for metric in benchmark["metrics"]]
        self.check(report_page.make(self, document), document)

    def test_exports_are_those_of_the_writers(self):
        page = report_page.make(self, self.document, "results.json", "--cpu", "spr")
        whole = {name: support.Run("export", self.folder / "results.json", "--to", name, *cpu).out
                 for name, cpu in (("papi", ("--cpu", "spr")), ("perf", ()))}
        presets = [line for line in whole["papi"].splitlines() if line.startswith("PRESET")]
        texts = {copy.attributes["id"]: copy.text for copy in page.root.all("pre")}
        copied = [text for name, text in texts.items() if name.endswith("-papi")]
        self.assertEqual([line for text in copied for line in text.splitlines() if line.startswith("PRESET")], presets)
        self.assertTrue(all("CPU,spr\n" in text for text in copied))
        metrics = [metric for name, text in texts.items() if name.endswith("-perf") for metric in json.loads(text)]
        self.assertEqual(metrics, json.loads(whole["perf"]))
        self.assertTrue(any("EVENTSET" in text for name, text in texts.items() if name.endswith("-likwid")))
        for button in page.root.all("button"):
            self.assertIn(button.attributes["data-copy"], texts)


class Validated(support.Case):
    """What stands beside a definition."""

    def test_proofs_are_shown(self):
        document = support.sapphire_rapids()
        metrics = document["benchmarks"][1]["metrics"]
        metrics[0]["validation"] = {"programs": 16, "seed": 1, "failed": 2, "worst": 0.25, "median": 0.001, "refuted_by": None}
        metrics[1]["validation"] = {"programs": 12, "seed": 1, "failed": 12, "worst": 0.5, "median": 0.3,
                                    "refuted_by": "program-3 (<b>32 loads</b>)"}
        metrics[1]["composable"] = False
        metrics[1]["workloads"] = {"programs": 9, "seed": 0, "failed": 0, "worst": 0.01, "median": 0.0, "refuted_by": None}
        metrics[2]["controls"] = {"kernels": 125, "worst": 0.02}
        metrics[2]["refused"] = "counts 0 of <CE>, the metric has 1"
        metrics[2]["also_counts"] = ["minima & maxima"]
        metrics[2]["confounded_with"] = ["<i>", "<i>"]
        metrics[3]["confounded_with"] = ["a fact " * 20, "another " * 20]
        page = report_page.make(self, document)
        self.assertIn("within the limit in 14 of 16; median off by 0.1 %, worst by 25 %", page.metric(0, 1, 0).text)
        self.assertEqual(page.metric(0, 1, 1).first(css="badge").text, "refuted")
        self.assertIn("in workloadswithin the limit in 9 of 9; median off by 0 %, worst by 1 %", page.metric(0, 1, 1).text.replace("\n", ""))
        self.assertIn("Refuted; the worst is program-3 (<b>32 loads</b>)", page.metric(0, 1, 1).text)
        for text in ("125, worst off by 2 %", "counts 0 of <CE>, the metric has 1", "minima & maxima", "<i>; <i>"):
            self.assertIn(text, page.metric(0, 1, 2).text)
        self.assertEqual(page.metric(0, 1, 3).first("dl").first("summary").text, "2 entries")
        plot = page.plot(page.benchmark(0, 1), "programs not used for fitting")
        titles = [mark.first("title").text for mark in plot.all(css="m") if mark.first("title") is not None]
        self.assertEqual([title.rpartition(":")[2] for title in titles],
                         [" the worst of 16 programs off by 25 %", " the median of 16 programs off by 0.1 %",
                          " the worst of 12 programs off by 50 %", " the median of 12 programs off by 30 %"])
        self.assertIn("1 was refuted there", page.root.first(css="lead").text)

    def test_programs_expected_against_measured(self):
        document = support.sapphire_rapids()
        outcomes = [{"program": f"program-{i}", "expected": 1000.0 * i, "range": 0, "measured": 1000.0 * i + 100 * (i == 3)} for i in range(1, 5)]
        document["benchmarks"][1]["metrics"][0]["validation"] = {"programs": 4, "seed": 1, "failed": 1, "worst": 0.03, "median": 0, "refuted_by": None,
                                                                 "outcomes": outcomes}
        page = report_page.make(self, document, "results.json", "--plots", self.folder / "plots")
        plot = page.plot(page.benchmark(0, 1), "expected against measured")
        marks = [(mark.first("title").text, "off" in mark.attributes["class"].split()) for mark in plot.all(css="m") if mark.first("title") is not None]
        name = document["benchmarks"][1]["metrics"][0]["metric"]
        self.assertEqual(marks, [(f"{name}, program-{i}: expected {i}000, measured {i * 1000 + 100 * (i == 3)}", i == 3) for i in range(1, 5)])
        rows = [[cell.text for cell in row.all("td")] for row in page.benchmark(0, 1).all("tr")]
        self.assertIn([name, "program-3", "3000", "3100", "off"], rows)
        self.assertTrue((self.folder / "plots/branch-programs.svg").is_file())

    def test_audits(self):
        results = self.write("results.json", json.dumps(support.sapphire_rapids()))
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nDP Ops.,FP_ARITH_INST_RETIRED:SCALAR_DOUBLE,,\n")
        audit = self.folder / "audit.json"
        support.Run("audit", formulas, "--against", results, "--format", "json", "--output", audit)
        entry = json.loads(audit.read_text())["formulas"][0]
        page = self.folder / "page.html"
        self.expect(support.Run("report", results, "--audit", audit, "--output", page), 0, err="", out="")
        section = report_page.Page(page).root.first("section", id="audits-0")
        row = [cell.text for cell in list(section.all("tr"))[1].all("td")]
        self.assertEqual(row[:2] + row[4:5], [entry["metric"], entry["verdict"], entry["formula"]])
        self.assertIn(entry["numerator"]["measures"], row[3])
        self.expect(support.Run("report", results, "--audit", results, "--output", page), 3,
                    r"^catmint: .*results\.json:\d+(:\d+)?: the document is no audit, expected the schema", out="")


class Plots(support.Case):
    """The same drawings in files."""

    def test_plots_are_those_of_the_page(self):
        plots = self.folder / "plots"
        document = report_page.hostile(support.sapphire_rapids())
        page = report_page.make(self, document, "results.json", "--plots", plots)
        files = sorted(path.name for path in plots.glob("*.svg"))
        drawn = [chunk.split("</svg>")[0] for chunk in page.source.split("<svg ")[1:]]
        self.assertEqual(len(files), len(drawn))
        for name in files:
            with self.subTest(name):
                text = (plots / name).read_text()
                root = xml.etree.ElementTree.fromstring(text)
                self.assertTrue(root.tag.endswith("svg"))
                head, _, rest = text.partition("<style>")
                alone = head.rstrip("\n") + rest.partition("</style>")[2]
                self.assertIn(alone.removeprefix("<svg ").split("</svg>")[0], drawn)
        # Again: those that are no more go, and what is not catmint's stays.
        (plots / "mine.txt").write_text("mine")
        report_page.make(self, document | {"benchmarks": document["benchmarks"][:1]}, "results.json", "--plots", plots)
        self.assertLess(len(list(plots.glob("*.svg"))), len(files))
        self.assertEqual((plots / "mine.txt").read_text(), "mine")


class Differences(support.Case):
    """diff, and pages of two results."""

    def setUp(self):
        super().setUp()
        self.document = support.sapphire_rapids()
        self.before = self.write("before.json", json.dumps(self.document))

    def after(self, change):
        document = json.loads(json.dumps(self.document))
        change(document)
        return self.write("after.json", json.dumps(document))

    def test_the_same(self):
        def change(document):
            for benchmark in document["benchmarks"]:
                for event in benchmark["events"]:
                    event["max_rnmse"] = (event["max_rnmse"] or 0) / 2
                for metric in benchmark["metrics"]:
                    metric["definition"].reverse()
        self.expect(support.Run("diff", self.before, self.before), 0, err="", out="")
        self.expect(support.Run("diff", self.before, self.after(change)), 0, err="", out="")

    def test_what_differs(self):
        def rename_term(document):
            document["benchmarks"][1]["metrics"][1]["definition"][0]["event"] = "</script><b>"

        def drop_metric(document):
            document["benchmarks"][0]["metrics"].pop()

        def drop_event(document):
            document["benchmarks"][0]["events"].pop(0)
            document["benchmarks"][0]["counts"]["measured"] -= 1

        rows = (
            (lambda document: document.update(pmu="hardware"), r"^all benchmarks\n  PMU\n    - unknown\n    \+ hardware$"),
            (lambda document: document["benchmarks"].pop(), r"^all benchmarks\n  benchmark dcache\n    - there\n    \+ not there$"),
            (lambda document: document["benchmarks"][1].update(tau=0.5), r"^branch\n  tau\n    - 1e-10\n    \+ 0.5$"),
            (lambda document: document["benchmarks"][1].update(tau=None), r"^  tau\n    - 1e-10\n    \+ no limit$"),
            (lambda document: document["benchmarks"][0]["metrics"][0].update(composable=False),
             r"^cpu-flops\n  verdict of metric SP Instrs\.\n    - composable\n    \+ not composable$"),
            (rename_term, r"^  definition of metric .*\n    - .*\n    \+ .* x </script><b>"),
            (drop_metric, r"^  metric .*\n    - not measurable\n    \+ not there$"),
            (lambda document: document["benchmarks"][0]["events"][0].update(status="avoided"), r"^  event .*\n    - \w+\n    \+ avoided$"),
            (drop_event, r"^  event .*\n    - \w+\n    \+ not there$"),
            (lambda document: document["benchmarks"][0]["kernels"].__setitem__(0, "other"), r"^  kernel other\n    - not there\n    \+ there$"),
        )
        for change, said in rows:
            with self.subTest(said):
                after = self.after(change)
                self.expect(support.Run("diff", self.before, after), 1, err="", out=said)
                self.expect(support.Run("diff", after, self.before), 1, err="")
                page = self.folder / "page.html"
                self.expect(support.Run("report", self.before, after, "--output", page), 0, err="", out="")
                found = report_page.Page(page).root.first("section", id="comparison")
                self.assertGreater(len(list(found.all("tr"))), 1)
                self.assertEqual(list(found.all("b")), [])

    def test_json(self):
        def change(document):
            document["pmu"] = "hardware"
            document["benchmarks"][0]["metrics"].pop()
        gone = self.document["benchmarks"][0]["metrics"][-1]["metric"]
        after = self.after(change)
        for operands, code in (((self.before, after), 1), ((self.before, self.before), 0)):
            document = self.expect(support.Run("diff", *operands, "--format", "json"), code, err="").json()
            self.assertEqual([document[name] for name in ("schema", "before", "after")], ["catmint.diff/1", *map(str, operands)])
            names = [(entry["subject"], entry["name"], entry["before"] is None, entry["after"]) for entry in document["differences"]]
            self.assertEqual(names, [] if code == 0 else [("PMU", None, False, "hardware"), ("metric", gone, False, None)])
            documents.hold(self, document)

    def test_events_that_are_not_listed_do_not_differ(self):
        def change(document):
            benchmark = document["benchmarks"][0]
            benchmark["events"] = [event for event in benchmark["events"] if event["status"] == "selected"]
        self.expect(support.Run("diff", self.before, self.after(change)), 0, err="", out="")

    def test_trouble(self):
        broken = self.write("broken.json", "{")
        rows = ((), (self.before,), (self.before, self.before, self.before), (self.before, broken), (self.folder / "none", self.before))
        for arguments in rows:
            with self.subTest(arguments):
                self.expect(support.Run("diff", *arguments), 2, r"^catmint: ", out="")

    def test_two_results_in_one_page(self):
        after = self.after(lambda document: document["benchmarks"][2]["metrics"].pop(0))
        page = self.folder / "page.html"
        plots = self.folder / "plots"
        self.expect(support.Run("report", self.before, after, "--output", page, "--plots", plots), 0, err="", out="")
        read = report_page.Page(page)
        self.assertEqual(len(list(read.root.all("article"))),
                         2 * sum(len(benchmark["metrics"]) for benchmark in self.document["benchmarks"]) - 1)
        self.assertIn("differ in 1 place.", read.root.first("section", id="comparison").text)
        self.assertEqual({path.name.split("-")[0] for path in plots.glob("*.svg")}, {"first", "second"})


class Trouble(support.Case):
    def test_wrong_usage_and_input(self):
        results = self.write("results.json", json.dumps(support.sapphire_rapids()))
        other = self.write("other.json", '{"schema": "catmint.audit/1"}')
        broken = self.write("broken.json", json.dumps(support.sapphire_rapids() | {"unavailable": [{"event": 1, "reason": ""}]}))
        page = self.folder / "page.html"
        rows = (
            ((), 2, r"^catmint: report needs at least one argument, DIR \| RESULTS\.json\.\.\."),
            ((results,), 2, r"^catmint: report needs --output FILE"),
            ((results, results, results, "--output", page), 2, r"^catmint: report needs one result, or two to compare"),
            ((results, "--output", page, "--plots", ""), 2, r"^catmint: --plots: expected a path"),
            ((results, "--output", page, "--audit", ""), 2, r"^catmint: --audit: expected a path"),
            ((other, "--output", page), 3, r"^catmint: .*other\.json:1:\d+: schema is a different one"),
            ((broken, "--output", page), 3, r"^catmint: .*broken\.json:1:\d+: unavailable\[0\]\.event is a number, expected a text$"),
            ((self.folder / "none.json", "--output", page), 3, r"^catmint: .*none\.json: cannot be opened: No such file"),
            ((results, "--output", self.folder / "none" / "page.html"), 4, r"^catmint: .*page\.html: cannot be written"),
            ((results, "--output", page, "--plots", results), 4, r"^catmint: .*results\.json"),
        )
        for arguments, code, said in rows:
            with self.subTest(said):
                self.expect(support.Run("report", *arguments), code, said, out="")

    def test_a_page_is_whole_or_as_it_was(self):
        results = self.write("results.json", json.dumps(support.sapphire_rapids()))
        self.expect(support.Run("report", results, "--output", "/dev/full"), 4, r"^catmint: .*writ", out="")
        page = self.write("page.html", "before")
        broken = self.write("broken.json", "{")
        self.expect(support.Run("report", broken, "--output", page), 3, out="")
        self.assertEqual(page.read_text(), "before")
        run = support.Run("report", results, "--output", "/dev/stdout")
        self.expect(run, 0, err="")
        self.assertTrue(run.out.startswith("<!DOCTYPE html>"))


if __name__ == "__main__":
    support.main()
