"""Kernels without an operating system, in QEMU's `virt` machines: emitted, built, run, imported and analysed. Instructions are exact: those that trap
count as ten lines of assembly say (traps.py)."""

import csv
import os
import re
import shutil
import subprocess

import support
import traps

# Events that QEMU's machine counts by being asked: those of the SBI specification's PMU on RISC-V, of the PMU architecture on aarch64.
MACHINES = {
    "riscv64": ("riscv64-unknown-elf-gcc riscv64-linux-gnu-gcc", ("rv64gc", "rv32imafc", "rv32imc"), "code,event\n1,CYCLES\n2,INSTRUCTIONS\n",
                ("minstret", "INSTRUCTIONS")),
    "aarch64": ("aarch64-linux-gnu-gcc", ("aarch64", "aarch64+lse+fp16+crc+aes"), "code,event\n0x8,INST_RETIRED\n0x11,CPU_CYCLES\n", ("INST_RETIRED",)),
}
RUNS = 20


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.reader(line for line in file if line[0] != "#"))


class Freestanding(support.Case):
    def facts(self, folder, traps_count=True):
        """Instructions of a turn, by benchmark and kernel; with those that trap, or without."""
        rows = rows_of(folder / "kernels.csv")[1:]
        count = lambda row, facts: sum(float(found[1] or 1) for found in re.finditer(rf"(?<!\w)(?:([\d.]+)\*)?(?:{facts})\b", row[3]))
        return {(row[0], row[1]): count(row, "instructions") - (0 if traps_count else count(row, "environment_calls|breakpoints")) for row in rows}

    def make(self, folder, *words):
        done = subprocess.run(["make", "-s", "-C", folder, *words], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check(self, isa, compiler, events, exact):
        folder, counted = self.folder / isa, self.folder / f"{isa}-counted"
        self.expect(support.Run("kernels", "--emit", folder, "--isa", isa, "--target", "freestanding", "--events", events), 0)
        log = self.write(f"{isa}.log", self.make(folder, "run", f"CC={compiler}", f"REPETITIONS={RUNS}"))
        self.expect(support.Run("import", "--console", log, "--out", counted, "--name", f"QEMU {isa}"), 0, err=f"{RUNS} repetitions, which agree")
        bits = 32 if isa.startswith("rv32") else 64
        traps_count = isa.startswith("rv") and traps.retired_around_a_call(self.folder, bits) == 2
        facts, seen = self.facts(folder, traps_count), set()
        for benchmark in sorted({benchmark for benchmark, _ in facts}):
            rows = rows_of(counted / f"{benchmark}.csv")
            for row in rows[2:]:
                for kernel, turns, count in zip(rows[0][3:], rows[1][3:], row[3:]):
                    if row[0] in exact:
                        seen.add((benchmark, kernel, row[0], row[1]))
                        self.assertEqual(float(count), facts[benchmark, kernel] * float(turns), f"{isa}: {row[0]} on {kernel}, repetition {row[1]}")
        self.assertEqual(len(seen), len(facts) * len(exact) * RUNS)
        results = self.expect(support.Run("analyze", counted, "--format", "json"), 0).json()
        self.assertEqual((results["pmu"], results["machine"]["model_name"]), ("hardware", f"QEMU {isa}"))
        metric = next(metric for entry in results["benchmarks"] if entry["benchmark"] == "instructions"
                      for metric in entry["metrics"] if metric["metric"] == "Instructions")
        self.assertTrue(metric["composable"], isa)
        self.assertEqual([term["coefficient"] for term in metric["definition"]], [1.0], isa)

    def trace(self, isa, compiler):
        """What retires, instruction by instruction, is what the facts say."""
        folder = self.folder / f"{isa}-traced"
        self.expect(support.Run("kernels", "--emit", folder, "--isa", isa), 0)
        self.verify(folder, compiler, "kernels", "--verify", "--isa", isa, kernels=len(self.facts(folder)))

    def verify(self, folder, compiler, *words, kernels):
        self.make(folder, "trace", f"CC={compiler}", "TURNS=16", "REPETITIONS=1")
        self.expect(support.Run(*words, "--trace", folder / "trace.csv", "--iterations", "16"), 0,
                    err="", out=f"(?m)^{kernels} kernels match their facts, 0 do not, 0 were not run$")

    def judge(self, isa, compiler, events):
        """Programs of a seed, beside a few kernels: what retires is what they do, and they hold the definition of instructions."""
        kernels, programs, counted = (self.folder / f"{isa}-{name}" for name in ("kernels", "programs", "both"))
        self.expect(support.Run("kernels", "--emit", kernels, "--isa", isa, "--benchmark", "instructions", "--events", events), 0)
        self.expect(support.Run("validate", "--emit", programs, "--isa", isa, "--seed", "7", "--programs", "6", "--events", events), 0)
        self.verify(programs, compiler, "validate", "--isa", isa, "--seed", "7", "--programs", "6", kernels=7)
        logs = [self.write(f"{folder.name}.log", self.make(folder, "run", f"CC={compiler}")) for folder in (kernels, programs)]
        self.expect(support.Run("import", "--console", *logs, "--out", counted), 0, err="6 programs are in")
        document = self.expect(support.Run("validate", counted, "--format", "json"), 0).json()
        held = next(metric for entry in document["benchmarks"] for metric in entry["metrics"] if metric["metric"] == "Instructions")
        self.assertEqual((held["verdict"], held["validation"]["programs"], held["validation"]["worst"]), ("held", 6, 0), isa)

    def test_instructions_are_exact(self):
        self.each_set(self.check)

    def test_programs_judge_definitions(self):
        self.each_set(lambda isa, compiler, events, exact: self.judge(isa, compiler, events))

    def test_facts_are_those_of_a_trace(self):
        self.each_set(lambda isa, compiler, events, exact: self.trace(isa, compiler))

    def each_set(self, check):
        architecture = os.environ["CATMINT_ARCHITECTURE"]
        compilers, sets, events, exact = MACHINES[architecture]
        compiler = next(filter(shutil.which, compilers.split()), None)
        tools = ["make", *sorted({f"qemu-system-{'riscv32' if isa.startswith('rv32') else architecture}" for isa in sets})]
        missing = [tool for tool in tools if shutil.which(tool) is None] + ([] if compiler else [compilers.split()[0]])
        if missing:
            self.skipTest(f"{missing[0]} is not installed")
        events = self.write("events.csv", events)
        for isa in sets:
            with self.subTest(isa=isa):
                check(isa, compiler, events, exact)


if __name__ == "__main__":
    support.main()
