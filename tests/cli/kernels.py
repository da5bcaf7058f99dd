"""The kernels listed, proved, and the proof seen to fail."""

import shutil

import support


class Kernels(support.Case):
    def data_with(self, name, old, new):
        """A copy of bases, signatures and models in which one text is another."""
        for part in ("bases", "signatures", "data"):
            shutil.copytree(support.SOURCE / part, self.folder / part)
        path = self.folder / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        return {"CATMINT_DATA_DIR": str(self.folder)}

    def test_list(self):
        run = self.expect(support.Run("kernels"), 0, err="")
        lines = run.out.splitlines()
        self.assertEqual(lines[0].split(), ["Kernel", "Benchmark", "Here", "Needs"])
        names = [line.split()[0] for line in lines[1:]]
        self.assertEqual(len(names), len(set(names)))
        for benchmark in ("cpu-flops", "branch"):
            basis = [line.split(",")[0] for line in (support.SOURCE / f"bases/{benchmark}.csv").read_text().splitlines()
                     if not line.startswith(("#", "kernel"))]
            self.assertEqual([line.split()[0] for line in lines[1:] if line.split()[1] == benchmark], basis)
        for line in lines[1:]:
            self.assertEqual(line.split()[2] == "no", "; this CPU lacks" in line, line)

    def test_without_instruction_sets(self):
        for left_out, gone in (("AVX512F", "AVX512"), ("AVX", "AVX"), ("AVX512-FP16", "AVX512-FP16")):
            with self.subTest(left_out):
                lines = self.expect(support.Run("kernels", CATMINT_WITHOUT_ISA=left_out), 0, err="").out.splitlines()[1:]
                without = [line.split()[0] for line in lines if gone in line]
                self.assertTrue(without)
                self.assertEqual([line for line in lines if line.split()[0] in without and line.split()[2] == "yes"], [])
                self.assertTrue([line for line in lines if line.split()[2] == "yes"])
        out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", "software", "--benchmark", "cpu-flops", "--repetitions", "2", "--events", "FP_*",
                                "--component", "sde", "--out", out, CATMINT_WITHOUT_ISA="AVX"), 0, out="")
        header = next(line for line in (out / "cpu-flops.csv").read_text().splitlines() if not line.startswith("#"))
        self.assertEqual({kernel.split(".")[0] for kernel in header.split(",")[3:]}, {"S_SCAL", "S_128", "D_SCAL", "D_128"})
        self.expect(support.Run("kernels", CATMINT_WITHOUT_ISA="AVX512F,AVX9"), 2, out="",
                    err=r"^catmint: CATMINT_WITHOUT_ISA: unknown instruction set 'AVX9', expected some of SSE2 AVX FMA")
        self.expect(support.Run("kernels", "--help", CATMINT_WITHOUT_ISA="AVX9"), 0, err="")

    def test_verify(self):
        here = {line.split()[0] for line in support.Run("kernels").out.splitlines()[1:] if line.split()[2] == "yes"}
        run = self.expect(support.Run("kernels", "--verify"), 0, err="", out=rf"^{len(here)} kernels match .*, 0 do not")
        right = {line.split()[0] for line in run.out.splitlines() if line[17:].startswith("right")}
        self.assertEqual(right, here)
        self.assertRegex(run.out, r"(?m)^D_256_FMA\.12 |^D_FMA_256\.12 ")
        self.assertRegex(run.out, r"(?m)^b4a +right +2\.5 CE, 2\.5 CR, 1\.5 T, 0\.5 M")

    def test_a_kernel_that_differs(self):
        rows = [("bases/cpu-flops.csv", "\nS_SCAL.24,24,", "\nS_SCAL.24,25,", r"^S_SCAL\.24 +WRONG +S_SCAL 24 instead of 25"),
                ("bases/branch.csv", "\nb7,1,1,1,0,0", "\nb7,1,1,1,1,0", r"^b7 +WRONG +D 0 instead of 1")]
        for name, old, new, line in rows:
            with self.subTest(name=name):
                environment = self.data_with(name, old, new)
                run = self.expect(support.Run("kernels", "--verify", **environment), 1, out=line,
                                  err=r"^catmint: kernels that do not match their row of the basis: 1$")
                self.assertEqual(run.out.count("WRONG"), 1)
                for part in ("bases", "signatures", "data"):
                    shutil.rmtree(self.folder / part)

    def test_faulty_facts(self):
        environment = self.data_with("bases/facts.csv", "fp_s_scalar_add + ", "fp_s_scalar_mint + ")
        self.expect(support.Run("kernels", "--verify", **environment), 3, out="",
                    err=r"^catmint: .*/bases/facts\.csv:\d+:.*fp_s_scalar_mint")


if __name__ == "__main__":
    support.main()
