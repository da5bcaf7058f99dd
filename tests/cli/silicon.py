"""Event tables of cores in RTL, which catmint's authors did not write: what their manuals say is held against what they count."""

import csv

import freestanding
import support

DATA = support.SOURCE / "tests/data/silicon"
THRESHOLDS = ("--tau", "0.01", "--alpha", "0.0005", "--residual", "0.01")


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.reader(line for line in file if line[0] != "#"))


class Silicon(support.Case):
    def audit(self, core, table, basis=None, *options, err="", out=None):
        name = f"{core}-%s.csv"
        return self.expect(support.Run("audit", DATA / (name % "manual"), "--against", table, "--basis", basis or DATA / (name % "basis"),
                                       "--signatures", DATA / (name % "signatures"), *THRESHOLDS, *options), 1, err=err, out=out)

    def verdicts(self, *arguments, **expected):
        document = self.audit(*arguments, "--format", "json", **expected).json()
        return {formula["metric"]: formula for formula in document["formulas"]}

    def test_eh1_is_as_its_manual_says_but_for_three_entries(self):
        found = self.verdicts("veer-eh1", DATA / "veer-eh1.csv", None)
        others = {name: formula["verdict"] for name, formula in found.items() if formula["verdict"] != "right"}
        self.assertEqual(len(found), 23)
        self.assertEqual(others, {"Instructions retired": "wrong", "Mispredicted conditional branches": "event noisy", "TLU flushes": "unrepresentable event"})

    def test_cv32e40p_follows_its_commits(self):
        for commit, wrong in (("5b917a6", {"Instructions retired", "Loads", "Stores", "Jumps"}), ("de2a9e0", {"Instructions retired", "Loads", "Stores"})):
            found = self.verdicts("cv32e40p", DATA / f"cv32e40p-{commit}.csv", None)
            self.assertEqual({name for name, formula in found.items() if formula["verdict"] == "wrong"}, wrong, commit)
            self.assertEqual({formula["verdict"] for name, formula in found.items() if name not in wrong}, {"right"}, commit)
        self.audit("cv32e40p", DATA / "cv32e40p-5b917a6.csv", out="right is +1 x JMP_STALL . 1 x JUMP")

    def test_cycles_are_what_instructions_cost(self):
        """Of the core that executes in order; the other one begins two instructions at once."""
        basis, signatures = (DATA / f"cv32e40p-{part}.csv" for part in ("basis", "signatures"))
        words = ("analyze", DATA / "cv32e40p-de2a9e0.csv", "--basis", basis, "--signatures", signatures, *THRESHOLDS)
        document = self.expect(support.Run(*words, "--format", "json"), 0).json()["benchmarks"][0]
        costs = dict(zip(document["symbols"], document["costs"]["cycles"]))
        self.assertEqual(document["costs"]["event"], "CYCLES")
        self.assertEqual([round(costs[symbol], 6) for symbol in ("ADD", "DIV", "LD", "FENCE", "BR", "T", "JMP", "ECALL", "USE")], [1, 34, 1, 4, 1, 2, 2, 7, 1])
        self.expect(support.Run(*words), 0, out=r"Costs +cycles an instruction, by CYCLES \(0 % unexplained\): ADD 1; MUL 1;\s+DIV 34;")
        words = ("analyze", DATA / "veer-eh1.csv", "--basis", DATA / "veer-eh1-basis.csv", "--signatures", DATA / "veer-eh1-signatures.csv", *THRESHOLDS)
        self.assertNotIn("costs", self.expect(support.Run(*words, "--format", "json"), 0).json()["benchmarks"][0])

    def test_two_revisions_are_compared(self):
        """The fix shows as it is; sums that measure nothing do not differ."""
        results = []
        for commit in ("5b917a6", "de2a9e0"):
            results.append(self.folder / f"{commit}.json")
            self.expect(support.Run("analyze", DATA / f"cv32e40p-{commit}.csv", "--basis", DATA / "cv32e40p-basis.csv", "--signatures",
                                    DATA / "cv32e40p-signatures.csv", *THRESHOLDS, "--format", "json", "--output", results[-1]), 0)
        found = self.expect(support.Run("diff", *results, "--format", "json"), 1, err="").json()["differences"]
        self.assertEqual([(one["subject"], one["name"], one["before"], one["after"]) for one in found],
                         [("definition of metric", "Jumps", "1 x JMP_STALL + 1 x JUMP", "1 x JUMP"), ("counts of event", "JUMP", "-1 of JRH", "0 of JRH")])

    def split(self, *hidden):
        """The basis without kernels whose names have one of these parts, and those as controls."""
        head, *rows = rows_of(DATA / "cv32e40p-basis.csv")
        apart = [row for row in rows if any(part in row[0] for part in hidden)]
        # A symbol must be on some kernel that is fitted.
        kept = [row for row in rows if row not in apart]
        columns = [0, *(j for j in range(1, len(head)) if any(float(row[j]) for row in kept))]
        for name, chosen, at in (("basis.csv", kept, columns), ("controls.csv", apart, columns)):
            self.write(name, "\n".join(",".join(row[j] for j in at) for row in (head, *chosen)) + "\n")
        head, *metrics = ([row[j] for j in (0, 1, 2, *(2 + j for j in columns[1:]))] for row in rows_of(DATA / "cv32e40p-signatures.csv"))
        metrics = [row for row in metrics if any(float(value) for value in row[3:])]
        self.write("signatures.csv", "\n".join(",".join(row) for row in (head, *metrics)) + "\n")
        return len(apart)

    def jumps(self, controls, err):
        """Jumps by definition, and the number of controls that it was held to."""
        tables = ("--basis", self.folder / "basis.csv", "--signatures", self.folder / "signatures.csv", *THRESHOLDS)
        run = support.Run("analyze", DATA / "cv32e40p-5b917a6.csv", *tables, "--controls", controls, "--format", "json")
        metrics = self.expect(run, 0, err=err).json()["benchmarks"][0]["metrics"]
        jumps = next(metric for metric in metrics if metric["metric"] == "Jumps")
        self.assertTrue(jumps["composable"])
        return {term["event"]: term["coefficient"] for term in jumps["definition"]}, jumps["controls"]["kernels"]

    def test_own_controls_hold_what_is_not_fitted(self):
        """Where hazards are no kernels of the basis, JUMP seems right; on kernels that have them, it is not."""
        hazards = ("two_targets", "random_target", "add_jump", "load_jump", "spaced_jump", "mix", "call_register")
        count = self.split(*hazards)
        first = (self.folder / "controls.csv").read_text().splitlines(True)[:2]
        few = self.jumps(self.write("few.csv", "".join(first)), r"two_targets\.4 is left out: neither .*basis\.csv nor controls have it")
        self.assertEqual(few, ({"JUMP": 1}, 1))
        self.assertEqual(self.jumps(self.folder / "controls.csv", ""), ({"JMP_STALL": 1, "JUMP": 1}, count))

    def test_kernels_that_nothing_knows_are_named_and_left_out(self):
        head, *rows = rows_of(DATA / "cv32e40p-de2a9e0.csv")
        more = lambda names: self.write("table.csv", "".join(",".join(row) + "\n" for row in (
            head + names, *(row + [row[3]] * len(names) for row in rows))))
        words = ("--basis", DATA / "cv32e40p-basis.csv", "--signatures", DATA / "cv32e40p-signatures.csv", *THRESHOLDS)
        plain = self.expect(support.Run("analyze", DATA / "cv32e40p-de2a9e0.csv", *words), 0, err="").out
        left_out = "".join(rf"{name} is left out: neither .*basis\.csv nor controls have it\n.*" for name in ("own.1", "own.2"))
        for command in (("analyze",), ("audit", DATA / "cv32e40p-manual.csv", "--against")):
            run = self.expect(support.Run(*command, more(["own.1", "own.2"]), *words), int(command[0] == "audit"), err=f"(?s){left_out}")
            if command[0] == "analyze":
                self.assertEqual(run.out, plain)
        none = self.write("basis.csv", (DATA / "cv32e40p-basis.csv").read_text().strip().replace("\n", "\nother-").replace("other-kernel", "kernel") + "\n")
        words = ("--basis", none, *words[2:])
        self.expect(support.Run("analyze", DATA / "cv32e40p-de2a9e0.csv", *words), 3, out="", err="kernel 'b1' is not in the basis")

    def test_an_audit_holds_formulas_to_own_controls(self):
        """Where a jump waits for a register, JUMP loses it: kernels that are not fitted show it, and which do first."""
        self.split("two_targets", "random_target", "add_jump", "load_jump", "spaced_jump", "mix", "call_register")
        words = ("audit", DATA / "cv32e40p-manual.csv", "--basis", self.folder / "basis.csv", "--signatures", self.folder / "signatures.csv",
                 "--controls", self.folder / "controls.csv", *THRESHOLDS, "--format", "json", "--against")
        wrong = {"Instructions retired", "Loads", "Stores"}
        for commit, jumps in (("5b917a6", "wrong"), ("de2a9e0", "right")):
            found = self.expect(support.Run(*words, DATA / f"cv32e40p-{commit}.csv"), 1, err="").json()["formulas"]
            verdicts = {formula["metric"]: formula["verdict"] for formula in found if formula["verdict"] != "no signature"}
            self.assertEqual(verdicts, {name: jumps if name == "Jumps" else "wrong" if name in wrong else "right" for name in verdicts}, commit)
            self.assertEqual([formula["metric"] for formula in found if formula["partial"]], [], commit)
        self.audit("cv32e40p", DATA / "cv32e40p-5b917a6.csv", self.folder / "basis.csv", "--signatures", self.folder / "signatures.csv",
                   "--controls", self.folder / "controls.csv", out=r"kernels +0 for 2 on x:add_jump\.2 and x:load_jump\.2; 0 for 6 on")

    def test_the_kernels_that_show_it_are_named_first(self):
        """An event that loses every fourth of two instructions that retire at once: no symbol explains it, three kernels show it."""
        kernels = ("load.1.8", "load.2.8", "load.4.8")
        head, *rows = rows_of(DATA / "veer-eh1.csv")
        for row in rows:
            if row[0] == "INST_ALU":
                for kernel in kernels:
                    row[head.index(kernel)] = str(int(row[head.index(kernel)]) * 3 // 4)
        table = self.write("table.csv", "".join(",".join(row) + "\n" for row in (head, *rows)))
        alu = self.verdicts("veer-eh1", table, None)["ALU instructions"]
        self.assertEqual((alu["verdict"], [(one["kernel"], one["counted"], one["expected"]) for one in alu["off_on"]]),
                         ("wrong", [(kernel, 3, 4) for kernel in kernels]))
        self.audit("veer-eh1", table, out="kernels +3 for 4 on load.1.8, load.2.8 and load.4.8\n")
        tables = ("--basis", DATA / "veer-eh1-basis.csv", "--signatures", DATA / "veer-eh1-signatures.csv", *THRESHOLDS, "--format", "json")
        event = self.expect(support.Run("explain", "INST_ALU", table, *tables), 0).json()["events"][0]
        self.assertEqual([(one["kernel"], one["counted"], round(one["represented"], 9)) for one in event["disagrees"]], [(kernel, 3, 4) for kernel in kernels])
        self.assertEqual({round(part["coefficient"], 9) for part in event["representation"]}, {1})

    def test_facts_that_are_counted_too_are_named(self):
        """Returns that count jumps through a register, and integer instructions of which one is lost where two retire at once."""
        out = self.folder / "core"
        self.expect(support.Run("kernels", "--emit", out, "--isa", "rv32imc"), 0)
        kernels = {}
        with open(out / "kernels.csv", encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if line[0] != "#"):
                facts = lambda *names, facts=row["facts"]: sum(freestanding.count_of(facts, name) for name in names)
                integers = facts("int_scalar_add", "int_scalar_logic", "int_scalar_shift", "int_scalar_compare", "int_scalar_move",
                                 "int_scalar_address", "nops")
                lost = 0.75 if row["kernel"] in ("load.1.8", "load.2.8", "load.4.8") else 1
                kernels[row["benchmark"], row["kernel"]] = (facts("returns", "branches_indirect"), lost * integers)
        log, counted = self.write("log", freestanding.counted(("RETURN", "INT"), kernels)), self.folder / "counted"
        self.expect(support.Run("import", "--console", log, "--out", counted), 0)
        manual = self.write("manual.csv", "metric,formula,unit,source\nReturns,RETURN,,\nALU Instructions,INT,,\n")
        run = self.expect(support.Run("audit", manual, "--against", counted), 1, err="")
        self.assertRegex(run.out, r"(?s)Returns.*counts +IND 1 for 0\n.*ALU.*kernels +3 for 4 on load.1.8, load.2.8 and load.4.8\n")
        self.assertIn("1 for 0 on branch indirect.1, core indirect.1, random_target and 1 more", run.out)

    def test_controls_that_cannot_be_used_are_said(self):
        basis = ("--basis", DATA / "cv32e40p-basis.csv", "--signatures", DATA / "cv32e40p-signatures.csv", *THRESHOLDS)
        controls = self.write("controls.csv", "kernel,ADD\nk,1\nl,2\n")
        self.expect(support.Run("analyze", DATA / "cv32e40p-5b917a6.csv", *basis, "--controls", controls), 0,
                    err=r"the table has none of the 2 control kernels of .*controls\.csv")
        controls = self.write("controls.csv", "kernel,ADD,NOTHING\nk,1,2\n")
        self.expect(support.Run("analyze", DATA / "cv32e40p-5b917a6.csv", *basis, "--controls", controls), 3,
                    err=r"controls\.csv:1: the symbol 'NOTHING' is none of the basis")
        self.expect(support.Run("analyze", DATA / "cv32e40p-5b917a6.csv", "--benchmark", "branch", "--controls", controls), 2, err="controls are for a basis of your own")

    def instructions(self, trapping, manual):
        """Formulas of an audit of minstret on all emitted kernels; `trapping`: it counts instructions that trap."""
        out = self.folder / ("core" if trapping else "retired")
        self.expect(support.Run("kernels", "--emit", out, "--isa", "rv32imc"), 0)
        with open(out / "kernels.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if line[0] != "#"))
        count = lambda facts: freestanding.count_of(facts) - (0 if trapping else sum(freestanding.count_of(facts, fact) for fact in ("environment_calls", "breakpoints")))
        log = self.write("log", freestanding.counted(("minstret",), {(row["benchmark"], row["kernel"]): (count(row["facts"]),) for row in rows}))
        counted = self.folder / f"{out.name}-counted"
        self.expect(support.Run("import", "--console", log, "--out", counted), 0)
        path = self.write("manual.csv", "metric,formula,unit,source\n" + "".join(f"{metric},minstret,,\n" for metric in manual))
        wrong = 1 if trapping or "Instructions Executed" in manual else 0
        return {one["metric"]: one for one in self.expect(support.Run("audit", path, "--against", counted, "--format", "json"), wrong).json()["formulas"]}

    def test_an_audit_knows_the_kernels_of_the_core(self):
        """They are held against their own facts, not against those of this machine's kernels of the same names."""
        retired = self.instructions(True, ["Instructions Retired"])["Instructions Retired"]
        off = {one["kernel"]: (one["counted"], one["expected"]) for one in retired["off_on"]}
        self.assertEqual(off, {"ecall.1": (13, 12), "ebreak.1": (13, 12), "ecall.3": (35, 32), "ebreak.3": (35, 32), "mixed_b.2": (36, 34)})

    def test_instructions_that_trap_may_retire_or_not(self):
        """Where no metric tells them apart, both are instructions; core has a metric for each."""
        manual = ["Instructions", "Instructions Retired", "Instructions Executed"]
        for trapping, wrong in ((True, "Instructions Retired"), (False, "Instructions Executed")):
            verdicts = {metric: formula["verdict"] for metric, formula in self.instructions(trapping, manual).items()}
            self.assertEqual(verdicts, {metric: "wrong" if metric == wrong else "right" for metric in manual})


if __name__ == "__main__":
    support.main()
