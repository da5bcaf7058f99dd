"""Retirement traces of emitted programs: their facts are those of kernels.csv, or the kernel, the file and the line are named."""

import csv
import re

import support


class Trace(support.Case):
    """Traces of programs that do what kernels.csv says, put together here."""
    BEGIN, END, CALL, PLAIN = 0x3a102013, 0x3a202013, 0x000280e7, 0x0000000b
    # Not a branch: the word. A branch: where it goes, from its own place.
    WORDS = {"int_scalar_add": 0x00150513, "int_scalar_mul": 0x02a50533, "int_scalar_logic": 0x00a54533, "int_scalar_shift": 0x00151513,
             "int_scalar_address": 0x00000517, "int_scalar_move": 0x00050593, "int_scalar_compare": 0x00152513, "fences": 0x0000100f, "nops": 0x00000013}
    JUMPS = {"branches_uncond": 0x0080006f, "branches_indirect": 0x00050067, "returns": 0x00008067}
    TAKEN, CALLS, CALLS_INDIRECT, LOAD, STORE = 0x00051463, 0x008000ef, 0x000500e7, 0x00052583, 0x00a52023
    TURNS = 4

    def setUp(self):
        super().setUp()
        out = self.folder / "emitted"
        self.expect(support.Run("kernels", "--emit", out, "--isa", "rv32imc", "--benchmark", "branch"), 0)
        with open(out / "kernels.csv", encoding="utf-8") as file:
            self.kernels = {row["kernel"]: {found[2]: float(found[1] or 1) for found in re.finditer(r"(?:([\d.]+)\*)?(\w+)", row["facts"])}
                            for row in csv.DictReader(line for line in file if line[0] != "#")}

    def words(self, facts, turns):
        """The words of so many turns, and how far from each the next one is."""
        count = lambda fact: round(turns * facts.get(fact, 0))
        waits = count("jump_uses")
        words = [(word, 4) for fact, word in self.WORDS.items() for _ in range(count(fact) - waits * (fact == "int_scalar_add"))]
        words += [(word, 8) for fact, word in self.JUMPS.items() for _ in range(count(fact) - waits * (fact == "branches_indirect"))]
        words += [(self.WORDS["int_scalar_add"], 4), (self.JUMPS["branches_indirect"], 8)] * waits
        words += [(self.TAKEN, 8 if i < count("branches_cond_taken") else 4) for i in range(count("branches_cond"))]
        words += [(self.CALLS_INDIRECT if i < count("calls_indirect") else self.CALLS, 8) for i in range(count("calls"))]
        words += [(self.LOAD, 4)] * (count("load_bytes") // 4) + [(self.STORE, 4)] * (count("store_bytes") // 4)
        return words + [(self.PLAIN, 4)] * (count("instructions") - len(words))

    def rows(self):
        """pc and word of the whole program."""
        found = []
        for number, facts in enumerate(self.kernels.values()):
            for turns in (self.TURNS, self.TURNS, 2 * self.TURNS):
                found += [(0x80000000, self.BEGIN), (0x80000004, self.CALL)]
                at = 0x90000000 + (number << 12)
                for word, step in self.words(facts, turns):
                    found.append((at, word))
                    at += step
                found += [(at, 0x00008067), (0x80000008, self.END), (0x8000000c, self.PLAIN)]
        return found

    def verify(self, text, code=0, **expected):
        trace = self.write("trace.csv", text)
        return self.expect(support.Run("kernels", "--verify", "--trace", trace, "--isa", "rv32imc", "--benchmark", "branch",
                                       "--iterations", self.TURNS), code, **expected)

    @staticmethod
    def table(rows, head="pc,instruction"):
        return head + "\n" + "".join(f"{pc:x},{word:08x}\n" for pc, word in rows)

    def test_facts_are_those_that_retire(self):
        rows, count = self.rows(), len(self.kernels)
        right = rf"(?m)^{count} kernels match their facts, 0 do not, 0 were not run$"
        self.verify(self.table(rows), err="", out=right)
        self.verify("rvfi_order,rvfi_valid,rvfi_insn,rvfi_pc_rdata\n" + "".join(f"{i},1,0x{word:x},0x{pc:x}\n{i},0,,\n" for i, (pc, word) in enumerate(rows)),
                    err="", out=right)
        pairs = [rows[i:i + 2] for i in range(0, len(rows) - 1, 2)] + ([rows[-1:]] if len(rows) % 2 else [])
        self.verify("valid0,pc0,instruction0,valid1,pc1,instruction1\n" + "".join(
            ",".join(["1,%x,%x" % lane for lane in pair] + ["0,,"] * (2 - len(pair))) + "\n" for pair in pairs), err="", out=right)

    def test_a_kernel_that_does_something_else_is_wrong(self):
        rows = self.rows()
        mul = self.WORDS["int_scalar_mul"]
        changed = [(pc, 0x02a54533 if word == mul and pc >> 12 == 0x90001 else word) for pc, word in rows]
        self.verify(self.table(changed), 1, err="do not match their facts: 1", out=r"b2 +WRONG +int_scalar_mul 0 instead of 3, int_scalar_div 3 instead of 0")
        apart = [(pc, 0x00158593 if (word, rows[i + 1 - len(rows)][1]) == (0x00150513, 0x00050067) else word) for i, (pc, word) in enumerate(rows)]
        self.verify(self.table(apart), 1, err="do not match their facts: 3", out=r"(?m)^two_targets\.4 +WRONG +jump_uses 0 instead of 4$")
        calls = [(pc, 0x2021 if word == self.CALLS else word) for pc, word in rows]  # c.jal, which RV64 does not have
        self.verify(self.table(calls), 1, err="do not match their facts: 4", out=r"(?m)^call +WRONG +short_instructions 1 instead of 0$")
        begins = [i for i, (_, word) in enumerate(rows) if word == self.BEGIN]
        self.verify(self.table(rows[:begins[4]] + rows[begins[6]:]), err="", out="b2 +not run +it traps there")

    def test_a_cut_or_garbled_trace_is_named(self):
        rows = self.rows()
        last = list(self.kernels)[-1]
        begins = [i for i, (_, word) in enumerate(rows) if word == self.BEGIN]
        once = [row for i, row in enumerate(rows) if i < begins[2] or i >= begins[3]]
        ends = next(i for i, (_, word) in enumerate(rows) if word == self.END)
        for text, why in ((self.table(rows[:-4]), rf"trace\.csv:{len(rows) - 3}: the trace ends within a run, behind the one before of branch {re.escape(last)}$"),
                          (self.table(rows[:begins[-1]]), rf":{begins[-1] + 1}: the trace ends before the run of twice as many turns, of branch {re.escape(last)}$"),
                          (self.table(rows[:begins[-3]]), rf"the trace ends after {len(self.kernels) - 1} of the {len(self.kernels)} kernels of rv32imc: expected a run of branch {re.escape(last)} next"),
                          (self.table(once), r":\d+: a run of twice as many turns is missing before this line, of branch b1$"),
                          (self.table(rows[:begins[1] + 5] + rows[begins[1] + 6:]), rf":{begins[1] + 7}: this instruction cannot follow the one before: lines are missing, in a run of branch b1$"),
                          (self.table(rows[:ends] + rows[ends + 1:]), r"a run begins within a run: lines are missing, of branch b1$"),
                          (self.table(rows + rows[:begins[2]]), "a run of twice as many turns|before the run"),
                          (self.table(rows).replace(",02a50533", ",02a5053z", 1), r":\d+: column 'instruction': expected hexadecimal digits, found '02a5053z'"),
                          (self.table(rows, "address,word"), r":1: expected columns pc and instruction, or rvfi_pc_rdata"),
                          (self.table([]), "no kernel runs in the trace"), (self.table(rows) + "1\n", "1 fields in this row")):
            self.verify(text, 3, out="", err=why)
        for words, why in ((("--trace", "x"), "--trace needs --verify and --isa"), (("--trace", "x", "--isa", "rv32i", "--verify"), "no instruction set"),
                           (("--trace", "x", "--emit", "y"), "exclude each other"), (("--trace", "x", "--confounded"), "exclude each other")):
            self.expect(support.Run("kernels", *words), 2, out="", err=why)

    def test_programs_are_those_of_the_seed(self):
        trace = self.write("trace.csv", self.table(self.rows()))
        words = ("validate", "--trace", trace, "--isa", "rv32imc", "--iterations", self.TURNS)
        self.expect(support.Run(*words, "--programs", "3"), 3, out="", err="a run of another kernel than the 4 of rv32imc: .* with the same options")
        self.expect(support.Run(*words, "--programs", len(self.kernels) - 1), 1, out=r"(?m)^program-1\.1 +WRONG ", err=r"do not match their facts: \d+")
        for more, why in (((self.folder,), "takes no directory of a sweep"), (("--benchmark", "branch"), "takes no --benchmark|unknown option"),
                          (("--counters", "2"), "takes --seed, --programs and --iterations alone"), (("--emit", "x"), "takes --seed")):
            self.expect(support.Run(*words, *more), 2, out="", err=why)
        self.expect(support.Run("validate", "--trace", trace), 2, err="--trace needs --isa")


if __name__ == "__main__":
    support.main()
