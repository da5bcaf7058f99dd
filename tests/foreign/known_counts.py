"""Programs of known counts, through definitions: what a sweep defines here, and `count` measures in them, is what they do."""

import json
import os
import subprocess

import support

EXIT = {"x86_64": " mov $60, %eax\n xor %edi, %edi\n syscall\n", "aarch64": " mov x8, #93\n mov x0, #0\n svc #0\n"}
MODELS = {"x86_64": ("golden-cove", "cpu-flops,branch,mem-ops"), "aarch64": ("neoverse-v2", "cpu-flops,branch")}
# What each does is plain to see in it. Metrics that it has nothing of are 0.
PROGRAMS = {
    "x86_64": {
        "loop": ("mov $100000, %ecx\n1: dec %ecx\n jnz 1b\n",
                 {"Conditional Branches Retired": 100000, "Conditional Branches Taken": 99999, "All Branches": 100000}),
        "memory": ("mov $37000, %ecx\n1: mov %rax, -8(%rsp)\n mov -8(%rsp), %rbx\n mov -8(%rsp), %rdx\n dec %ecx\n jnz 1b\n",
                   {"Loads": 74000, "Stores": 37000, "Conditional Branches Retired": 37000, "Conditional Branches Taken": 36999,
                    "All Branches": 37000}),
        "calls": ("mov $500, %ecx\n1: call 2f\n dec %ecx\n jnz 1b\n jmp 3f\n2: ret\n3:\n",
                  {"Unconditional Branches": 1001, "Conditional Branches Retired": 500, "Conditional Branches Taken": 499,
                   "All Branches": 1501, "Loads": 500, "Stores": 500}),
        "additions": ("xorps %xmm0, %xmm0\n mov $1000, %ecx\n1: addsd %xmm0, %xmm0\n mulsd %xmm0, %xmm0\n dec %ecx\n jnz 1b\n",
                      {"DP Ops.": 2000, "DP Instrs.": 2000, "Conditional Branches Retired": 1000, "Conditional Branches Taken": 999,
                       "All Branches": 1000}),
        "vectors": ("vxorpd %ymm0, %ymm0, %ymm0\n mov $300, %ecx\n1: vfmadd231pd %ymm0, %ymm0, %ymm0\n vaddps %ymm0, %ymm0, %ymm0\n"
                    " dec %ecx\n jnz 1b\n",
                    {"DP Ops.": 2400, "SP Ops.": 2400, "SP Instrs.": 300, "DP Instrs.": 600, "Conditional Branches Retired": 300,
                     "Conditional Branches Taken": 299, "All Branches": 300}),
    },
    "aarch64": {
        "loop": ("mov w1, #50000\n1: subs w1, w1, #1\n b.ne 1b\n", {"All Branches": 50000}),
        "memory": ("mov w1, #37000\n1: str x2, [sp, #-16]\n ldr x3, [sp, #-16]\n subs w1, w1, #1\n b.ne 1b\n", {"All Branches": 37000}),
        "calls": ("mov w1, #500\n1: bl 2f\n subs w1, w1, #1\n b.ne 1b\n b 3f\n2: ret\n3:\n", {"All Branches": 1501}),
        "additions": ("mov w1, #1000\n1: fadd d0, d0, d1\n fmul d0, d0, d1\n subs w1, w1, #1\n b.ne 1b\n",
                      {"All Branches": 1000, "DP Instrs. with an FMA once": 2000}),
        "vectors": ("mov w1, #300\n1: fmla v0.2d, v1.2d, v2.2d\n fmadd d0, d1, d2, d3\n fadd v4.4s, v4.4s, v5.4s\n subs w1, w1, #1\n b.ne 1b\n",
                    {"All Branches": 300, "DP Instrs. with an FMA once": 600, "SP Instrs. with an FMA once": 300}),
    },
}


class Known(support.Case):
    def defined(self, model, benchmarks, wanted):
        """Results of a sweep, and of each metric that is known how far its definition resolves."""
        out, results = self.folder / "out", self.folder / "results.json"
        self.expect(support.Run("sweep", "--pmu", f"software:{model}", "--benchmark", benchmarks, "--repetitions", "1", "--out", out, *support.software_alone()), 0)
        subprocess.run([os.environ["CATMINT_COUNTER"], "analyze", out, "--tau", "inf", "--format", "json", "--output", results], env=support.environment(), check=True)
        document = json.loads(results.read_text())
        metrics = {metric["metric"]: metric for entry in document["benchmarks"] for metric in entry["metrics"] if support.usable(metric)}
        self.assertEqual(wanted - set(metrics), set())
        return results, {name: metrics[name]["resolution"] for name in sorted(wanted)}

    def counted(self, results, names, program):
        out = self.folder / "counts.json"
        done = subprocess.run([os.environ["CATMINT_COUNTER"], "count", "--results", results, "--metrics", ",".join(names), "--format", "json",
                               "--output", out, "--", program], env=support.environment(), capture_output=True, text=True, check=False)
        if done.returncode == 125 and "the emulated PMU needs" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(out.read_text())
        return {metric["metric"]: metric["value"] for metric in document["scopes"][0]["metrics"]}

    def test_counts_are_within_the_resolution(self):
        architecture = os.environ["CATMINT_ARCHITECTURE"]
        programs = PROGRAMS[architecture]
        results, resolutions = self.defined(*MODELS[architecture], {name for _, known in programs.values() for name in known})
        for name, (text, known) in programs.items():
            source = self.write(f"{name}.S", f"    .globl _start\n_start:\n {text}{EXIT[architecture]}")
            subprocess.run([*os.environ["CATMINT_CC"].split(), "-nostdlib", "-static", "-o", self.folder / name, source], check=True)
            found = self.counted(results, resolutions, self.folder / name)
            for metric, resolution in resolutions.items():
                expected = known.get(metric, 0)
                self.assertLessEqual(abs(found[metric] - expected), resolution * expected, f"{name}: {metric} is {found[metric]}, not {expected}")


if __name__ == "__main__":
    support.main()
