"""catmint on another processor, emulated: every kernel, sweeps, and what is found in them."""

import json
import os
import re
import subprocess
import unittest

import support

ARCHITECTURE = os.environ["CATMINT_ARCHITECTURE"]
# Of each: the processors (as QEMU calls them) whose kernels are verified, a model and the processor whose it is, an instruction set, a kernel that
# needs it, one that does without, and a processor without it.
PROCESSORS = {
    "aarch64": ([f"max,sve-default-vector-length={length}" for length in (16, 32, 64)], "neoverse-n1", "neoverse-n1", "FP16", "H_ADD_128.24", "D_ADD_128.24",
                "cortex-a53"),
    "ppc64le": (["power9", "power10"], "power10", "power10", "POWER10", "integer_prefixed.48", "D_ADD_128.24", "power9"),
    "riscv64": ([f"rv64,v=true,vext_spec=v1.0,vlen={bits},Zfh=true" for bits in (128, 256, 512)], "sifive-u74", "rv64", "ZFH", "H_ADD_SCAL.24",
                "D_ADD_V256.24", "rv64"),
}
# Benchmarks that are others with other vectors, and those that are not.
BY_VECTORS, OTHERS = "cpu-flops,mem-ops", "branch,dcache,dcache-write,instructions,icache,tlb"
LONG = "CATMINT_LONG" in os.environ
REPETITIONS = ("--repetitions", "5" if LONG else "2")
CPUS, MODEL, MODELLED, SET, NEEDING, WITHOUT, OLDER = PROCESSORS[ARCHITECTURE]


class Kernels(unittest.TestCase):
    def test_every_kernel_does_what_its_facts_say(self):
        """On the last processor all but those of GPUs, which are interpreted alike everywhere; on others those of benchmarks where its
        vectors and instructions are others."""
        for cpu in CPUS if LONG else CPUS[-1:]:
            run = support.Run("kernels", "--verify", "--benchmark", f"{BY_VECTORS},{OTHERS}" if cpu == CPUS[-1] else BY_VECTORS, CATMINT_FOREIGN_CPU=cpu)
            self.assertEqual(run.code, 0, run)
            self.assertRegex(run.out, r"\n\d+ kernels match their facts, 0 do not", run)

    def test_the_registry_is_what_the_table_of_facts_has(self):
        lines = [line.split()[:2] for line in support.Run("kernels").out.splitlines() if re.search(r" (yes|no) ", line)]
        table = (support.SOURCE / f"bases/{ARCHITECTURE}/facts.csv").read_text().splitlines()
        # The benchmark core is for programs without an operating system alone.
        self.assertEqual(lines, [line.split(",")[1::-1] for line in table if not line.startswith(("#", "benchmark", "core,"))])

    def test_facts_are_told_apart(self):
        """All but those of which the machine decides whether the kernels that could separate them do them at all."""
        open_facts = ["mispredicted conditional branches that were taken"] + ["page walks for fetches of code"] * (ARCHITECTURE == "aarch64")
        run = support.Run("kernels", "--confounded")
        self.assertEqual((run.code, run.err), (1, f"catmint: facts that must be separate and are not: {len(open_facts)}\n"), run)
        self.assertEqual(sorted(re.findall(r"^  (.+) = \S+ x .+$", run.out, re.M)), open_facts, run)

    def test_without_instruction_sets(self):
        rows = support.Run("kernels", CATMINT_WITHOUT_ISA=SET).out.splitlines()
        self.assertTrue(any(re.match(rf"{NEEDING} +cpu-flops +no .*{SET}$", row) for row in rows), rows)
        self.assertTrue(any(re.match(rf"{WITHOUT} +cpu-flops +yes", row) for row in rows), rows)

    def test_an_older_processor_lacks_an_instruction_set(self):
        run = support.Run("kernels", CATMINT_FOREIGN_CPU=OLDER)
        self.assertRegex(run.out, rf"{NEEDING} +cpu-flops +no ", run)


class Defining(support.Case):
    def defined(self, model, benchmarks, programs, cpu, seed="1"):
        """Results of a sweep. Where no program is to run, it counts once, and the machine that emulates analyses it; in the long test all is emulated."""
        options = ("--pmu", f"software:{model}", "--benchmark", benchmarks)
        if LONG or programs != "0":
            run = support.Run("discover", *options, *REPETITIONS, "--programs", programs, "--seed", seed, "--format", "json", CATMINT_FOREIGN_CPU=cpu)
            return self.expect(run, 0).json()
        out = self.folder / "out"
        self.expect(support.Run("sweep", *options, "--repetitions", "1", "--out", out, CATMINT_FOREIGN_CPU=cpu), 0)
        done = subprocess.run([os.environ["CATMINT_COUNTER"], "analyze", out, "--tau", "inf", "--format", "json"], env=support.environment(),
                              stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)

    def usable(self, document):
        return {metric["metric"]: support.definition(metric) for entry in document["benchmarks"] for metric in entry["metrics"] if support.usable(metric)}

    def definitions(self, benchmarks, programs):
        return self.usable(self.defined(MODEL, benchmarks, programs, MODELLED, seed=programs))


