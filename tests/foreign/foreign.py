"""catmint on another processor, emulated: every kernel, sweeps, and what is found in them."""

import re
import unittest

import support

LENGTHS = {128: "16", 256: "32", 512: "64"}  # bits of a scalable vector, and as QEMU wants them


def cpu(bits):
    return {"CATMINT_FOREIGN_CPU": f"max,sve-default-vector-length={LENGTHS[bits]}"}


class Kernels(unittest.TestCase):
    def test_every_kernel_does_what_its_facts_say(self):
        for bits in LENGTHS:
            run = support.Run("kernels", "--verify", **cpu(bits))
            self.assertEqual(run.code, 0, run)
            self.assertRegex(run.out, r"\n\d+ kernels match their facts, 0 do not", run)

    def test_the_registry_is_what_the_table_of_facts_has(self):
        lines = [line.split()[:2] for line in support.Run("kernels").out.splitlines()[1:]]
        table = (support.SOURCE / "bases/aarch64/facts.csv").read_text().splitlines()
        self.assertEqual(lines, [line.split(",")[1::-1] for line in table if not line.startswith(("#", "benchmark"))])

    def test_facts_are_told_apart(self):
        run = support.Run("kernels", "--confounded")
        self.assertEqual((run.code, run.err), (0, ""), run)

    def test_without_instruction_sets(self):
        rows = support.Run("kernels", CATMINT_WITHOUT_ISA="FP16").out.splitlines()
        self.assertTrue(any(re.match(r"H_ADD_128.24 +cpu-flops +no .*FP16$", row) for row in rows), rows)
        self.assertTrue(any(re.match(r"D_ADD_128.24 +cpu-flops +yes", row) for row in rows), rows)

    def test_an_older_processor_lacks_half_precision(self):
        run = support.Run("kernels", CATMINT_FOREIGN_CPU="cortex-a53")
        self.assertRegex(run.out, r"H_ADD_128.24 +cpu-flops +no ", run)


class Definitions(unittest.TestCase):
    def test_a_sweep_and_its_analysis_find_the_same_every_time(self):
        found = []
        for _ in range(2):
            run = support.Run("discover", "--pmu", "software:neoverse-n1", "--format", "json")
            self.assertEqual(run.code, 0, run)
            found.append({metric["metric"]: support.definition(metric) for entry in run.json()["benchmarks"]
                          for metric in entry["metrics"] if metric["composable"]})
        self.assertEqual(*found)


class Without(unittest.TestCase):
    def test_a_processor_without_the_plugin_says_what_is_missing(self):
        run = support.Run("kernels", "--verify", CATMINT_FOREIGN_PLUGIN="off")
        self.assertEqual(run.code, 4, run)
        self.assertIn("run scripts/foreign aarch64 catmint", run.err)


if __name__ == "__main__":
    support.main()
