"""One verdict for everybody: what control kernels refute is refused from a table, a sweep and results alike, and explained so."""

import json
import shutil

import auditing
import support

# JUMP loses jumps that wait for a register, which a control kernel alone shows; JMP_STALL counts these, and nothing on fitted kernels.
JUMPS = support.SOURCE / "tests/data/controls/cv32e40p-branch.csv"
JUMP_FAULT = ("two_targets.4", 0, 4)
JUMP_WORDS = "loses 0.5 an occurrence of int_scalar_address, which is 103 % of it in natural programs"


def rows_of(path):
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


class Controls(auditing.Audit):
    def mended(self):
        """The same table with jumps counted right."""
        kept = []
        rows = {tuple(line.split(",")[:2]): line.split(",") for line in rows_of(JUMPS)}
        for (event, repetition), row in rows.items():
            stalls = rows.get(("JMP_STALL", repetition))
            if event == "JUMP":
                row = row[:3] + [str(int(count) + int(lost)) for count, lost in zip(row[3:], stalls[3:])]
            if event != "JMP_STALL":
                kept.append(",".join(row))
        return self.write("mended.csv", "\n".join(kept) + "\n")

    def few(self, count):
        """Some events of the paper's, of kernels without controls."""
        rows = rows_of(support.RECORDED["branch"])
        events = list(dict.fromkeys(row.split(",")[0] for row in rows[1:]))[:count]
        return self.write("few.csv", "\n".join([rows[0]] + [row for row in rows[1:] if row.split(",")[0] in events]) + "\n")

    def results(self, table, name="results.json"):
        path = self.folder / name
        self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json", "--output", path), 0)
        return path

    def sources(self, table):
        """The table, a sweep that has it, and its results, each as an audit takes it."""
        sweep = self.folder / table.stem
        sweep.mkdir()
        shutil.copy(table, sweep / "branch.csv")
        return [(table, ("--benchmark", "branch")), (sweep, ()), (self.results(table, f"{table.stem}.json"), ())]

    def trial(self, pairs):
        """Formulas and their map: each pair of terms and the metric that they should be."""
        formulas = self.write("pairs.csv", auditing.formulas([(f"f{i}", terms) for i, (terms, _) in enumerate(pairs)]))
        return formulas, self.write("map.csv", "metric,signature\n" + "".join(f'f{i},"{metric}"\n' for i, (_, metric) in enumerate(pairs)))

    def agree(self, table, pairs):
        """What an audit says of each pair, which is the same from every source."""
        formulas, names = self.trial(pairs)
        said = []
        for against, options in self.sources(table):
            run = support.Run("audit", formulas, "--against", against, "--map", names, "--format", "json", *options)
            said.append(self.expect(run, 1, err="").json()["formulas"])
        for other in said[1:]:
            for one, same in zip(said[0], other):
                self.assertEqual(one, same)
        return said[0]

    def test_one_verdict_for_every_event_and_metric(self):
        for table, refuted_jumps in ((JUMPS, True), (self.mended(), False), (self.few(12), False)):
            document = json.loads(self.results(table, "whole.json").read_text())
            branch = support.benchmark(document, "branch")
            events = [entry["event"] for entry in branch["events"]]
            single = [({event: 1}, metric["metric"]) for event in events for metric in branch["metrics"]]
            defined = [(definition, metric) for _, metric, definition in auditing.composable(document)]
            told = self.expect(support.Run("explain", *events, table, "--benchmark", "branch", "--format", "json"), 0).json()["events"]
            refuted = {(entry["event"], one["metric"]): one for entry in told for one in entry["refuted"]}
            self.assertEqual(set(refuted), {("JUMP", "Unconditional Branches")} if refuted_jumps else set())
            for one in refuted.values():
                self.assertEqual(((one["kernel"], one["counted"], one["expected"]), one["why"]), (JUMP_FAULT, JUMP_WORDS))

            said = self.agree(table, single + defined)
            for (terms, metric), entry in zip(single, said):
                if fault := refuted.get((*terms, metric)):
                    self.assertEqual((entry["verdict"], entry["numerator"]["measures"]), ("wrong", fault["why"]))
                if {metric: terms} in [{name: definition} for definition, name in defined]:
                    self.assertEqual(entry["verdict"], "right", entry)
            for (terms, metric), entry in zip(defined, said[len(single):]):
                self.assertEqual(entry["verdict"], "right", f"{metric}: {terms}: {entry}")
                self.assertNotIn("JMP_STALL", entry["numerator"]["remark"])  # it was tried: on controls

    def test_nothing_that_a_control_refutes_is_said_to_measure_or_to_be_right(self):
        """Neither as what a wrong formula measures instead, nor as the repair of its coefficients."""
        for terms, metric, measures in (({"JUMP": 1}, "All Branches", "measures Unconditional Branches; but as Unconditional Branches it " + JUMP_WORDS), ({"JUMP": 2}, "Unconditional Branches", "2x")):
            entry, = self.agree_once([(terms, metric)])
            self.assertEqual((entry["verdict"], entry["numerator"]["measures"]), ("wrong", measures))
            definition = {term["event"] for term in entry["numerator"]["definition"]}
            self.assertLessEqual({"JMP_STALL", "JUMP"}, definition)

    def test_what_only_controls_count_is_said(self):
        entry, = self.agree_once([({"BRANCH": 1, "JUMP": 1, "JMP_STALL": 3}, "All Branches")])
        self.assertEqual((entry["verdict"], entry["numerator"]["remark"]),
                         ("wrong", "JMP_STALL counts nothing on the kernels of branch that are fitted, but on its control kernels, which judge its weight"))

    def test_what_no_kernel_explains_alone_adds_up(self):
        """JAL and JALR count calls of one kind each: a kernel that calls through a pointer is explained by both together."""
        events = {"JAL": "branches_uncond + calls - calls_indirect", "JALR": "branches_indirect + calls_indirect + returns", "HALF": "branches_uncond + returns"}
        pmu, out = support.make_model(self.folder / "model", events), self.folder / "out"
        found = self.expect(support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "branch", "--repetitions", "2", "--programs", "0", "--out", out,
                                        "--format", "json", *support.software_alone()), 0, err=None).json()
        self.assertEqual(support.composable(support.benchmark(found, "branch")), {"Unconditional Branches": {"JAL": 1.0, "JALR": 1.0}})
        formulas, names = self.trial([({"JAL": 1, "JALR": 1}, "Unconditional Branches"), ({"JAL": 1, "HALF": 1}, "Unconditional Branches")])
        for against in (out, out / "results.json"):
            judged = self.audit(against, formulas, options=("--map", names), code=1)["formulas"]
            self.assertEqual([entry["verdict"] for entry in judged], ["right", "wrong"])
        # Nothing but branch was swept: people read the first of all facts that no kernel has, and how many more there are.
        said = self.expect(support.Run("explain", "--metric", "Unconditional Branches", out, COLUMNS="400"), 0).out
        self.assertRegex(said, r"(?m)^Confounded +(\w+, ){7}\w+ and \d+ more, which no kernel has$")
        said = self.expect(support.Run("audit", formulas, "--map", names, "--against", out, COLUMNS="400"), 1).out
        self.assertRegex(said, r"(?m)^    confounded +(\w+, ){7}\w+ and \d+ more, which no kernel has(; |$)")
        whole = next(metric for metric in support.benchmark(found, "branch")["metrics"] if metric["metric"] == "Unconditional Branches")["confounded_with"]
        for text in whole:  # a fact or a pair each
            self.assertRegex(text, r"^(\w+(, which no kernel has)?|\w+ beside \w+, which no kernel has|\w+, \w+, which no kernel distinguishes|event \S+, which counts .* on every kernel)$")
        self.assertEqual((len(set(whole)), len(whole) > 20), (len(whole), True))

    def agree_once(self, pairs):
        formulas, names = self.trial(pairs)
        return self.audit(JUMPS, formulas, options=("--map", names, "--benchmark", "branch"), code=1)["formulas"]

    def test_results_of_older_versions_say_what_they_cannot_tell(self):
        document = json.loads(self.results(JUMPS).read_text())
        branch = document["benchmarks"][0]
        for part in (branch, *branch["events"]):
            part.pop("controls", None)
            part.pop("law", None)
        for metric in branch["metrics"]:
            del metric["held_to"]
        old = self.write("old.json", json.dumps(document))
        formulas = self.write("jump.csv", auditing.formulas([("Unconditional Branches", {"JUMP": 1}), ("Conditional Branches Taken", {"JUMP": 1})]))
        right, wrong = self.audit(old, formulas, code=1)["formulas"]
        self.assertEqual((right["verdict"], right["partial"], wrong["verdict"]), ("right", True, "wrong"))
        self.assertEqual(right["numerator"]["remark"], "not tried: the 8 control kernels of branch, since the results do not say what these events count there")

    def test_results_of_the_papers_method_are_named(self):
        paper = self.folder / "paper.json"
        self.expect(support.Run("analyze", JUMPS, "--benchmark", "branch", "--method", "paper", "--format", "json", "--output", paper), 0)
        formulas = self.write("jump.csv", auditing.formulas([("Unconditional Branches", {"JUMP": 1})]))
        for against, code, said in ((paper, 0, r"paper\.json: found by the paper's method, which has no control kernels: formulas are not held to any"),
                              (self.results(JUMPS), 1, "")):
            self.expect(support.Run("audit", formulas, "--against", against), code, err=said)

    def test_controls_of_a_document_must_fit_it(self):
        def looked(branch):
            return max((event["law"] for event in branch["events"] if "law" in event), key=lambda law: len(law["places"]))

        whole = self.results(JUMPS).read_text()
        formulas = self.write("jump.csv", auditing.formulas([("Unconditional Branches", {"JUMP": 1})]))
        for spoil, message in ((lambda branch: branch["events"][0].update(controls={"counts": [1], "errors": [], "strays": 0}), None),
                               (lambda branch: branch["events"][-1]["controls"]["counts"].pop(), r"controls\.counts has 8 numbers, expected 9"),
                               (lambda branch: branch["events"][-1]["controls"].update(strays=-1), r"controls\.strays is -1, expected 0 or more"),
                               (lambda branch: branch["metrics"][0]["held_to"].update(low="none"), r"held_to\.low is .*expected a list of numbers"),
                               (lambda branch: branch.update(controls=[]), r"controls is no object"),
                               (lambda branch: branch["law"]["kernels"][0].update(part="some"), r"law\.kernels\[0\] is a part 'some'"),
                               (lambda branch: branch["law"]["kernels"][0].update(kernel="none"), r"a kernel none of branch, which this catmint does not know"),
                               (lambda branch: looked(branch)["places"].reverse(), r"law\.places does not rise"),
                               (lambda branch: looked(branch)["places"].append(99), r"law\.places has 99, expected a whole number from 0 to"),
                               (lambda branch: looked(branch)["means"].pop(), r"law\.means has \d+ numbers")):
            document = json.loads(whole)
            spoil(document["benchmarks"][0])
            self.expect(support.Run("audit", formulas, "--against", self.write("spoilt.json", json.dumps(document))), 3, err=message or "expected 9", out="")

    def test_explanations_name_controls(self):
        told = {entry["event"]: entry for entry in self.expect(
            support.Run("explain", "JUMP", "JMP_STALL", "LD", JUMPS, "--benchmark", "branch", "--format", "json"), 0).json()["events"]}
        self.assertEqual([(one["kernel"], one["counted"]) for one in told["JMP_STALL"]["controls"]["counted"]],
                         [("two_targets.1", 1), ("two_targets.4", 4), ("random_target", 1)])
        self.assertEqual(told["JMP_STALL"]["metrics"], ["Unconditional Branches", "All Branches"])
        self.assertEqual(told["LD"]["controls"], {"kernels": 8, "counted": []})
        self.assertEqual([(one["metric"], one["kernel"]) for one in told["JUMP"]["refuted"]], [("Unconditional Branches", "two_targets.4")])
        alone = self.expect(support.Run("analyze", JUMPS, "--benchmark", "branch", "--only", "JUMP", "--format", "json"), 0).json()
        self.assertEqual([one["refused"] for one in alone["benchmarks"][0]["metrics"] if one["metric"] == "Unconditional Branches"], [JUMP_WORDS])
        proof = self.expect(support.Run("explain", "--metric", "Unconditional Branches", JUMPS, "--benchmark", "branch", "--format", "json"), 0).json()["metrics"][0]["proof"]
        self.assertEqual(proof["controls"]["kernels"], 8)  # as of events: the difference of two kernels is none
        for event, words in (("JMP_STALL", r"nothing on the kernels that\s+definitions are fitted to\n(.*\n)*Controls +counts 1 on two_targets\.1, 4 on two_targets\.4"
                              r"(.*\n)*Used by +Unconditional Branches"), ("LD", r"Controls +counts nothing on any of 8 kernels\n"),
                             ("JUMP", r"Residual .* 0 % .* fitted\n(.*\n)*Not alone +counts less than Unconditional Branches: 0 on the kernel two_targets\.4, which\s+has\s+4\n")):
            self.expect(support.Run("explain", event, JUMPS, "--benchmark", "branch"), 0, out=words)

    def test_a_table_alone_holds_one_coefficient_that_is_fitted(self):
        """Without controls: said, and terms whose coefficients are no simple numbers may fit these kernels alone."""
        odd = {"A": {"D_SCAL": 0.371}, "B": {"D_128": 0.593}, "C": {"D_256": 1, "D_512": 1}, "D": {name: 1 for name in ("D_FMA_SCAL", "D_FMA_128", "D_FMA_256", "D_FMA_512")}}
        whole = odd | {"B": {"D_128": 1}}
        words = "has 2 coefficients that are no simple numbers, and there are no control kernels: one is tolerated"
        for name, events, usable in (("odd", odd, False), ("whole", whole, True)):
            self.write(f"{name}/cpu-flops.csv", support.measurements("cpu-flops", events))
            one, = [one for one in support.benchmark(self.expect(support.Run("analyze", self.folder / name, "--format", "json"), 0).json(), "cpu-flops")["metrics"]
                    if one["metric"] == "DP Instrs."]
            self.assertEqual((support.usable(one), one["refused"]), (usable, None if usable else words))
            self.assertIn("there are no control kernels", " ".join(one["confounded_with"]))
            formula = " + ".join(f"{term['coefficient']!r} * {term['event']}" for term in one["definition"])
            entry = self.one(self.folder / name, formula, metric="DP Instrs.", code=int(not usable))
            self.assertEqual((entry["verdict"], entry["numerator"]["measures"]), ("right", "") if usable else ("wrong", words))
            self.assertEqual("there are no control kernels" in entry["numerator"]["remark"], usable)

    def test_what_is_asked_of_results_is_refused(self):
        results, formulas = self.results(JUMPS), self.write("jump.csv", auditing.formulas([("Unconditional Branches", {"JUMP": 1})]))
        for option in (("--benchmark", "branch"), ("--tau", "1"), ("--residual", "0.1")):
            self.expect(support.Run("audit", formulas, "--against", results, *option), 2, err="results in JSON say how they were analysed", out="")
        self.expect(support.Run("audit", formulas, "--against", JUMPS), 2, err="does not name its benchmark", out="")


