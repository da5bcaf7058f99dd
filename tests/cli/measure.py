"""A snippet of somebody's own assembly: its facts, the events that fit them, a row of a basis, and everything that it can do wrong."""

import csv
import os
import pathlib
import re

import documents
import support

FMA = "\tvfmadd231pd %ymm1, %ymm2, %ymm3\n\tmovq (%r14), %rax\n\tmovq %rax, 8(%r14)\n"
SLOW = "\tmulsd %xmm3, %xmm2\n"
FACTS = {"instructions": 3, "load_bytes": 8, "store_bytes": 8, "l1d_load_hit": 1, "l1d_store_hit": 1, "fp_d_256_fma": 1, "simd_instructions": 1}
PMU = ("--pmu", "software:golden-cove", "--component", "sde")


class Measure(support.Case):
    def setUp(self):
        super().setUp()
        run = support.Run("measure", self.write("nop.s", "\tnop\n"), *PMU, "--events", "INST_RETIRED:ANY", "--repetitions", "1")
        if run.code == 4:
            self.skipTest(run.err.strip())
        self.expect(run, 0, err="", out=r"(?m)^Executes +1 instructions, 1 nops$")

    def measure(self, text, *options, name="snippet.s"):
        if text == FMA and " fma " not in pathlib.Path("/proc/cpuinfo").read_text():
            self.skipTest("this processor has no FMA")
        return support.Run("measure", self.write(name, text), *(options if "--pmu" in options else (*PMU, *options)))

    def test_facts_and_events(self):
        document = self.expect(self.measure(FMA, "--format", "json", "--repetitions", "2"), 0, err="").json()
        self.assertEqual((document["schema"], document["pmu"], document["copies"]), ("catmint.snippet/1", "software:golden-cove", 100))
        self.assertEqual({fact["fact"]: fact["value"] for fact in document["facts"] if not fact["derived"]}, FACTS)
        self.assertTrue(all(fact["proven"] for fact in document["facts"]))
        events = {event["event"]: event for event in document["events"]}
        for name, value, fact in (("INST_RETIRED:ANY", 3, "instructions"), ("MEM_INST_RETIRED:ALL_LOADS", 1, "loads"), ("MEM_INST_RETIRED:ALL_STORES", 1, "stores")):
            self.assertEqual((events[name]["value"], events[name]["spread"], events[name]["steady"]), (value, 0, True))
            self.assertIn(fact, events[name]["fits"])
        fused = events["FP_ARITH_INST_RETIRED:256B_PACKED_DOUBLE"]  # an FMA counts twice
        self.assertEqual((fused["value"], fused["fits"]), (2, []))
        self.assertEqual((events["BR_INST_RETIRED:COND"]["value"], events["BR_INST_RETIRED:COND"]["fits"]), (0, []))
        run = self.expect(self.measure(FMA, "--copies", "7", "--repetitions", "1"), 0, err="", out=r"(?m)^INST_RETIRED:ANY +3 +0 instructions$")
        self.assertRegex(run.out, r"\n(1 event counts|\d+ events count) nothing in it; 0 cannot be counted\n\Z")
        documents.hold(self, document)

    def test_all_that_a_snippet_may_do(self):
        """It may use every register, change flags, sections and the syntax, and branch within itself."""
        registers = [*(f"r{number}" for number in range(8, 16)), "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp"]
        rows = (("".join(f"\tmovq $7, %{register}\n" for register in registers), {"instructions": len(registers)}),
                (".intel_syntax noprefix\n\tadd rax, rcx\n\ttest rax, 1\n\tjz 1f\n\tnop\n1:\n", {"instructions": 3.5, "branches_cond_taken": 0.5, "nops": 0.5}),
                ("\t.data\n\t.quad 1\n\t.text\n\tpushq %rax\n\tpopq %rbx\n\tstd\n", {"instructions": 3, "load_bytes": 8}))
        for text, facts in rows:
            document = self.expect(self.measure(text, "--format", "json", "--repetitions", "1", "--events", "INST_RETIRED:ANY"), 0, err="").json()
            found = {fact["fact"]: fact["value"] for fact in document["facts"] if fact["proven"]}
            self.assertEqual({name: found[name] for name in facts}, facts)
            self.assertEqual([event["value"] for event in document["events"]], [facts["instructions"]])

    def test_counts_that_vary_are_shown_and_fit_nothing(self):
        """Cycles of one copy, which the processor's own clock counts."""
        options = ("--events", "CPU_CLK*", "--copies", "1")
        for event in self.expect(self.measure(SLOW, *options, "--format", "json"), 0, err="").json()["events"]:
            if event["spread"] > 0.1 * max(abs(event["value"]), 1):
                self.assertEqual((event["steady"], event["fits"]), (False, []), event)
        run = self.expect(self.measure(SLOW, *options), 0, err="")
        for count, spread, fits in re.findall(r"(?m)^CPU_CLK\S+ +(\S+) +(\S+) (.*)$", run.out):
            self.assertTrue(fits == "varies" or float(spread) <= 0.1 * max(abs(float(count)), 1), run.out)

    def test_what_is_not_proven(self):
        """What only one copy of 128 does is no fact of a copy."""
        text = "\tincq %r13\n\ttestq $127, %r13\n\tjnz 1f\n\tnop\n1:\n"
        run = self.expect(self.measure(text, "--repetitions", "1"), 0, err="", out=r"(?m)^Not proven +.* instructions, ")
        self.assertRegex(run.out, r"(?s)Not proven .* nops(,\s+[\d.e-]+\s+\w*wrong_\w+)*:\s+twice\s+as\s+many\s+copies\s+do\s+not\s+execute\s+twice\s+as\s+much\n")
        self.assertRegex(run.out, r"(?m)^BR_INST_RETIRED:COND_NTAKEN .* varies$")
        self.expect(self.measure(text, "--repetitions", "1", "--events", "INST_RETIRED:ANY", "--basis-row", "instructions"), 3, out="",
                    err=r"it makes no row of instructions: its fact \w+ is not proven, which the symbol \w+ counts$")

    def test_a_row(self):
        run = self.expect(self.measure(FMA, "--basis-row", "mem-ops", "--events", "INST_RETIRED:ANY", "--repetitions", "1", name="mine.s"), 0, err="")
        head, row = csv.reader(run.out.splitlines())
        basis = [line for line in (support.SOURCE / "bases/mem-ops.csv").read_text().splitlines() if not line.startswith("#")][0]
        self.assertEqual(head, basis.split(","))
        self.assertEqual({symbol: value for symbol, value in zip(head, row) if value != "0"}, {"kernel": "mine", "LD_8": "1", "ST_8": "1", "INS": "3"})
        self.expect(self.measure(FMA, "--basis-row", "nosuch"), 2, out="", err=r"--basis-row: expected a benchmark: cpu-flops, branch, .*, found 'nosuch'$")

    def test_what_goes_wrong(self):
        rows = (("\tnop\n\tbogus %rax\n", r":2: it cannot be assembled: .*bogus"),
                ("\tpushq %rax\n", r": it leaves the stack pointer changed: it must pop all that it pushes$"),
                ("\tret\n", r": it returns: it is copied into a loop, and must go on at its end$"),
                ("\tmovq 0, %rax\n", r": it crashed \(SIGSEGV\)$"),
                ("\tmovl $60, %eax\n\txorl %edi, %edi\n\tsyscall\n", r": it ended the process \(status 0\)$"),
                ("again:\tjmp again\n", r": it can be assembled alone, but not repeated: its labels must be numbers, .*again"),
                ("\tcall elsewhere\n", r": it can be assembled alone, but not repeated: .* undefined reference to .elsewhere'$"),
                ("\thlt\n", r": it cannot be run: .*hlt|privileged"),
                ("", r": it has no instruction$"), ("# nop\n\n", r": it has no instruction$"))
        for text, words in rows:
            with self.subTest(text):
                self.expect(self.measure(text), 3, out="", err=rf"^catmint: \S*snippet\.s{words}")

    def test_a_name_that_looks_like_an_option(self):
        self.write("-x.s", "\tbogus %rax\n")
        self.expect(support.Run("measure", *PMU, "--", "-x.s", cwd=self.folder), 3, out="", err=r"^catmint: -x\.s:1: it cannot be assembled: .*bogus")

    def test_without_an_end(self):
        self.expect(self.measure("1:\tjmp 1b\n"), 3, out="", err=r"snippet\.s: it does not end: 16 turns of its loop took longer than 3 s under the software PMU$")

    def test_what_lacks(self):
        path = self.write("add.s", "\taddq %rcx, %rax\n")
        self.expect(support.Run("measure", path, *PMU, CC="/nosuch/cc"), 4, out="", err=r"no assembler: the compiler '/nosuch/cc' cannot be run: .*: install gcc or clang, or name one in the variable CC$")
        self.expect(support.Run("measure", path, "--pmu", "software:hopper"), 4, out="", err=r"software:hopper models a GPU, which runs no snippet of x86-64$")
        self.expect(support.Run("measure", path, "--pmu", "software:neoverse-n1"), 4, out="", err=r"models a processor of aarch64, and the snippet is of x86-64$")
        self.expect(support.Run("measure", self.folder / "nosuch.s", *PMU), 3, out="", err=r"nosuch\.s: cannot be opened: ")
        self.assertEqual([name for name in os.listdir(self.folder) if not name.endswith(".s")], [])


if __name__ == "__main__":
    support.main()
