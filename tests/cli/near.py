"""Wherever a name is refused, the one that was probably meant is offered, if one is near, and none otherwise."""

import csv
import re

import support


class Near(support.Case):
    def test_the_nearest_name_is_offered(self):
        """A letter wrong, two in the wrong order, another separator, the beginning of a longer name."""
        sweep = self.folder / "sweep"
        sweep.mkdir()
        (sweep / "branch.csv").write_text(support.measurements("branch", {"BR_MISP_RETIRED": {"M": 1}, "BR_INST_RETIRED:COND": {"CR": 1}}))
        model = ("--pmu", "software:golden-cove")
        for words, code, near in ((("metrics", "dp_opz"), 3, "DP Ops."), (("metrics", "PAPI_DP_OPZ"), 3, "PAPI_DP_OPS"),
                                  (("events", "BR_MSIP", *model), 3, "BR_MISP_RETIRED"), (("events", "--facts", "branchez"), 3, "Branches"),
                                  (("explain", "BR_MSIP_RETIRED", sweep), 3, "BR_MISP_RETIRED"), (("explain", "--metric", "mispredicted_branchs", sweep), 3, "Mispredicted Branches"),
                                  (("analyze", "--only", "BR_MSIP*", sweep), 3, "BR_MISP_RETIRED"), (("analyze", "--benchmark", "brunch", sweep), 2, "branch"),
                                  (("analyze", "--format", "jsom", sweep), 2, "json"), (("analyze", "--method", "papper", sweep), 2, "paper"),
                                  (("sweep", "--benchmark", "branch", "--events", "BR_MSIP*", *model, "--out", self.folder / "o"), 2, "BR_MISP_RETIRED"),
                                  (("sweep", "--benchmark", "branch", "--component", "sdf", *model, "--out", self.folder / "o"), 2, "sde"),
                                  (("export", "--to", "papy", sweep), 2, "papi"), (("events", "--pmu", "hardwar"), 2, "hardware"), (("events", "--pmu", "emulated:golden-cove"), 2, "software:golden-cove"),
                                  (("events", "--pmu", "emulated:zen4"), 2, "software:zen4"), (("events", "--pmu", "emulated:golden-cove-plain"), 2, "software:golden-cove-plain"), (("events", "--pmu", "emulated:skylake-loud"), 2, "software:skylake-loud"),
                                  (("events", "--pmu", "zen4-plain"), 2, "software:zen4-plain"), (("events", "--pmu", "software:golden-cove-plan"), 2, "golden-cove-plain"), (("sweep", "--pmu", "emulated", "--out", self.folder / "o"), 2, "software"), (("events", "--pmu", "golden-cove"), 2, "software:golden-cove"),
                                  (("kernels", "--plan", "rocprofv", "--pmu", "software:gfx90a"), 2, "rocprofv3"), (("completion", "bahs"), 2, "bash"),
                                  (("manual", "cuont"), 2, "count"), (("cuont",), 2, "count"), (("events", "--color", "alwayz"), 2, "always")):
            run = support.Run(*words, cwd=self.folder)
            self.expect(run, code, out="")
            self.assertRegex(run.err.splitlines()[-1], rf"did you mean '{near}'\?", words)

    def test_the_nearest_event_of_a_program(self):
        for name, near in (("dp_opz", "DP Ops."), ("branchez", "Branches"), ("BR_MSIP_RETIRED", "BR_MISP_RETIRED")):
            run = support.Run("count", "--pmu", "software:golden-cove", "-e", name, "--", "true")
            if "the emulated PMU needs qemu" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 125, err=rf"'{name}'; did you mean '{near}'\?")

    def test_the_words_that_users_type(self):
        """data/synonyms.csv: each word once, each name one that there is; metrics are found by them, and counts counted or offered."""
        listed = [{line[:36].strip() for line in support.Run(*words).out.splitlines() if not line.startswith(" ")} for words in (("events", "--facts"), ("metrics",))]
        rows = [row for row in csv.DictReader(line for line in (support.SOURCE / "data/synonyms.csv").read_text().splitlines() if not line.startswith("#"))]
        words = [word.lower().replace("-", " ") for row in rows for word in row["words"].split("|")]
        self.assertEqual(len(words), len(set(words)))
        for column, names in zip(("counts", "metrics"), listed):
            self.assertEqual({name for row in rows for name in row[column].split("|") if name} - names, set(), column)
        for word, metric in (("flops", "DP Ops\\."), ("FLOP", "FP Ops\\."), ("cache misses", "L3 Load Misses"), ("dTLB", "Data TLB Misses"), ("llc", "L3 Hits"), ("branch-misses", "Mispredicted Branches"), ("bandwidth", "Load Bytes"),
                             ("cache miss", "L3 Load Misses"), ("branch miss", "Mispredicted Branches"), ("dtlb miss", "Data TLB Misses"), ("flops/s", "FP Ops\\."), ("avx512", "Vector Instructions"), ("node-loads", "L3 Load Misses"), ("page walk", "Page Walks"), ("fmas", "FMA Instrs\\.")):
            self.expect(support.Run("metrics", word), 0, out=f"(?m)^{metric} ", err="")
        for word, said in (("IPC", "ratio of instructions and cycles; see '.*catmint events --facts IPC'"), ("cycles", "see '.*events --facts cycles'"), ("page-faults", "perf stat has them")):
            self.assertNotIn("did you mean", self.expect(support.Run("metrics", word), 3, out="", err=said).err)
        self.expect(support.Run("events", "--facts", "uop"), 0, out=r"(?m)^operations .*\n", err="")
        self.expect(support.Run("events", "--facts", "IPC"), 0, out=r"(?s)^Instructions .*\nCycles ")

    # perf list, generic events of hardware, caches and the kernel (Linux 6.12), and what is typed beside them.
    OF_PERF = """branch-instructions branches branch-misses bus-cycles cache-misses cache-references cpu-cycles cycles instructions ref-cycles stalled-cycles-backend idle-cycles-frontend
        alignment-faults bpf-output cgroup-switches context-switches cpu-clock cpu-migrations emulation-faults major-faults minor-faults page-faults task-clock duration_time user_time system_time
        L1-dcache-loads L1-dcache-load-misses L1-dcache-stores L1-dcache-store-misses L1-dcache-prefetches L1-dcache-prefetch-misses L1-icache-loads L1-icache-load-misses
        LLC-loads LLC-load-misses LLC-stores LLC-store-misses LLC-prefetches LLC-prefetch-misses dTLB-loads dTLB-load-misses dTLB-stores dTLB-store-misses iTLB-loads iTLB-load-misses
        branch-loads branch-load-misses node-loads node-load-misses node-stores node-store-misses node-prefetches node-prefetch-misses mem-loads mem-stores
        slots topdown-retiring topdown-bad-spec topdown-fe-bound topdown-be-bound power/energy-pkg/ tx-abort""".split()
    TYPED = ("uops", "avx512", "cache miss", "branch miss", "dtlb miss", "flops/s", "GFLOPS", "l1 miss", "llc miss", "page walks", "false sharing", "numa", "prefetches", "store forwarding", "divisions",
             "memory bound", "bad speculation", "fma", "atomics", "misaligned", "indirect branches", "taken branches", "cpi", "arithmetic intensity", "microcode", "assists", "FP_ASSIST.ANY", "MACHINE_CLEARS:FP_ASSIST", "denormals", "tensor cores", "occupancy", "instr")

    def test_no_word_of_perf_gets_a_near_name(self):
        """Each has a metric, facts, or a reason; none is taken for a slip."""
        for word in (*self.OF_PERF, *self.TYPED):
            with self.subTest(word):
                for listed in (("metrics", word), ("events", "--facts", word)):
                    run = support.Run(*listed)
                    self.assertIn(run.code, (0, 3), run)
                    self.assertNotIn("did you mean", run.err)
                    self.assertTrue(run.out or re.search(r"description: |meaning: |; see '.* events --facts ", run.err), run)

    def test_every_fact_is_listed(self):
        """All that the software PMU counts of programs, but a GPU's, and the clock that is none of theirs."""
        table = re.search(r"(?s) names\[\] = \{.*?\};", (support.SOURCE / "src/software_pmu/machine/facts.c").read_text())[0]
        names = {name for name in re.findall(r'(?m)^    "(\w+)",$', table) if not name.startswith("gpu_")} - {"tsc_cycles"}
        listed = {line[:36].strip() for line in support.Run("events", "--facts").out.splitlines() if not line.startswith(" ")}
        self.assertGreater(len(names), 150)
        self.assertEqual(names - listed, set())

    def test_the_words_that_users_type_of_a_program(self):
        """perf's names count, with its modifiers, too; other words offer names, and never those of a GPU."""
        names = "LLC-loads,cache-references,branch-loads,cpu/instructions/,cpu/branches/u,loads:u,cache misses,cache miss,branch miss,stalled-cycles-frontend"
        run = support.Run("count", "--pmu", "software:golden-cove", "-e", names, "--", "true")
        if "the emulated PMU needs qemu" in run.err:
            self.skipTest(run.err.strip())
        rows = [line for line in self.expect(run, 0).err.splitlines() if " of 1 " in line]
        self.assertEqual([row[:26].strip() for row in rows], names.split(","))
        self.assertTrue(all(" 1 of 1 " in row for row in rows), rows)
        for name, said in (("uops", "'operations'"), ("node-loads", "one memory.*'L3 Data Load Misses'"), ("node-load-misses", "one memory and one core"), ("flops/s", "'DP Ops.'"), ("avx512", "'DP Ops.'"), ("dtlb miss", "'Data TLB Misses'"), ("flops", "did you mean 'DP Ops.', 'SP Ops.' or 'HP Ops.'\\?"), ("llc", "'L3 Data Loads'"), ("IPC", "ratio .*; did you mean 'Instructions' or 'Cycles'\\?"), ("bandwidth", "'Bytes Loaded' or 'Bytes Stored'"),
                           ("l2 miss rate", "did you mean .*'L2 Data Misses'"), ("LLC miss ratio", "did you mean .*'L3 Data Misses'"),
                           *((f"{name}:k", rf"it has no interrupts \(interrupt_every\), and so no work of the kernel. It counts '{name}', the program's$") for name in ("loads", "MEM_LOAD_RETIRED:L1_MISS")), ("ref-cycles", "at a rate of their own"), ("page-faults", "perf stat has them"), ("branch-slots", "knows no event or fact")):
            run = self.expect(support.Run("count", "--pmu", "software:golden-cove", "-e", name, "--", "true"), 125, err=said)
            self.assertNotIn("gpu_", run.err)
        self.expect(support.Run("count", "--pmu", "software:golden-cove", "-e", "gpu_branch_slots", "--", "true"), 0, err=r"gpu_branch_slots .* 0 of 1 .* not modelled")

    def test_what_count_has_not_of_perf(self):
        for letter in "dvtBjA":
            self.expect(support.Run("count", f"-{letter}", "--", "true"), 125, rf"^catmint: unknown option '-{letter}'; see '.*catmint count --help'$", out="")
        for events in ("{loads,stores}", "loads,{stores,loads}:u"):
            said = re.escape(f"-e: expected names of events without perf's groups, as in 'instructions,loads', found '{events}'")
            self.expect(support.Run("count", "-e", events, "--", "true"), 125, said, out="")
        self.expect(support.Run("sweep", "--events", "{A,B}", "--out", self.folder / "o"), 2, "^catmint: --events: expected a pattern of names without perf's groups", out="")

    def test_far_names_get_no_offer(self):
        for words, code in ((("metrics", "no such metric"), 3), (("events", "zzzzzz", "--pmu", "software:golden-cove"), 3), (("events", "--pmu", "software:foo"), 2), (("completion", "tcsh"), 2), (("manual", "zzz"), 2),
                            (("kernels", "--plan", "perf"), 2)):
            self.assertNotIn("did you mean", self.expect(support.Run(*words), code, out="").err)


if __name__ == "__main__":
    support.main()
