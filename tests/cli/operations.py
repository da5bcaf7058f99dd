"""Floating-point operations and bytes of algorithms that are known, by `count` under the emulated PMU: within 0.5 % of what they do."""

import sys

import support

sys.path.insert(0, str(support.SOURCE / "tests/bench/portable"))
import portable  # pylint: disable=wrong-import-position

MOST_OFF = 0.005
CASES = (("stream", 2048, 1), ("crunch", 512, 1), ("crunch_single", 1024, 1), ("crunch_divide", 512, 1), ("conflict", 4096, 8), ("matrix", 48, 1), ("transposed", 48, 1),
         ("unrolled", 64, 1), ("blocked", 64, 16), ("bodies", 64, 1))


class Operations(support.Case):
    def within(self, build, cases):
        for algorithm, size, step in cases:
            try:
                facts = portable.difference(self.folder, build, algorithm, size, step, "--mix", "--pmu", "software", program=support.PROGRAM)
            except portable.Missing as reason:
                self.skipTest(str(reason))
            operations, moved = portable.expected(algorithm, size, step)
            self.assertLessEqual(abs(portable.operations(facts) / operations - 1), MOST_OFF, f"{build}, {algorithm}: operations")
            self.assertLessEqual(abs(portable.moved(facts) / moved - 1), MOST_OFF, f"{build}, {algorithm}: bytes")

    def test_x86_64(self):
        self.within("x86-64 scalar", CASES)

    def test_avx512_by_stepping(self):
        self.within("x86-64 AVX-512", (CASES[0], CASES[1]))

    def test_stepped_is_emulated(self):
        """What code alone tells is the same by both, and so is the chain of a dot product."""
        try:
            found = [portable.difference(self.folder, "x86-64 AVX2", name, 1024, 1, "--mix", "--pmu", "software", *options, program=support.PROGRAM)
                     for name in ("dot", "crunch_divide") for options in ((), ("--stepped",))]
        except portable.Missing as reason:
            self.skipTest(str(reason))
        except RuntimeError as reason:
            if "lacks the instruction set" not in str(reason):
                raise
            self.skipTest("this processor has no AVX2")
        for emulated, stepped in zip(found[::2], found[1::2]):
            told = [name for name in emulated if name.startswith(("fp_", "loads", "stores", "load_bytes", "store_bytes", "instructions"))]
            self.assertEqual({name: emulated[name] for name in told}, {name: stepped[name] for name in told})
            self.assertAlmostEqual(stepped["in_core_cycles"] / emulated["in_core_cycles"], 1, places=2)

    def test_aarch64_and_scalable_vectors(self):
        self.within("aarch64 scalar", (CASES[0], CASES[6]))
        self.within("aarch64 SVE 1024", (CASES[0], CASES[2]))


if __name__ == "__main__":
    support.main()
