"""Definitions whose events cannot be counted as one event set: tried, told, left for others, and refused by exports."""

import json
import re
import shutil

import support

COUNTERS = {"ALL": "branches_cond + branches_uncond + branches_indirect + calls + returns", "COND": "branches_cond",
            "TAKEN": "branches_cond_taken", "MISP": "mispredicted_cond"}
NOT_TAKEN = "Conditional Branches Not Taken"
GOOD = "Conditional Branches Taken"


class Together(support.Case):
    def model(self, *rows, counters=0, **events):
        """A model with these events and rows of machine.csv; its third column is there for them."""
        self.write("model/events.csv", "event,description,expression\n" + "".join(
            f'{name},,"{expression}"\n' for name, expression in (COUNTERS | events).items()))
        machine = (support.SOURCE / "data/pmu/skylake/machine.csv").read_text()
        lines = [line for line in machine.splitlines() if not line.startswith(("#", "key", "counters"))]
        self.write("model/machine.csv", "\n".join(["key,value,other", *(f"{line}," for line in lines), f"counters,{counters},",
                                                   *(row + "," * (2 - row.count(",")) for row in rows)]) + "\n")
        return f"software:{self.folder / 'model'}"

    def discover(self, *rows, code=0, programs=0, **more):
        self.out, self.results = self.folder / "out", self.folder / "results.json"
        self.expect(support.Run("discover", "--pmu", self.model(*rows, **more), "--benchmark", "branch", "--repetitions", "2", "--out", self.out,
                                "--component", "sde", "--programs", str(programs), "--format", "json", "--output", self.results), code, out="")
        return json.loads(self.results.read_text())

    def metric(self, document, name=NOT_TAKEN):
        return support.metric(document, "branch", name)

    def explain(self, name=NOT_TAKEN):
        return support.Run("explain", self.out, "--metric", name).out


class Found(Together):
    def test_nothing_refuses(self):
        document = self.discover()
        for metric in support.benchmark(document, "branch")["metrics"]:
            for entry in ([metric] if support.usable(metric) else []) + metric["alternatives"]:
                self.assertEqual((entry["together"], entry["refuse_each_other"]), ("yes", []), entry)
        self.assertRegex(self.explain(), r"(?m)^Together +its events can be counted as one event set$")

    def test_no_other_definition(self):
        document = self.discover("conflict,TAKEN,COND")
        entry = self.metric(document)
        self.assertEqual((entry["together"], sorted(entry["refuse_each_other"]), support.usable(entry)), ("no", ["COND", "TAKEN"], True))
        self.assertEqual(self.metric(document, GOOD)["together"], "yes")
        said = r"cannot\s+be\s+counted\s+together:\s+COND,\s+TAKEN\s+refuse\s+each\s+other"
        self.assertRegex(self.explain(), r"(?m)^Together +" + said)
        self.assertRegex(support.Run("analyze", self.out).out, said)
        page = self.folder / "page.html"
        self.expect(support.Run("report", self.results, "--output", page), 0)
        self.assertRegex(page.read_text(), r"can be counted together</dt><dd[^>]*>no: COND, TAKEN refuse each other")
        again = support.Run("analyze", self.out, "--format", "json").json()
        self.assertEqual(self.metric(again)["together"], "no")
        paper = support.Run("analyze", self.out, "--method", "paper", "--format", "json").json()
        self.assertEqual(self.metric(paper)["together"], "no")

    def test_what_refuses_when_it_is_started(self):
        entry = self.metric(self.discover("fault,TAKEN,conflict", "fault,COND,conflict"))
        self.assertEqual((entry["together"], sorted(entry["refuse_each_other"])), ("no", ["COND", "TAKEN"]))

    def test_another_definition_wins(self):
        document = self.discover("conflict,COND,ALL", "conflict,COND,TAKEN", "conflict,COND,MISP", programs=4, NTAKEN="branches_cond - branches_cond_taken")
        for metric in support.benchmark(document, "branch")["metrics"]:
            if support.usable(metric):
                self.assertEqual(metric["together"], "yes", metric)
        predicted = self.metric(document, "Correctly Predicted Branches")
        # What is mispredicted is never the same twice, so a coefficient may be off by little.
        self.assertEqual({event: round(weight, 2) for event, weight in support.definition(predicted).items()}, {"TAKEN": 1, "NTAKEN": 1, "MISP": -1})
        self.assertTrue(support.usable(predicted))
        self.assertEqual(predicted["validation"]["failed"], 0)
        refused = [other for other in predicted["alternatives"] if other["together"] == "no"]
        self.assertEqual([sorted(other["refuse_each_other"]) for other in refused], [["COND", "MISP"]])
        self.assertRegex(self.explain("Correctly Predicted Branches"), r"(?m)^Or +1 x COND - 1 x MISP\n +cannot be counted together: COND, MISP")

    def test_equivalents_that_can_be_counted_come_first(self):
        document = self.discover("conflict,COND,TAKEN", "conflict,COND,TAKEN_2", TAKEN_2="2*branches_cond_taken", TAKEN_3="3*branches_cond_taken")
        entry = self.metric(document)
        self.assertEqual((entry["together"], support.definition(entry)), ("yes", {"COND": 1, "TAKEN_3": -1 / 3}))
        others = next(term for term in entry["definition"] if term["event"] == "TAKEN_3")["equivalents"]
        self.assertEqual({other["event"]: other["together"] for other in others}, {"TAKEN": "no", "TAKEN_2": "no"})
        self.assertRegex("\n".join(entry["confounded_with"]), r"(?m)^event TAKEN, which counts 0\.333333 x TAKEN_3 on every kernel$")

    def test_counters(self):
        self.assertEqual(self.metric(self.discover(counters=1))["together"], "no")
        self.assertEqual(self.metric(self.discover("fixed,TAKEN", counters=1))["together"], "yes")
        self.assertEqual(self.metric(self.discover(counters=2))["together"], "yes")


