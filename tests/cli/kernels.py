"""The kernels listed, proved, and the proof seen to fail."""

import os
import platform
import re
import shutil
import unittest

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
        names = [tuple(line.split()[:2]) for line in lines[1:]]
        self.assertEqual(len(names), len(set(names)))
        facts = [tuple(line.split(",")[1::-1]) for name in ("bases/facts.csv", "bases/gpu/facts.csv")
                 for line in (support.SOURCE / name).read_text().splitlines() if not line.startswith(("#", "benchmark"))]
        self.assertEqual(names, facts)
        for line in lines[1:]:
            self.assertEqual(line.split()[2] == "no", "; this CPU lacks" in line, line)

    def test_a_benchmark_of_gpus(self):
        run = support.Run("sweep", "--out", self.folder / "d", "--benchmark", "gpu-flops", "--pmu", "software:golden-cove")
        self.expect(run, 4, out="")
        self.assertIn("gpu-flops runs on a GPU, and the PMU", run.err)

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
        kernels = {kernel.split(".")[0] for kernel in header.split(",")[3:]}
        self.assertIn("S_ADD_SCAL", kernels)
        self.assertFalse([kernel for kernel in kernels if "FMA" in kernel or "_256" in kernel or "_512" in kernel])
        self.expect(support.Run("kernels", CATMINT_WITHOUT_ISA="AVX512F,AVX9"), 2, out="",
                    err=r"^catmint: CATMINT_WITHOUT_ISA: unknown instruction set 'AVX9', expected some of SSE2 SSE4\.2 AES AVX FMA")
        self.expect(support.Run("kernels", "--help", CATMINT_WITHOUT_ISA="AVX9"), 0, err="")

    def test_verify(self):
        here = {tuple(line.split()[:2]) for line in support.Run("kernels").out.splitlines()[1:] if line.split()[2] == "yes"}
        run = support.Run("kernels", "--verify", "--pmu", "software")
        here -= {(name, "tlb") for name in re.findall(r"(?m)^(H[123]\.\S+) +not run ", run.out)}  # the system gives no such pages, or too few
        gpus = len(re.findall(r"gpu_branch\b|(?m:^nothing +right)", run.out))  # once a kernel
        self.assertGreater(gpus, 50)
        self.expect(run, 0, err=r"^catmint: machine code is not checked: the software GPU executes PTX and makes none", out=rf"(?m)^{len(here) + gpus} kernels match their facts, 0 do not")
        right = [line.split()[0] for line in run.out.splitlines() if re.match(r"\S+ +right ", line)]
        self.assertEqual(sorted(right[:-gpus]), sorted(name for name, _ in here))
        self.assertRegex(run.out, r"(?m)^S_ADD_SCAL\.24 +right +31 instructions, 1 branches_cond, 1 branches_cond_taken,")
        self.assertRegex(run.out, r"(?m)^b7 +right +6 instructions,")

    def test_verify_on_one_model(self):
        matched = [int(re.search(r"(\d+) kernels match", self.expect(support.Run("kernels", "--verify", "--benchmark", "gpu-matrix", "--pmu", pmu), 0, err=None).out)[1])
                   for pmu in ("software", "software:hopper", "software:mi250x", "software:mi300x")]
        self.assertEqual(matched[0], sum(matched[1:]))
        self.expect(support.Run("kernels", "--verify", "--benchmark", "gpu-flops", "--pmu", "software:mi300x"), 0, err=None)
        for model in ("hopper", "zen4"):
            self.expect(support.Run("kernels", "--verify", "--benchmark", "branch", "--pmu", f"software:{model}"), 2, out="", err=rf"^catmint: --pmu software:{model} verifies no kernel of these benchmarks")

    def test_verify_one_benchmark(self):
        run = self.expect(support.Run("kernels", "--verify", "--benchmark", "branch"), 0, err="", out=r"(?m)^b7 +right +6 instructions,")
        self.assertNotIn("S_ADD_SCAL", run.out)
        for options, says in ((("--verify", "--benchmark", "brunch"), "unknown benchmark 'brunch'.*did you mean 'branch'"), (("--benchmark", "branch"), "--benchmark needs --verify"),
                              (("--verify", "--benchmark", "gpu-flops", "--pmu", "hardware"), "exclude each other"), (("--verify", "--benchmark", "branch,gpu-flops"), "cannot be counted in one run")):
            self.expect(support.Run("kernels", *options), 2, out="", err=says)

    @unittest.skipUnless(platform.machine() == "x86_64", "elsewhere code is not found by /proc")
    def test_without_proc_no_kernel_is_blamed(self):
        hidden = support.preloading(os.environ["CATMINT_WITHOUT_PROC"])
        for words in (("kernels", "--verify", "--benchmark", "branch"),
                      ("sweep", "--benchmark", "branch", "--pmu", "software", "--events", "BR_INST_RETIRED:COND", "--repetitions", "2", "--out", self.folder / "out")):
            self.expect(support.Run(*words, **hidden), 4, err=r"(?m)^catmint: .*/proc/self/maps, which lists the code to step, cannot be read: No such file or directory$", out="")

    def test_what_differs_is_named(self):
        rows = [("\ncpu-flops,S_ADD_SCAL.24,basis,24*fp_s_scalar_add", "\ncpu-flops,S_ADD_SCAL.24,basis,25*fp_s_scalar_add",
                 r"(?m)^S_ADD_SCAL\.24 +WRONG +fp_s_scalar_add 24 instead of 25$", 1),
                ("\nbranch,b7,basis,", "\nbranch,b7,basis,branches_uncond + ", r"(?m)^b7 +WRONG +branches_uncond 0 instead of 1$", 1),
                ("\nbranch,b7,", "\nmemory,b7,", "no row for the kernel b7", 3),
                ("24*fp_s_scalar_add", "24*fp_s_scalar_mint", r"bases/facts\.csv:\d+:\d+: .*fp_s_scalar_mint", 3)]
        for old, new, text, code in rows:
            with self.subTest(new=new):
                environment = self.data_with("bases/facts.csv", old, new)
                run = support.Run("kernels", "--verify", "--benchmark", "cpu-flops,branch", **environment)
                if code == 1:
                    self.expect(run, code, out=text, err=r"^catmint: kernels that do not match their facts: 1$")
                    self.assertEqual(run.out.count("WRONG"), 1)
                else:
                    self.expect(run, code, out="", err=text)
                for part in ("bases", "signatures", "data"):
                    shutil.rmtree(self.folder / part)

    def test_a_benchmark_without_facts(self):
        environment = self.data_with("bases/facts.csv", "benchmark,kernel", "benchmark,kernel")
        path = self.folder / "bases/facts.csv"
        path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith(("branch,", "dcache,"))))
        self.expect(support.Run("kernels", "--verify", "--benchmark", "branch,dcache,instructions", **environment), 0, err="", out=r"(?m)^branch: no facts: not verified\ndcache: no facts")


if __name__ == "__main__":
    support.main()