class Definitions(Defining):
    def test_a_sweep_and_its_analysis_find_the_same_every_time(self):
        """And what programs do is what they are said to do: discover fails otherwise. The long test does so for many seeds and all benchmarks."""
        if not LONG:
            self.assertTrue(self.definitions("branch", "4"))
            if ARCHITECTURE != "aarch64":  # where ScalableOperations sweeps that benchmark
                self.assertTrue(self.definitions("cpu-flops", "0"))
            return
        self.assertEqual(self.definitions("branch,cpu-flops", "16"), self.definitions("branch,cpu-flops", "48"))
        self.assertTrue(self.definitions("dcache,dcache-write,mem-ops,instructions,icache,tlb", "8"))


if ARCHITECTURE == "aarch64" or LONG:  # the law is the same on all, and each verifies its kernels of icache
    class Fetches(Defining):
        def test_a_jump_is_no_fetch(self):
            """No code runs straight on here: in a sweep of icache alone, too, jumps are not taken for fetched lines."""
            found = self.definitions("icache", "0")
            self.assertTrue(found)
            self.assertEqual([(metric, event) for metric, terms in found.items() for event in terms if re.match("(PM_)?BR|JAL", event)], [])


if ARCHITECTURE == "aarch64":
    class ScalableOperations(Defining):
        def test_events_that_count_128_bits_are_multiplied_by_the_length(self):
            """B. J. Gravelle, Empirical Performance Analysis of HPC Applications, Algorithm 11: RVL is the length over 128."""
            for cpu, length in list(zip(CPUS, (1, 2, 4)))[0 if LONG else 2:]:
                found = self.usable(self.defined("a64fx", "cpu-flops", "4" if LONG else "0", cpu))
                each = {name: {f"FP_{name}_FIXED_OPS_SPEC": 1, f"FP_{name}_SCALE_OPS_SPEC": length} for name in ("HP", "SP", "DP")}
                self.assertEqual(found, {"HP Ops.": each["HP"], "SP Ops.": each["SP"], "DP Ops.": each["DP"],
                                         "FP Ops.": each["SP"] | each["DP"],
                                         "FP Ops. with HP": {"FP_FIXED_OPS_SPEC": 1, "FP_SCALE_OPS_SPEC": length}})


if ARCHITECTURE == "aarch64" or ARCHITECTURE == "riscv64" and LONG:
    class ActiveLanes(Defining):
        EVENTS = """event,description,expression
INSTRUCTIONS,Instructions,instructions
CYCLES,Cycles,tsc_cycles
OTHERS,"Operations on registers of fixed length",fp_d_scalar + 2*fp_d_scalar_fma + 2*fp_d_128 + 4*fp_d_128_fma
"""
        ALL = "ALL_LANES,All lanes,4*fp_d_v256 + 8*fp_d_v256_fma\n"
        ACTIVE = "ACTIVE_LANES,Active lanes,fp_lanes_d + 2*fp_lanes_d_fma\n"

        def double_operations(self, *rows):
            model = self.folder / "model"
            model.mkdir(exist_ok=True)
            (model / "machine.csv").write_text((support.SOURCE / f"data/pmu/{MODEL}/machine.csv").read_text())
            (model / "events.csv").write_text(self.EVENTS + "".join(rows))
            return support.metric(self.defined(model, "cpu-flops", "0", CPUS[1]), "cpu-flops", "DP Ops.")

        def test_a_counter_of_active_lanes_is_none_of_all_lanes(self):
            """All lanes count. Where but one is active, a counter of active ones shows. The long test tells it from one of all lanes."""
            self.assertFalse(support.usable(self.double_operations(self.ACTIVE)))
            if not LONG:
                return
            both = self.double_operations(self.ACTIVE, self.ALL)
            self.assertTrue(support.usable(both))
            self.assertEqual(support.definition(both), {"OTHERS": 1, "ALL_LANES": 1})
            self.assertTrue(support.usable(self.double_operations(self.ALL)))


class Without(unittest.TestCase):
    def test_a_processor_without_the_plugin_says_what_is_missing(self):
        run = support.Run("kernels", "--verify", CATMINT_FOREIGN_PLUGIN="off")
        self.assertEqual(run.code, 4, run)
        self.assertIn(f"run scripts/foreign {ARCHITECTURE} catmint", run.err)


if __name__ == "__main__":
    support.main()