class Directory(Together):
    def test_sweep_alone(self):
        out = self.folder / "swept"
        pmu = self.model("conflict,TAKEN,COND")
        swept = ("sweep", "--pmu", pmu, "--benchmark", "branch", "--repetitions", "2", "--out", out, "--component", "sde")
        self.expect(support.Run(*swept), 0)
        entry = self.metric(support.Run("analyze", out, "--format", "json").json())
        self.assertEqual((entry["together"], sorted(entry["refuse_each_other"])), ("no", ["COND", "TAKEN"]))
        (out / "together.json").rename(out / "kept")
        unknown = self.metric(support.Run("analyze", out, "--format", "json").json())
        self.assertEqual((unknown["together"], unknown["refuse_each_other"]), ("unknown", []))
        self.expect(support.Run("validate", out, "--pmu", pmu, "--programs", "2"), 0)
        self.assertEqual(self.metric(support.Run("analyze", out, "--format", "json").json())["together"], "no")
        kept = json.loads((out / "kept").read_text())
        (out / "together.json").write_text(json.dumps(kept | {"sweep": "of another one"}))
        self.assertEqual(self.metric(support.Run("analyze", out, "--format", "json").json())["together"], "unknown")
        (out / "together.json").write_text(json.dumps(kept | {"sets": [{"events": ["COND"], "together": "no"}]}))
        self.expect(support.Run("analyze", out), 3, r"together\.json:1: is no record of events that were tried together")
        (out / "together.json").write_text('{"mine": true}\n')
        self.expect(support.Run("analyze", out), 0)
        self.expect(support.Run("validate", out, "--pmu", pmu, "--programs", "2"), 4, r"together\.json")
        self.assertEqual((out / "together.json").read_text(), '{"mine": true}\n')

    def test_a_table_alone(self):
        document = support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--method", "paper", "--format", "json").json()
        self.assertEqual(self.metric(document)["together"], "unknown")


class Exports(Together):
    def test_refused_by_name(self):
        self.discover("conflict,TAKEN,COND")
        refused = rf"^catmint: {NOT_TAKEN}: its events cannot be counted together: (COND, TAKEN|TAKEN, COND) refuse each other; --multiplex exports it$"
        for to, more in (("papi", ("--cpu", "GA100")), ("papi-user", ("--cpu", "GA100")), ("likwid", ())):
            with self.subTest(to):
                output = self.folder / to
                run = self.expect(support.Run("export", "--to", to, self.results, *more, "--output", output), 1, refused)
                self.assertNotIn(GOOD + ":", run.err)
                run = support.Run("export", "--to", to, self.results, *more, "--output", output, "--multiplex")
                self.assertNotIn("together", run.err)
                text = output.read_text() if output.is_file() else "".join(file.read_text() for file in output.glob("*.txt"))
                self.assertRegex(text, "its events cannot be counted together")
        for to in ("perf", "csv"):
            self.assertNotIn("together:", support.Run("export", "--to", to, self.results).err)

    def test_power10(self):
        """IBM's events of operations share a counter: PAPI has no PAPI_FP_OPS there for that."""
        self.results = self.folder / "power10.json"
        pmu = shutil.copytree(support.SOURCE / "data/pmu/power10", self.folder / "power10")
        machine = (pmu / "machine.csv").read_text()
        (pmu / "machine.csv").write_text(machine.replace("architecture,ppc64le,\n", ""))  # its counters are what matters
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "cpu-flops", "--repetitions", "2", "--programs", "0", "--component", "sde",
                          "--format", "json", "--output", self.results, CATMINT_WITHOUT_ISA="AVX,AVX2,AVX512F")
        if run.code == 4:
            self.skipTest(run.err.strip())
        self.expect(run, 0, err=None)
        operations = support.metric(json.loads(self.results.read_text()), "cpu-flops", "FP Ops.")
        self.assertEqual((support.usable(operations), operations["together"]), (True, "no"))
        self.assertLessEqual({(1, "PM_1FLOP_CMPL"), (2, "PM_2FLOP_CMPL"), (4, "PM_4FLOP_CMPL")},
                             {(round(weight, 3), event) for event, weight in support.definition(operations).items()})
        refused = r"(?m)^catmint: FP Ops\.: its events cannot be counted together: PM_.FLOP_CMPL, PM_.FLOP_CMPL refuse each other; --multiplex exports it$"
        run = self.expect(support.Run("export", "--to", "papi", "--cpu", "power10", self.results), 1, refused)
        self.assertNotIn("PAPI_FP_OPS,", run.out)
        self.assertIn("PAPI_FP_OPS,", support.Run("export", "--to", "papi", "--cpu", "power10", self.results, "--multiplex").out)

    def test_an_equivalent_must_be_countable(self):
        document = self.discover("conflict,COND,TAKEN_2", TAKEN_2="2*branches_cond_taken", TAKEN_3="3*branches_cond_taken")
        self.assertEqual(support.definition(self.metric(document)), {"COND": 1, "TAKEN": -1})
        for known, code, said in (("ALL\nCOND\nMISP\nTAKEN_2\n", 1, rf"{NOT_TAKEN}: event 'TAKEN' is not in \S+, nor is one that counts the same"),
                                  ("ALL\nCOND\nMISP\nTAKEN_2\nTAKEN_3\n", None, "")):
            listed = self.write("known.txt", known)
            run = support.Run("export", "--to", "papi", "--cpu", "GA100", self.results, "--known-events", listed)
            self.expect(run, 1, said or None)
            self.assertEqual(bool(re.search(r"PAPI_BR_NTK,.*TAKEN_3", run.out)), code is None, str(run))