class Thresholds(auditing.Audit):
    """Those of the benchmark whose kernels a basis has; else all of them must be given."""

    def own(self, basis, benchmark):
        return ("--basis", basis, "--signatures", support.SOURCE / f"signatures/paper/{benchmark}.csv")

    def test_the_benchmark_is_known_by_its_kernels(self):
        for benchmark in ("cpu-flops", "branch", "dcache"):
            table, basis = support.RECORDED[benchmark], self.write("mine.csv", (support.SOURCE / f"bases/paper/{benchmark}.csv").read_text())
            mine, named = (self.expect(support.Run("analyze", "--method", "paper", table, "--format", "json", *options), 0).json()["benchmarks"][0]
                           for options in (self.own(basis, benchmark), ("--benchmark", benchmark)))
            for key in ("tau", "alpha", "residual", "quantum"):
                self.assertEqual(mine[key], named[key], f"{benchmark}: {key}")
            self.assertEqual([support.usable(metric) for metric in mine["metrics"]], [support.usable(metric) for metric in named["metrics"]])

    def test_others_must_be_given(self):
        basis = self.write("mine.csv", (support.SOURCE / "bases/paper/dcache.csv").read_text().replace("\nL1.1,", "\nmine,"))
        table = self.write("counts.csv", support.RECORDED["dcache"].read_text().replace(",L1.1,", ",mine,"))
        formulas = self.write("hits.csv", auditing.formulas([("L1 Hits", {"X": 1})]))
        event = rows_of(table)[2].split(",")[0]
        given = ("--tau", "0.1", "--alpha", "0.05", "--residual", "0.1")
        for command, code in ((("analyze", table), 0), (("explain", event, table), 0), (("audit", formulas, "--against", table), 0)):
            for options in ((), given[:4], (*given[:4], "--residual", "0.1", "--tau", "auto")):
                self.expect(support.Run(*command, *self.own(basis, "dcache"), *options), 2, out="",
                            err=r"mine\.csv: its kernels are not those of one benchmark, .*--tau, --alpha and --residual")
            self.expect(support.Run(*command, *self.own(basis, "dcache"), *given), code)
        told = self.expect(support.Run("analyze", table, *self.own(basis, "dcache"), *given), 0).out
        self.assertRegex(told, r"(?m)^Summary +6 of 6 metrics")


if __name__ == "__main__":
    support.main()
