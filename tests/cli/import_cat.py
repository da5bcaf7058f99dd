"""Outputs of PAPI's cat_collect become measurement tables, and what cannot be used is named."""

import csv
import shutil

import support

CAT = support.SOURCE / "tests/data/cat"
RUNS = [CAT / f"run{number}" for number in (1, 2, 3)]


def table(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


class ImportCat(support.Case):
    def imported(self, *sources, code=1):
        out = self.folder / "out"
        run = self.expect(support.Run("import-cat", *sources, "--out", out), code, out="")
        return out, run

    def test_real_outputs(self):
        out, run = self.imported(*RUNS)
        for suffix in ("branch", "vec"):
            self.assertRegex(run.err, rf"run1/perf::CPU-CYCLES\.{suffix}: the file is empty")
        self.assertRegex(run.err, r"run3/perf::CPU-CYCLES\.data\.reads: the file holds no count")
        self.assertRegex(run.err, r"HP sections are not used")
        self.assertRegex(run.err, r"576 lines of \.data\.reads files are not used")
        self.assertRegex(run.err, r"12 events used, 3 left out, 3 repetitions")
        branch = table(out / "branch.csv")
        self.assertEqual(len(branch), 4 * 3)
        clock = [row for row in branch if row["event"] == "perf::TASK-CLOCK" and row["repetition"] == "1"][0]
        self.assertEqual([clock[name] for name in ("b1", "b2", "b3", "b4", "b4a", "b4b", "b5", "b5a", "b5b", "b6", "b7")],
                         ["5.75", "5.75", "5.5", "54", "66", "65.25", "33.5", "45", "44.25", "11.25", "2.25"])
        flops = table(out / "cpu-flops.csv")
        clock = [row for row in flops if row["event"] == "perf::TASK-CLOCK" and row["repetition"] == "1"][0]
        self.assertEqual(len(clock), 3 + 48)
        for kernel, count in (("S_SCAL.24", 512), ("D_512.96", 601), ("S_FMA_SCAL.12", 1077), ("D_FMA_512.48", 431)):
            self.assertEqual(clock[kernel], str(count), kernel)
        reads = table(out / "dcache.csv")
        self.assertEqual(len(reads), 4 * 3 * 2)
        clock = [row for row in reads if row["event"] == "perf::TASK-CLOCK" and row["repetition"] == "1"]
        self.assertEqual([row["thread"] for row in clock], ["0", "1"])
        self.assertEqual([row["L1.1"] for row in clock], ["1.439072", "1.415283"])
        self.assertEqual([row["L3.3"] for row in clock], ["42.012415", "42.475192"])
        self.assertEqual(clock[0]["L1.4"], "1.286743")  # the larger stride
        events = {row["event"]: row for row in table(out / "events.csv")}
        self.assertEqual({name: row["status"] for name, row in events.items()}, {
            "perf::CPU-CYCLES": "unavailable", "perf::CONTEXT-SWITCHES": "counted", "perf::MINOR-FAULTS": "counted",
            "perf::PERF_COUNT_SW_PAGE_FAULTS": "counted", "perf::TASK-CLOCK": "counted"})
        self.assertIn("empty", events["perf::CPU-CYCLES"]["reason"])

    def test_a_directory_without_outputs_is_no_repetition(self):
        other = self.folder / "other"
        other.mkdir()
        (other / "EVENT.data.reads.stat").write_text("1 2 3 4\n")
        out, run = self.imported(RUNS[0], other, RUNS[1])
        self.assertRegex(run.err, r"other/EVENT\.data\.reads\.stat: not used")
        self.assertRegex(run.err, r"other: holds no usable output of cat_collect, so it is not a repetition")
        self.assertRegex(run.err, r"12 events used, 3 left out, 2 repetitions")
        self.assertEqual(len(table(out / "branch.csv")), 4 * 2)

    def test_analyze_takes_the_tables(self):
        out, _ = self.imported(*RUNS)
        document = support.Run("analyze", out, "--format", "json").json()
        self.assertEqual([entry["benchmark"] for entry in document["benchmarks"]], ["cpu-flops", "branch", "dcache"])

    def test_half_precision_is_kept_where_there_is_nothing_else(self):
        self.write("cat/EVENT.vec", "# HP FMA Vector AVX128\n12 0\n24 0\n48 0\n")
        out, run = self.imported(self.folder / "cat", code=0)
        self.assertNotIn("not used", run.err)
        self.assertEqual([row["event"] for row in table(out / "cpu-flops.csv")], ["EVENT"])
        self.assertNotIn("D_SCAL.24", table(out / "cpu-flops.csv")[0])

    def test_half_precision_that_counts_is_kept(self):
        source = self.folder / "cat"
        source.mkdir()
        text = (RUNS[0] / "perf::TASK-CLOCK.vec").read_text().replace("# HP Non-FMA Scalar\n24 0", "# HP Non-FMA Scalar\n24 7")
        (source / "E.vec").write_text(text)
        out, run = self.imported(source, code=0)
        self.assertEqual(table(out / "cpu-flops.csv")[0]["H_SCAL.24"], "7")
        self.assertNotIn("HP sections", run.err)

    def test_what_cannot_be_used(self):
        good = (RUNS[0] / "perf::TASK-CLOCK.branch").read_text()
        rows = (  # content of BAD.branch, what is said of it
            ("", r"BAD\.branch: the file is empty"),
            ("\n", r"BAD\.branch: the file holds no count"),
            ("1\n2\n", r"BAD\.branch: it lacks the kernel b3, which other files have"),
            (good + "1\n", r"BAD\.branch: line 12: more than eleven lines"),
            (good.replace("5.50", "-5.50"), r"BAD\.branch: line 3: .*below zero"),
            (good.replace("5.50", "nan"), r"BAD\.branch: line 3: "),
            (good.replace("5.50", "5 6"), r"BAD\.branch: line 3: unexpected text at the end of the line"),
        )
        for content, said in rows:
            with self.subTest(said):
                shutil.rmtree(self.folder / "cat", ignore_errors=True)
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                self.write("cat/GOOD.branch", good)
                self.write("cat/BAD.branch", content)
                out, run = self.imported(self.folder / "cat")
                self.assertRegex(run.err, said)
                self.assertEqual([row["event"] for row in table(out / "branch.csv")], ["GOOD"])

    def test_a_missing_repetition(self):
        for number in (1, 2):
            shutil.copytree(RUNS[number - 1], self.folder / f"r{number}")
        (self.folder / "r2/perf::TASK-CLOCK.branch").unlink()
        out, run = self.imported(self.folder / "r1", self.folder / "r2")
        self.assertRegex(run.err, r"r2/perf::TASK-CLOCK\.branch: there is no such file")
        self.assertNotIn("perf::TASK-CLOCK", (out / "branch.csv").read_text())
        self.assertIn("perf::TASK-CLOCK", (out / "cpu-flops.csv").read_text())

    def flops(self, factor, chance=""):
        """As cat_collect -flops writes it: what an event counts that counts an operation `factor` times, an FMA twice that."""
        text = chance
        for precision in ("Single", "Double"):
            for algorithm in ("Vector Normalization", "Cholesky Decomposition", "GEMM"):
                text += f"#{precision}-Precision {algorithm}\n#N RawEvtCnt NormdEvtCnt ExpectedAdd ExpectedSub ExpectedMul ExpectedDiv ExpectedSqrt ExpectedFMA ExpectedTotal\n"
                for n in range(51):
                    add, sub, mul, div, sqrt, fma = {"V": (n, 0, n, n, n > 0, 0), "G": (0, 0, 0, 0, 0, n**3), "C": (
                        n * (n - 1) * (n + 1) // 6, n * (n + 1) // 2, n * (n - 1) * (n + 4) // 6, n * (n - 1) // 2, n, 0)}[algorithm[0]]
                    total = add + sub + mul + div + sqrt + 2 * fma
                    count = total * factor if precision == "Double" else 0
                    text += f"{n} {count} {count / max(total, 1):.17g} {add} {sub} {mul} {div} {int(sqrt)} {fma} {total}\n"
        return text

    def instructions(self, loads, others=0):
        """As cat_collect -instr of older versions writes it: an event that counts loads, and now and then something else."""
        text = ""
        for name, share in (("MEM_OPS_RO_count", loads), ("MEM_OPS_RO_count(par)", loads), ("MEM_OPS_WO_count(par)", 0), ("FP_ADD_count", 0),
                            ("FP_ADD_count_ILP12", 0), ("INT_ADD_count", others)):
            text += "# (((2+3)*N)+3)*M\n"
            for size in (1024, 1217, 1448, 1722, 2048, 2435, 2896, 3444):
                text += f"{size} {round(share * size * size)} # {name}: {size * size} ({share:.3f})\n"
        return text + "1 1 # FP_ADD_count: -5 (-0.200)\n1 1 # NEW_count: 5 (0.200)\n"

    def headed_instructions(self, counts):
        """As cat_collect -instr of later versions writes it: loops headed by their names, those of subtractions both by the same."""
        text = ""
        pairs = [f"FP{bits}_{name}{ilp}" for bits in (32, 64) for name in ("ADD", "SUB", "MUL", "DIV") for ilp in ("", "(ILP)")]
        for heading in ["Mem_RO", "Mem_RW", "Mem_RO(ILP)", "Mem_WO(ILP)", "Int_ADD", "Int_ADD(ILP)", "Int_MUL(ILP)", "Int_DIV(ILP)", *pairs,
                        "FP32_FMA(ILP)", "FP64_FMA(ILP)", *(f"{kind}VEC{bits}" for kind in "SD" for bits in (128, 256, 512))]:
            text += f"# {heading.replace('SUB', 'SUB(ILP)') if heading.endswith('SUB') else heading}\n"
            for size in (1024, 1217, 1448, 1722, 2048, 2435, 2896, 3444):
                operations = size * size * 50
                count = round(operations * counts.get(heading, 0))
                text += f"{size * size} {count} {operations} {count / operations:.3f}\n"
            text += "\n"
        return text + "# New\n1 1 1 1.000\n"

    def test_files_of_later_versions(self):
        for run in ("a", "b"):
            self.write(f"{run}/E.icache", "".join(f"{number}.5\n" for number in range(48)))
            self.write(f"{run}/LOADS.instr", self.headed_instructions({"Mem_RO": 1, "Mem_RO(ILP)": 1}))
            self.write(f"{run}/SUB.instr", self.headed_instructions({"FP64_SUB": 1, "FP64_SUB(ILP)": 1}))
            self.write(f"{run}/FEW.instr", self.headed_instructions({"FP32_SUB": 1, "SVEC512": 0.5}))
        out, run = self.imported(self.folder / "a", self.folder / "b", code=0)
        self.assertRegex(run.err, r"6 lines of \.instr files are not used")
        fetches = table(out / "cat-icache.csv")[0]
        self.assertEqual([fetches[name] for name in ("run.10", "run.60000", "skipped.10", "skipped.60000")], ["0.5", "23.5", "24.5", "47.5"])
        self.assertNotIn("run.10+flushed", fetches)
        few = table(out / "cat-instr.csv")[0]
        self.assertEqual({name: count for name, count in few.items() if name.count(".") == 1 and count != "0"},
                         {f"{name}.{size}": count for name, count in (("SP_SUB", "1"), ("FP_ADD_SVEC512", "0.5")) for size in range(1, 9)})
        self.assertEqual(sum(name.count(".") for name in few), 32 * 8)
        document = self.expect(support.Run("analyze", out / "cat-instr.csv", "--benchmark", "instructions", "--basis",
                                           support.SOURCE / "bases/cat/instr.csv", "--signatures", support.SOURCE / "signatures/cat/instr.csv",
                                           "--format", "json"), 0).json()
        self.assertEqual(support.composable(document["benchmarks"][0]), {"Loads": {"LOADS": 1.0}, "DP Subtractions": {"SUB": 1.0}})

    def test_files_of_kernels_that_no_benchmark_has(self):
        writes = (RUNS[0] / "perf::TASK-CLOCK.data.reads").read_text()
        for run in ("a", "b"):
            self.write(f"{run}/E.data.writes", writes)
            self.write(f"{run}/E.icache", "".join(f"{number}.5\n" for number in range(96)))
            self.write(f"{run}/OPS.flops", self.flops(1))
            self.write(f"{run}/TWICE.flops", self.flops(2))
            self.write(f"{run}/LOADS.instr", self.instructions(1))
        out, run = self.imported(self.folder / "a", self.folder / "b", code=0)
        self.assertRegex(run.err, r"4 lines of \.instr files are not used")
        self.assertRegex(run.err, r"4 tables are in .*: 5 events used")
        for name in ("writes", "icache", "instr", "flops"):
            self.assertIn(f"cat-{name}.csv has kernels of no benchmark: 'catmint analyze' takes it only by name", run.err)
        self.assertEqual(table(out / "cat-writes.csv")[0]["L1.1"], "1.439072")
        fetches = table(out / "cat-icache.csv")[0]
        self.assertEqual([fetches[name] for name in ("run.10", "run.60000", "run.10+flushed", "skipped.10", "skipped.60000+flushed")],
                         ["0.5", "23.5", "24.5", "48.5", "95.5"])
        self.assertEqual(table(out / "cat-instr.csv")[0]["MEM_OPS_RO_par.8"], "1")
        self.assertEqual(table(out / "cat-flops.csv")[0]["D_GEMM.50"], "250000")
        for name, benchmark, expected in (("flops", "cpu-flops", {"DP Ops.": {"OPS": 1.0}}),
                                          ("instr", "instructions", {"Loads": {"LOADS": 1.0}})):
            document = self.expect(support.Run("analyze", out / f"cat-{name}.csv", "--benchmark", benchmark, "--basis",
                                               support.SOURCE / f"bases/cat/{name}.csv", "--signatures",
                                               support.SOURCE / f"signatures/cat/{name}.csv", "--format", "json"), 0).json()
            found = support.composable(document["benchmarks"][0])
            for metric, definition in expected.items():
                self.assertEqual(found.get(metric), definition, found)
        self.write("c/LOADS.instr", self.instructions(1, others=0.02))
        out, _ = self.imported(self.folder / "c", self.folder / "c", code=0)
        document = self.expect(support.Run("analyze", out / "cat-instr.csv", "--benchmark", "instructions", "--basis",
                                           support.SOURCE / "bases/cat/instr.csv", "--signatures", support.SOURCE / "signatures/cat/instr.csv",
                                           "--format", "json"), 0).json()
        self.assertEqual(support.composable(document["benchmarks"][0]), {})

    def test_what_those_files_cannot_be(self):
        for name, content, said in (("E.icache", "1\n" * 97, r"line 97: more than 96 lines"), ("E.icache", "x\n", r"line 1: "),
                                    ("E.icache", "1\n" * 47, r"47 lines, expected 48 or 96"), ("E.instr", "# Mem_RO\n1 2\n", r"line 2: the line ends"),
                                    ("E.instr", "# Mem_RO\n1 2 3 4 5\n", r"line 2: unexpected text"), ("E.instr", "1 2 3 4\n", r"line 1: expected .* above"),
                                    ("E.instr", "1 2\n", r"line 1: expected \"SIZE COUNT # NAME_count"), ("E.instr", "1 2 # FP_ADD_count: x\n", r"line 1: "),
                                    ("E.flops", "#Double-Precision GEMM\n10 1 1\n10 1 1\n", r"line 3: an earlier line has the same kernel"),
                                    ("E.flops", "10 1 1\n", r"the file holds no count"), ("E.data.writes", "64 1\n", r"counts before the first section")):
            with self.subTest(said):
                shutil.rmtree(self.folder / "cat", ignore_errors=True)
                self.write(f"cat/{name}", content)
                self.expect(support.Run("import-cat", self.folder / "cat", "--out", self.folder / "out"), 3, said)

    def test_other_files(self):
        out = self.folder / "out"
        self.expect(support.Run("import-cat", CAT / "samples", "--out", out), 3,
                    r"\.stat: not used.*\n(.*\n)*.*no usable files")
        self.assertFalse(out.exists())
        self.expect(support.Run("import-cat", self.folder / "none", "--out", out), 3, "cannot be read")
        self.expect(support.Run("import-cat", CAT / "run1"), 2, "needs --out")
        self.expect(support.Run("import-cat", "--out", out), 2, "at least one argument")
        self.write("sweep/manifest.json", "{}")
        self.expect(support.Run("import-cat", CAT / "run1", "--out", self.folder / "sweep"), 2, "holds a sweep")


if __name__ == "__main__":
    support.main()