class Groups(Together):
    TRIED, UNTRIED = "# all of its events were counted together", "# its events were not tried together"

    def groups(self, *options):
        """Of each file of LIKWID's its events, and its lines; and all metrics."""
        folder = self.folder / "groups"
        support.Run("export", "--to", "likwid", self.results, "--output", folder, *options)
        texts = [path.read_text().splitlines() for path in sorted(folder.glob("*.txt"))]
        return [({line.split()[1] for line in lines if line.startswith("PMC")}, lines) for lines in texts]

    def metrics(self, groups):
        return sorted(line.split(" PMC")[0] for _, lines in groups for line in lines[lines.index("METRICS"):lines.index("LONG")] if "PMC" in line)

    def test_one_group(self):
        document = self.discover()
        self.assertIn({"COND", "TAKEN"}, [set(entry["events"]) & {"COND", "TAKEN"} for entry in document["tried_together"] if entry["together"] == "yes"])
        (events, lines), = self.groups()
        self.assertEqual((events, self.TRIED in lines), (set(COUNTERS), True))
        del document["tried_together"]
        self.results.write_text(json.dumps(document))
        (events, lines), = self.groups()
        self.assertEqual((events, self.UNTRIED in lines), (set(COUNTERS), True))

    def test_definitions_that_refuse_each_other_are_parted(self):
        document = self.discover("conflict,TAKEN,COND")
        refusing = [sorted(entry["refuse_each_other"]) for entry in document["tried_together"] if entry["together"] == "no"]
        self.assertIn(["COND", "TAKEN"], refusing)
        parted = self.groups()
        self.assertGreater(len(parted), 1)
        for events, lines in parted:
            self.assertFalse({"COND", "TAKEN"} <= events, lines)
            self.assertIn(self.TRIED, lines)
        self.assertIn("# apart from group 1, because events of both refuse each other", parted[-1][1])
        (_, lines), = whole = self.groups("--multiplex")
        self.assertIn(self.UNTRIED, lines)
        self.assertEqual(self.metrics(whole), sorted([*self.metrics(parted), "Conditional Branches Not Taken"]))

    def test_fewer_counters_than_a_group_may_have(self):
        self.discover(counters=2)
        groups = self.groups()
        self.assertGreater(len(groups), 1)
        for events, lines in groups:
            self.assertLessEqual(len(events), 2)
            self.assertIn(self.TRIED, lines)


class Rows(Together):
    def test_faults(self):
        rows = (("conflict,COND,NOBODY", "unknown event 'NOBODY' in a conflict"), ("conflict,NOBODY,COND", "unknown event 'NOBODY' in a conflict"),
                ("conflict,COND,COND", "event 'COND' conflicts with itself"), ("conflict,COND", "unknown event '' in a conflict"),
                ("fixed,NOBODY", "unknown event 'NOBODY' in a fixed"), ("fixed,COND,TAKEN", "'TAKEN' follows a fixed event"))
        for row, said in rows:
            with self.subTest(row):
                self.expect(support.Run("events", "--pmu", self.model(row)), 3, rf"machine\.csv:\d+: {said}", out="")


if __name__ == "__main__":
    support.main()
