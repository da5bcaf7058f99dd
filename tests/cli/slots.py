"""Cycles and slots of programs whose instructions are known, under models with time; and Top-Down by one command."""

import csv
import json
import os
import re
import shutil

import support
from projecting import Counting

TURNS = 20000
SHARES = ("slots_retired", "slots_bad_speculation", "slots_frontend", "slots_backend")


class Slots(Counting):
    def setUp(self):
        super().setUp()
        if os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        run = support.Run("count", "--pmu", "software:golden-cove", "--events", "instructions", "--", "true")
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())

    def program(self, name, turn, before=""):
        """In memory there are 16 MiB, and rdx points to a line of them that holds the address of the next one, far away."""
        return self.build(name, "gcc", f"""
    .globl _start
_start:
    {before}
    mov $88172645, %r8d
    mov ${TURNS}, %ecx
1:  {turn}
    sub $1, %ecx
    jnz 1b
    mov $60, %eax
    xor %edi, %edi
    syscall
    .bss
    .balign 64
data: .skip 16777216
""")

    def facts(self, model, *program, **_):
        names = ("instructions", "cycles", "slots", *SHARES, "slots_wrong_path", "slots_backend_memory", "mispredicted_cond")
        found = self.table(self.count(*program, "--pmu", f"software:{model}", "--repeat", "1", "--events", ",".join(names)))
        self.assertEqual(found["slots"], sum(found[share] for share in SHARES))
        return {name: found[name] for name in names}

    # Cycles of a turn on Golden Cove, beside the counter of turns: six slots a cycle.
    TURN = {"a chain": ("add %rsi, %rax\n" * 8, 8), "no chain": ("lea 1(%rsi), %rax\n lea 2(%rsi), %rdi\n" * 10, 4.4), "sums": ("addsd %xmm1, %xmm0\n" * 4, 8),
            "products": ("mulsd %xmm1, %xmm2\n mulsd %xmm1, %xmm3\n" * 4, 16), "quotients": ("divsd %xmm1, %xmm0\n", 14), "moves": ("mov %rax, %rdi\n mov %rdi, %rax\n" * 3 + "add %rsi, %rax", 8 / 6)}

    def test_cycles_and_shares(self):
        for number, (name, (turn, cycles)) in enumerate(self.TURN.items()):
            with self.subTest(name):
                found = self.facts("golden-cove", self.program(f"turn{number}", turn))
                self.assertAlmostEqual(found["cycles"] / TURNS, cycles, delta=.25)
        found = self.facts("golden-cove", self.program("chain", "add %rsi, %rax\n" * 8))
        self.assertGreater(found["slots_backend"], .8 * found["slots"])
        self.assertLess(found["slots_backend_memory"], .05 * found["slots"])

    def test_mispredictions(self):
        """A draw of xorshift each turn, whose lowest bit decides."""
        turn = "mov %r8, %r9\n shl $13, %r9\n xor %r9, %r8\n mov %r8, %r9\n shr $7, %r9\n xor %r9, %r8\n mov %r8, %r9\n shl $17, %r9\n xor %r9, %r8\n test $1, %r8\n jz 2f\n add %rsi, %rax\n2:"
        found = self.facts("golden-cove", self.program("random", turn))
        self.assertGreater(found["mispredicted_cond"], .4 * TURNS)
        self.assertGreater(found["slots_bad_speculation"], .5 * found["slots"])
        self.assertGreaterEqual(found["slots_bad_speculation"] - found["slots_wrong_path"], found["mispredicted_cond"] * 17 * 6)

    def test_memory(self):
        """Each turn loads from a line 260 KiB away, whose address depends on the load before."""
        turn = "mov (%rdx,%rbx), %rax\n lea (%rbx,%rax), %rbx\n add $266240, %rbx\n and $16777215, %rbx"
        found = self.facts("golden-cove", self.program("memory", turn, "lea data(%rip), %rdx\n xor %ebx, %ebx"))
        self.assertGreater(found["slots_backend_memory"], .6 * found["slots"])
        again = self.facts("golden-cove", self.program("memory", turn, "lea data(%rip), %rdx\n xor %ebx, %ebx"))
        self.assertEqual(found, again)

    def test_top_down(self):
        program = self.program("chain", "add %rsi, %rax\n" * 8)
        for model, parts in (("golden-cove", 2), ("emerald-rapids", 2), ("zen4", 1)):
            output = self.folder / f"{model}.json"
            self.expect(support.Run("topdown", "--pmu", f"software:{model}", "--format", "json", "--output", output, "--", program), 0, "", "")
            values = {metric["metric"]: metric["values"][0] for metric in json.loads(output.read_text())["metrics"]}
            self.assertAlmostEqual(sum(values[name] for name in ("Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound")), 1, places=4)
            self.assertGreater(values["Backend_Bound"], .7)
            if parts == 2:
                self.assertAlmostEqual(values["Memory_Bound"] + values["Core_Bound"], values["Backend_Bound"])
        told = support.Run("topdown", "--pmu", "software:golden-cove", "--", "sh", "-c", "echo hello; exit 7")
        self.assertEqual((told.code, told.out), (7, "hello\n"))
        self.assertRegex(told.err, r"(?m)^Metric +program\n(.*\n)+  Backend_Bound +0\.\d+\n    Memory_Bound ")

    def test_trees_of_count(self):
        """Below the counts that the table needs stands the tree that `topdown` writes alone; JSON has its document, CSV the counts alone."""
        for model in ("golden-cove", "zen4", "neoverse-v2"):
            with self.subTest(model):
                program = self.arm_program("arm", self.AARCH64["loads"][0]) if model == "neoverse-v2" else self.program("chain", "add %rsi, %rax\n" * 8)
                table = support.SOURCE / f"data/formulas/topdown-{model}.csv"
                words = ("count", "--pmu", f"software:{model}", "--formulas", table)
                alone = self.expect(support.Run("topdown", "--pmu", f"software:{model}", "--", program), 0, None, "").err
                told = self.expect(support.Run(*words, "--", program), 0, None, "").err
                self.assertRegex(told, r"(?m)^Event +Value (.*\n)+\nMetric +program\n")
                self.assertTrue(told.endswith(alone), told)
                document = json.loads(self.expect(support.Run(*words, "--format", "json", "--", program), 0, None, "").err)
                self.assertEqual(document["formulas"]["schema"], "catmint.evaluate/1")
                self.assertEqual(document["formulas"]["metrics"], json.loads(support.Run("topdown", "--pmu", f"software:{model}", "--format", "json", "--", program).err)["metrics"])
                self.assertEqual((document["formulas"]["counts"], document["formulas"]["runs"], document["formulas"]["faults"]), (str(program), ["program"], []))
                self.assertNotIn("Retiring", self.expect(support.Run(*words, "--format", "csv", "--", program), 0, None, "").err)
                self.assertIsNone(json.loads(support.Run("count", "--pmu", f"software:{model}", "--format", "json", "--", program).err)["formulas"])

    def test_values_of_count_that_are_missing(self):
        formulas = self.write("ratios.csv", "metric,formula,unit,source\nnone,INST_RETIRED:ANY / NO_SUCH_EVENT,,ours\nper cycle,INST_RETIRED:ANY / CPU_CLK_UNHALTED:THREAD,,ours\n")
        words = ("count", "--pmu", "software:golden-cove", "--formulas", formulas)
        told = self.expect(support.Run(*words, "--", "sh", "-c", "exit 7"), 7, None, "").err
        self.assertRegex(told, r"(?m)^none +-\nper cycle +[0-9.e+-]+\nFaults +none, every run: 'NO_SUCH_EVENT' has no value: ")
        document = json.loads(support.Run(*words, "--format", "json", "--", "true").err)["formulas"]
        self.assertEqual([metric["values"][0] is None for metric in document["metrics"]], [True, False])
        self.assertIn("NO_SUCH_EVENT", document["metrics"][0]["reasons"][0])

    def test_the_model_is_that_of_discover(self):
        """Of a processor whose model has no time, too; hardware counts where it can."""
        chosen = json.loads(support.Run("events", "--pmu", "software", "--format", "json").out)["pmu"]
        output = self.folder / "unnamed.json"
        told = support.Run("topdown", "--pmu", "software", "--format", "json", "--output", output, "--", "true")
        self.expect(told, 0, f"^catmint: the model {chosen.removeprefix('software:')} counts, since ", "")
        self.assertIn("Retiring", [metric["metric"] for metric in json.loads(output.read_text())["metrics"]])

    WITHOUT_TIME = {"power9", "kunpeng-920"}  # tables of these are for counts of hardware

    def tree(self, model, *words):
        output = self.folder / f"{model}.json"
        told = self.expect(support.Run("topdown", "--pmu", f"software:{model}", "--format", "json", "--output", output, *words[:-1], "--", words[-1]), 0, None, "")
        document = json.loads(output.read_text())
        self.assertEqual(document["counts"], str(words[-1]))  # what was counted; the counts themselves are not kept
        return document["metrics"], told.err

    def test_every_model_with_a_table_is_measured(self):
        """The shares of the first level add up to 1, and those of a part to it; what the model does not know is named."""
        models = support.SOURCE / "data/pmu"
        tables = {path.stem.removeprefix("topdown-") for path in (support.SOURCE / "data/formulas").glob("topdown-*.csv")}
        timed = {path.parent.name for path in models.glob("*/time.csv")}
        self.assertEqual(tables - timed, self.WITHOUT_TIME)
        self.assertEqual(timed - tables, {"cascade-lake", "skylake-client", "emerald-rapids", "golden-cove-client"})  # tables of the same core
        programs = {"x86_64": self.program("chain", "add %rsi, %rax\n" * 8)}
        if shutil.which("aarch64-linux-gnu-gcc") is not None and shutil.which("qemu-aarch64") is not None:
            programs["aarch64"] = self.build("arm", "aarch64-linux-gnu-gcc", self.ARM.format(turn="add x1, x1, x2\n" * 8))
        for model in sorted(timed):
            if model == "a64fx":
                continue  # of commits: below
            program = programs.get("aarch64" if model.startswith("neoverse") else "x86_64")
            if program is None:
                continue
            with self.subTest(model):
                metrics, told = self.tree(model, program)
                values = {metric["metric"]: metric["values"][0] for metric in metrics}
                parents = {metric["parent"] for metric in metrics} - {None, ""}
                parts = {parent: [values[metric["metric"]] for metric in metrics if metric["parent"] == parent] for parent in parents}
                for parent, found in parts.items():
                    lacking = parent == "Backend_Bound" and model in ("ice-lake", "ice-lake-client", "skylake", "skylake-client", "cascade-lake")
                    self.assertEqual(None in found, lacking, parent)
                    if not lacking:
                        self.assertAlmostEqual(sum(found), 1 if parent in ("Slots", "Clocks") else values[parent], places=4)
                self.assertGreater(values.get("Backend_Bound", 1), .6)  # of Neoverse N1 a cycle with one operation is none that is stalled
                self.assertEqual("Memory_Bound, every run: 'CYCLE_ACTIVITY:STALLS_MEM_ANY' has no value: the emulated PMU does not know its meaning" in told,
                                 None in values.values())

    def test_shares_are_those_of_the_model(self):
        """AMD's tables give the front end and the back end of a program that waits for code what the model's own slots do, within a tenth of all slots."""
        for model in ("zen2", "zen3", "zen4", "zen5"):
            counts = self.folder / "slots.json"
            facts = ("slots", "slots_frontend", "slots_backend")
            run = support.Run("count", "--pmu", f"software:{model}", "-e", ",".join(facts), "--format", "json", "-o", counts, "--", "true")
            if "the emulated PMU needs qemu" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 0)
            slots, front, back = (event["value"] for event in json.loads(counts.read_text())["scopes"][0]["events"])
            values = {metric["metric"]: metric["values"][0] for metric in self.tree(model, "true")[0]}
            with self.subTest(model):
                self.assertAlmostEqual(values["Frontend_Bound"], front / slots, delta=.1)
                self.assertAlmostEqual(values["Backend_Bound"], back / slots, delta=.1)

    def test_what_is_advised_is_taken(self):
        """Of the program's architecture, with time and a table; where no model has both, hardware."""
        head = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00%c\x00" + bytes(44)
        for architecture, machine in (("x86_64", 62), ("aarch64", 183), ("ppc64le", 21), ("riscv64", 243)):
            program = self.write(architecture, head % machine)
            program.chmod(0o755)
            for model in ("kunpeng-920", "power9", "power10", "sifive-u74", "haswell", "golden-cove", "neoverse-v2"):
                told = support.Run("topdown", "--pmu", f"software:{model}", "--", program)
                if model == {"x86_64": "golden-cove", "aarch64": "neoverse-v2"}.get(architecture):
                    continue  # it is taken, and no such program runs
                with self.subTest(architecture=architecture, model=model):
                    self.expect(told, 125, rf"(the program is of {architecture}, and the model {model} is not|{model} has no Top-Down table \(data/formulas/topdown-{model}.csv\)|the model {model} has a Top-Down table, but no time)", "")
                    advised = re.search(r": use --pmu hardware, or --pmu software:MODEL with one of these models: ([a-z0-9-]+( \(of this processor\))?(, [a-z0-9-]+)*)$", told.err)
                    self.assertEqual(advised is None, architecture in ("ppc64le", "riscv64"), told.err)
                    if advised is None:
                        self.assertIn(f"no model of {architecture} has both, use --pmu hardware\n", told.err)
                        continue
                    names = [name.split(" ")[0] for name in advised[1].split(", ")]
                    self.assertEqual((len(set(names)), "golden-cove" in names, "neoverse-v2" in names), (len(names), architecture == "x86_64", architecture == "aarch64"))
                    for name in {names[0], names[-1]}:
                        self.assertRegex(support.Run("models", name).out, rf"(?m)^{name} +({architecture}|any processor), ")
                        self.assertNotRegex(support.Run("topdown", "--pmu", f"software:{name}", "--", program).err, "is not: use|no Top-Down table|no time")
            if architecture in ("ppc64le", "riscv64"):
                self.expect(support.Run("topdown", "--pmu", "software", "--", program), 125, f"no model of {architecture} has both", "")
        run = support.Run("topdown", "--pmu", "hardware", "--core", "cpu_x", "--", "true")
        if "no hardware counters here" in support.Run("topdown", "--pmu", "hardware", "--", "true").err:  # the types of cores do not matter then
            self.expect(run, 125, r"^catmint: the kernel offers no hardware counters here \(.*\)$", "")

    def test_a_type_of_cores(self):
        """Of a hybrid processor its tree is that of the type's own model."""
        self.expect(support.Run("topdown", "--pmu", "software:alder-lake", "--core", "cpu_x", "--", "true"), 125, r"several types \(cpu_core, cpu_atom\): expected one of them, as in --core cpu_core, found 'cpu_x'$", "")
        self.expect(support.Run("topdown", "--pmu", "software:zen4", "--core", "cpu_core", "--", "true"), 125, "cores that are all alike, none of the type 'cpu_core'$", "")
        trees = [self.tree(*words, "true")[0] for words in (("golden-cove",), ("alder-lake", "--core", "cpu_core"), ("gracemont",), ("alder-lake", "--core", "cpu_atom"))]
        names = [[metric["metric"] for metric in tree] for tree in trees]
        self.assertEqual(names[0::2], names[1::2])
        for tree in trees:
            self.assertNotIn(None, [metric["values"][0] for metric in tree if metric["metric"] in ("Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound")])

    def test_what_is_not_counted_is_said(self):
        told = support.Run("topdown", "--pmu", "software:golden-cove", "--", "sh", "-c", "exec true")
        self.assertRegex(told.err, r"\Acatmint: not counted: 1 program started by exec\nMetric +program\n")

    def test_what_has_no_time_is_refused(self):
        for model, why in (("haswell", r"haswell has no Top-Down table \(data/formulas/topdown-haswell.csv\): use "), ("power9", "the program is of .*, and the model power9 is not: use "),
                           ("alder-lake", r"the model alder-lake has cores of several types \(cpu_core, cpu_atom\): expected one of them, as in --core cpu_core$")):
            self.expect(support.Run("topdown", "--pmu", f"software:{model}", "--", "true"), 125, f"^catmint: {why}", "")
        told = support.Run("count", "--pmu", "software:haswell", "--events", "cycles,instructions", "--", "true")
        self.assertRegex(told.err, r"(?m)^cycles .*not modelled")

    # Cycles of a turn on Neoverse V2, beside the counter of turns: eight slots a cycle.
    AARCH64 = {"a chain": ("add x1, x1, x2\n" * 8, 8), "no chain": ("add x1, x2, #1\n add x3, x2, #2\n" * 11, 4), "sums": ("fadd d0, d0, d1\n" * 4, 8),
               "products": ("madd x1, x2, x3, x1\n" * 4, 12), "quotients": ("fdiv d0, d0, d1\n", 13), "moves": ("mov x4, x1\n" * 6 + "add x1, x1, x2", 1.125),
               "loads": ("ldr x1, [x1]\n" * 4, 16), "compares": ("cmp x1, x2\n csel x1, x1, x2, lt\n" * 4, 8)}

    ARM = f"""
    .globl _start
_start: mov w9, #{TURNS}
    mov x8, #12345
    mov x3, #0
    adrp x1, place
    add x1, x1, :lo12:place
    str x1, [x1]
1:  {{turn}}
    subs w9, w9, #1
    b.ne 1b
    mov x8, #93
    mov x0, #0
    svc #0
    .bss
    .balign 64
place: .skip 16777216
"""

    def arm_program(self, name, turn):
        """x1 holds the address of a place that holds it too."""
        compiler = shutil.which("aarch64-linux-gnu-gcc")
        if compiler is None or shutil.which("qemu-aarch64") is None:
            self.skipTest("no compiler for aarch64, or no emulator, is here")
        return self.build(name, compiler, self.ARM.format(turn=turn))

    def test_aarch64_has_time_too(self):
        for number, (name, (turn, cycles)) in enumerate(self.AARCH64.items()):
            program = self.arm_program(f"arm{number}", turn)
            with self.subTest(name):
                found = self.facts("neoverse-v2", program)
                self.assertAlmostEqual(found["cycles"] / TURNS, cycles, delta=.25)
        output = self.folder / "arm.json"
        self.expect(support.Run("topdown", "--pmu", "software:neoverse-v2", "--format", "json", "--output", output, "--", program), 0, "", "")
        values = {metric["metric"]: metric["values"][0] for metric in json.loads(output.read_text())["metrics"]}
        self.assertAlmostEqual(sum(values[name] for name in ("Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound")), 1, places=4)

    def test_shares_after_mispredictions(self):
        """Arm's metrics take the slots of some cycles a misprediction off both ends: those that the model has lost there, so that no share is negative."""
        for name, turn in (("random", self.A64FX["random"][0]), ("loads", self.AARCH64["loads"][0])):
            program = self.arm_program(name, turn)
            for model in ("neoverse-v2", "neoverse-n2", "neoverse-v1"):
                with self.subTest(model, program=name):
                    output = self.folder / f"{name}.json"
                    self.expect(support.Run("topdown", "--pmu", f"software:{model}", "--format", "json", "--output", output, "--", program), 0, "", "")
                    values = {metric["metric"]: metric["values"][0] for metric in json.loads(output.read_text())["metrics"]}
                    shares = [values[name] for name in ("Retiring", "Bad_Speculation", "Frontend_Bound", "Backend_Bound")]
                    self.assertAlmostEqual(sum(shares), 1, places=4)
                    self.assertGreaterEqual(min(shares), 0)
                    self.assertGreater(values["Bad_Speculation" if name == "random" else "Backend_Bound"], .3)

    # Of a turn on the A64FX, beside its counter and branch: the level that the tree must show, and the cycles of a turn.
    A64FX = {"sums": ("fadd d0, d0, d1\n" * 4, 36, ("0_Instruction_Commit", "Compute_Bound")), "four": ("add x4, x2, #1\n add x5, x2, #1\n" * 8, 4.5, ("4_Instruction_Commit",)),
             "loads": ("ldr x1, [x1]\n" * 4, 20, ("0_Instruction_Commit", "Memory_Bound", "L1_Hit", "L1_Hit_Base")),
             "lines": ("ldr d1, [x1, x3]\n fmov x4, d1\n add x3, x3, x4\n add x3, x3, #16, lsl #12\n add x3, x3, #1024\n and x3, x3, #0xfffff8\n", None, ("0_Instruction_Commit", "Memory_Bound", "L2_Miss", "L2_Miss_Vector")),
             "vectors": ("add v0.2d, v0.2d, v1.2d\n" * 4, 16, ("0_Instruction_Commit", "Compute_Bound")), "pairs": ("ldp x4, x5, [x1]\n" * 8, 4.5, ()),  # two operations each
             "prefixes": (".arch armv8.2-a+sve\n" + "movprfx z0, z1\n fmla z0.d, p0/m, z2.d, z3.d\n" * 8, 4, ()),  # which are one with the next instruction
             "random": ("eor x8, x8, x8, lsl #13\n eor x8, x8, x8, lsr #7\n eor x8, x8, x8, lsl #17\n tbz x8, #0, 2f\n add x4, x4, #1\n2:", None, ("0_Instruction_Commit", "Frontend_Bound"))}

    def test_commits_of_a64fx(self):
        """The tree of commits of programs that wait for one thing, each box at least half of the one above; each level adds up."""
        for number, (name, (turn, cycles, path)) in enumerate(self.A64FX.items()):
            program, output = self.arm_program(f"fx{number}", turn), self.folder / f"fx{number}.json"
            with self.subTest(name):
                told = self.expect(support.Run("topdown", "--pmu", "software:a64fx", "--format", "json", "--output", output, "--", program), 0, None, "")
                self.assertFalse([line for line in told.err.splitlines() if "division by zero" not in line])  # parts of what never happens
                values = {metric["metric"]: metric["values"][0] for metric in json.loads(output.read_text())["metrics"]}
                self.assertAlmostEqual(sum(values[f"{commits}_Instruction_Commit"] for commits in range(5)), 1, places=6)
                self.assertAlmostEqual(values["Other"], 0, places=6)
                if cycles is not None:
                    self.assertAlmostEqual(values["Clocks"] / TURNS, cycles, delta=.25)
                for box in path:
                    self.assertGreater(values[box], .5, box)
        run = support.Run("count", "--pmu", "software:a64fx", "--plan", support.SOURCE / "data/plans/topdown-a64fx.csv", "--format", "csv", "--", program)
        counted = {row["name"]: int(row["value"]) for row in csv.DictReader(run.err.splitlines())}  # each of the paper's sets
        self.assertEqual((len(counted), counted["CPU_CYCLES"]), (18, sum(counted[f"{commits}INST_COMMIT"] for commits in range(5))))


if __name__ == "__main__":
    support.main()
