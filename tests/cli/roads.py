"""Each command goes one road from its input to its end: what runs under the sanitizers of the program's surface."""

import re

import freestanding
import import_ncu
import projecting
import support

FORMULAS = "metric,formula,unit,source\nConditional Branches Taken,BR_INST_RETIRED:COND_TAKEN,,here\n"


class Roads(support.Case):
    def test_every_command(self):
        """(command, its arguments, exit codes): the first ones make what the others read."""
        branch = ("--benchmark", "branch", "--pmu", "software:golden-cove", *support.software_alone(), "--events", "BR_*", "--repetitions", "2", "--workers", "1")
        sweep, results, bundle = self.folder / "sweep", self.folder / "results.json", self.folder / "sweep.bundle"
        formulas = self.write("formulas.csv", FORMULAS)
        counts = self.write("counts.csv", "event,one,two\nBR_INST_RETIRED:COND_TAKEN,5,6\n")
        table = self.write("table.csv", support.measurements("branch", {"BR": {"CR": 1}}))
        machines = [self.write(f"{name}.csv", projecting.machine(values)) for name, values in (("from", projecting.SOURCE), ("to", projecting.TARGET))]
        mix = self.write("mix.csv", projecting.mix(projecting.MIX, "here", "there"))
        console = self.write("console.log", freestanding.counted(("minstret",), {("branch", "b2"): (7,), ("branch", "b3"): (6,)}))
        launches = self.write("launches.csv", import_ncu.narrow(import_ncu.launches()))
        cat = [support.SOURCE / f"tests/data/cat/run{run}" for run in (1, 2)]
        rows = [
            ("sweep", (*branch, "--out", sweep), (0,)),
            ("analyze", (sweep, "--format", "json", "--output", results), (0,)),
            ("validate", (sweep, "--pmu", "software:golden-cove", "--programs", "2"), (0, 1, 4)),  # 1: something is refuted; 4: no programs here
            ("explain", ("BR_INST_RETIRED:COND_TAKEN", sweep), (0,)),
            ("explain", ("--metric", "Conditional Branches Taken", sweep), (0,)),
            ("evaluate", (formulas, "--counts", counts), (0,)),
            ("audit", (formulas, "--against", results), (0,)),
            ("audit", (formulas, "--pmu", "software:haswell", "--benchmark", "branch"), (0,)),
            ("lint", (formulas,), (0,)),
            ("count", ("--pmu", "software:golden-cove", "--results", results, "--", "true"), (0, 125)),  # 125: QEMU loads no plugin with sanitizers
            ("topdown", ("--pmu", "software:golden-cove", "--", "true"), (0, 125)),
            ("project", ("--from", machines[0], "--to", machines[1], "--mix", mix, "--performance", "1.5"), (0,)),
            ("roofline", ("--repetitions", "1", "--rounds", "1", "--precision", "double", "--cores", "0", "--out", self.folder / "roofline"), (0, 1, 4)),
            ("incore", ("--assembly", self.write("loop.s", "f:\n1:\n\taddq $1, %rax\n\tjne 1b\n"), "--machine", "zen5"), (0,)),
            ("incore", ("--ports", "--machine", "neoverse-v2", "--format", "svg"), (0,)),
            ("incore", ("--repetitions", "1", "--rounds", "1", "--load-seconds", "0.01"), (0, 1, 4)),
            ("export", (results, "--to", "papi", "--cpu", "spr", "--output", self.folder / "presets.csv"), (0, 1)),
            ("report", (results, "--output", self.folder / "report.html"), (0,)),
            ("bundle", (sweep, "--output", bundle), (0,)),
            ("bundle", (bundle, "--check"), (0,)),
            ("diff", (results, results), (0,)),
            ("events", ("--pmu", "software:golden-cove"), (0,)),
            ("doctor", (), (0, 1, 4)),
            ("kernels", ("--verify", "--benchmark", "branch", "--pmu", "software:golden-cove"), (0,)),
            ("kernels", ("--run", "--benchmark", "gpu-flops", "--pmu", "software:hopper"), (0,)),
            ("kernels", ("--plan", "rocprofv3", "--benchmark", "gpu-memory", "--pmu", "software:mi300x"), (0,)),
            ("merge", (sweep, "--out", self.folder / "merged"), (0,)),
            ("import", (table, "--benchmark", "branch", "--out", self.folder / "imported"), (0,)),
            ("import-cat", (*cat, "--out", self.folder / "cat"), (0, 1)),
            ("kernels", ("--emit", self.folder / "emitted", "--isa", "rv32imafc"), (0,)),
            ("import", ("--console", console, "--out", self.folder / "console"), (0,)),
            ("import-ncu", (launches, "--out", self.folder / "ncu"), (0, 1)),
            ("measure", (self.write("add.s", "\taddq %rcx, %rax\n"), "--pmu", "software:golden-cove", "--repetitions", "1"), (0, 4)),
            ("manual", ("analyze",), (0,)),
            ("metrics", ("dp ops",), (0,)),
            ("models", (), (0,)),
            ("completion", ("bash",), (0,)),
            ("discover", (*branch, "--programs", "1", "--out", self.folder / "found"), (0, 1)),
        ]
        for command, arguments, codes in rows:
            run = support.Run(command, *arguments)
            with self.subTest(command):
                self.assertIn(run.code, codes, str(run))
                self.assertNotRegex(run.err, "ERROR: (Address|Leak)Sanitizer|runtime error:", str(run))
        listed = re.findall(r"(?m)^  ([a-z-]+)  ", support.Run("--help").out)
        self.assertEqual(sorted(listed), sorted({command for command, _, _ in rows}))


if __name__ == "__main__":
    support.main()
