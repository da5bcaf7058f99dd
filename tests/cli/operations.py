"""Floating-point operations and bytes of algorithms that are known, by `count` under the emulated PMU: within 0.5 % of what they do."""

import json
import os
import pathlib
import shutil
import subprocess
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

    def counted(self, *options):
        """Instructions; 0: catmint refused."""
        out = self.folder / "counts.json"
        out.unlink(missing_ok=True)
        run = support.Run("count", "--pmu", "software", "-e", "instructions", "--format", "json", "--output", out, *options)
        if "the emulated PMU needs" in run.err or "libcatmint_step.so, which is not" in run.err:
            self.skipTest(run.err.strip())
        return run, json.loads(out.read_text(encoding="utf-8"))["scopes"][0]["events"][0]["value"] if out.exists() else 0

    def test_stepped_counts_to_the_end(self):
        """Programs and forked children that end in many ways: all that they do from the program's start on, or a refusal."""
        program = self.folder / "ends"
        if os.uname().machine != "x86_64":
            self.skipTest("programs are stepped on x86-64 alone")
        if shutil.which("gcc") is None:
            self.skipTest("gcc is not installed")
        subprocess.run(["gcc", "-O1", "-o", program, pathlib.Path(__file__).with_name("ends.c")], check=True)
        for way in ("return", "at_exit", "at_quick_exit", "_exit", "abort", "fault", "kill", "exec", "system"):
            for words in ((way,), (way, "child")):
                emulated, stepped = self.counted("--", program, *words), self.counted("--stepped", "--", program, *words)
                self.assertEqual(emulated[0].code, stepped[0].code, f"{words}: {stepped[0].err}")
                self.assertTrue(0 < emulated[1] - stepped[1] < 200000, f"{words}: {emulated[1]} emulated, {stepped[1]} stepped")  # the dynamic linker's
        for words in (("jump",), ("jump", "child"), ("overflow", "child")):
            run, _ = self.counted("--stepped", "--", program, *words)
            self.expect(run, 125, err="part of the program was not counted")
        run = support.Run("count", "--stepped", "-e", "instructions", "--", program, "overflow")
        self.expect(run, 139, err="not counted: the end after the last system call")

    def test_blanks_in_paths(self):
        """The list of libraries that are loaded first knows no blank: catmint's may lie behind one, its temporary files not."""
        if os.uname().machine != "x86_64":
            self.skipTest("programs are stepped on x86-64 alone")
        there = self.folder / "a blank"
        step = pathlib.Path(support.PROGRAM).parent.parent / "lib/catmint/libcatmint_step.so"
        if not step.exists():
            self.skipTest("libcatmint_step.so, which is not built with sanitizers")
        for name in ("bin", "lib/catmint"):
            (there / name).mkdir(parents=True)
        shutil.copy(support.PROGRAM, there / "bin/catmint")
        shutil.copy(step, there / "lib/catmint")
        run = ["count", "--pmu", "software", "--stepped", "-e", "instructions", "--", "/bin/true"]
        done = subprocess.run([there / "bin/catmint", *run], env=support.environment(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"instructions +\d+")
        done = subprocess.run([there / "bin/catmint", "--bogus"], env=support.environment(), capture_output=True, text=True, check=False)
        self.assertIn("see '" + str(there).replace(" ", "\\ ") + "/bin/catmint --help'", done.stderr)  # what stands between the quotes runs
        self.expect(support.Run(*run, TMPDIR=str(there)), 125, err="cannot be stepped if TMPDIR has a blank or a colon")

    def test_aarch64_and_scalable_vectors(self):
        self.within("aarch64 scalar", (CASES[0], CASES[6]))
        self.within("aarch64 SVE 1024", (CASES[0], CASES[2]))


if __name__ == "__main__":
    support.main()
