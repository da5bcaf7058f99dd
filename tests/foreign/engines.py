"""Two engines, the stepper and the plugin of QEMU, count the same kernels: they must agree."""

import collections
import csv
import os
import re
import shutil
import subprocess
import unittest

import support

EMULATOR = support.pathlib.Path(os.environ["CATMINT_EMULATED"])
BENCHMARKS = ("cpu-flops", "branch", "dcache", "dcache-write", "mem-ops", "instructions", "icache", "tlb")
# What depends on time is not compared; what depends on addresses, which differ between processes, roughly.
TIME = re.compile("tsc_cycles")
PLACE = re.compile("mispredicted|cond_executed|uncond_executed|_hit|_miss|_written_back|split_|_walks?|wrong_|hint_|_used|opcache_|decoder_|loads_(forwarded|blocked|aliased)|walks_merged")


def rows(path):
    """Counts by event, and the kernels that they are of."""
    with open(path, newline="") as stream:
        lines = [line for line in csv.reader(stream) if not line[0].startswith("#")]
    return lines[0][3:], {line[0]: [float(value) for value in line[3:]] for line in lines[1:]}


def table(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


@unittest.skipUnless(shutil.which("qemu-x86_64"), "qemu-x86_64 is not installed")
class Engines(support.Case):
    def sweep(self, name, program, model="golden-cove", benchmarks=BENCHMARKS):
        """QEMU 7.2 has no AVX-512."""
        arguments = ("sweep", "--pmu", f"software:{model}-facts", "--component", "sde", "--repetitions", "1", "--benchmark", ",".join(benchmarks),
                     "--out", self.folder / name)
        previous, support.PROGRAM = support.PROGRAM, str(program)
        try:
            self.expect(support.Run(*arguments, CATMINT_WITHOUT_ISA="AVX512F"), 0)
        finally:
            support.PROGRAM = previous
        return {benchmark: rows(self.folder / name / f"{benchmark}.csv") for benchmark in benchmarks}

    def test_every_kernel_counts_alike(self):
        """All facts of golden-cove's machine. The first loads of a loop may find lines on their way that the code before it asked for. No
        prefetcher leaves a page: where the stack ends one, the mixture's line behind it is not fetched; and where it lies decides which of a chain's
        loads look like its stores. The emulated engine has no huge pages."""
        stepped, emulated = self.sweep("stepped", support.PROGRAM), self.sweep("emulated", EMULATOR)
        random = {row["kernel"] for row in table(support.SOURCE / "bases/facts.csv") if row["chance"]}
        found, compared = set(), 0
        for benchmark in BENCHMARKS:
            kernels, counts = stepped[benchmark]
            both = emulated[benchmark][0]
            self.assertEqual(([kernel for kernel in kernels if not (benchmark == "tlb" and kernel[0] == "H")], set(counts)), (both, set(emulated[benchmark][1])))
            at = [kernels.index(kernel) for kernel in both]
            for fact, of_stepper in counts.items():
                for kernel, one, other in zip(both, (of_stepper[place] for place in at), emulated[benchmark][1][fact]):
                    by_stack = "_prefetch_" in fact and "mixture" in kernel or fact == "loads_aliased" and (benchmark not in ("cpu-flops", "branch", "mem-ops") or "+" in kernel)
                    if TIME.search(fact) or by_stack:
                        continue
                    most = max(one, other)
                    few = 40 + 0.1 * most + (6 * most**0.5 if kernel in random else 0)  # the instructions of a wrong path or two; chance
                    by_chance = PLACE.search(fact) or "+wrong" in kernel  # its loops end as addresses say
                    self.assertLessEqual(abs(one - other), few if by_chance else 0, (fact, kernel, one, other))
                    found.update([fact] if one >= 1000 else [])
                    compared += 1
        self.assertGreater(compared, 200000)
        self.assertLessEqual({"l1d_hint_hit", "loads_forwarded", "fused_pairs", "l2_wrong_load_hit", "microcode_operations", "opcache_operations", "nt_lines_whole", "micro_fused"}, found)

    def test_interrupts_and_shared_walks_come_alike(self):
        """As many, with as much work of the kernel; the program's own work stays what it is without any. Pages of the emulated engine are small."""
        self.write("busy/inherits", "golden-cove\n")
        self.write("busy/machine.csv", "key,value\ninterference,0\ninterrupt_every,3000\ninterrupt_instructions,800\nwalk_accesses,16\n")
        benchmarks = "branch", "tlb"
        engines = [self.sweep(name, program, model, benchmarks) for name, program, model in
                   (("stepped", support.PROGRAM, self.folder / "busy"), ("emulated", EMULATOR, self.folder / "busy"), ("alone", support.PROGRAM, "golden-cove"))]
        random = {row["kernel"] for row in table(support.SOURCE / "bases/facts.csv") if row["chance"]}
        found = collections.Counter()
        for benchmark in benchmarks:
            for kernel in engines[1][benchmark][0]:
                one, other, before = ({fact: counts[engine[benchmark][0].index(kernel)] for fact, counts in engine[benchmark][1].items()} for engine in engines)
                for of in one, other:
                    self.assertLessEqual(abs(of["interrupts"] - of["instructions"] / 3000), 1, kernel)
                    for fact, share in (("instructions", 800), ("loads", 200), ("stores", 100), ("branches_cond", 50)):
                        self.assertEqual(of[f"kernel_{fact}"], share * of["interrupts"], (fact, kernel))
                    self.assertEqual(of["kernel_loads"], of["kernel_l1d_load_hit"] + of["kernel_l1d_load_miss"], kernel)
                for fact, off in (("interrupts", 1), ("load_walks_merged", 16), ("store_walks_merged", 16)):
                    self.assertLessEqual(abs(one[fact] - other[fact]), off, (fact, kernel))
                    found[fact] += one[fact]
                for fact in ("instructions", "loads", "stores", "branches_cond", "calls") if "+wrong" not in kernel else ():  # loops end as addresses say
                    self.assertEqual((one[fact], other[fact]), (before[fact], before[fact]) if kernel not in random else (one[fact], one[fact]), (fact, kernel))
        self.assertGreater(min(found.values()), 1000, found)

    @unittest.skipUnless(shutil.which("cc"), "cc is not installed")
    def test_pairs_fuse_where_a_page_ends_between_them(self):
        """QEMU ends a block there: behind the first instruction, or before a branch that the page cuts."""
        for before_end in 4, 3, 2, 1:
            source = self.write("page.S", f"    .globl _start\n    .p2align 12\n    .skip {4096 - 5 - before_end}\n_start:\n    mov $1000, %ecx\n"
                                          "0:  dec %ecx\n    jnz 0b\n    xor %edi, %edi\n    mov $60, %eax\n    syscall\n")
            subprocess.run(["cc", "-nostdlib", "-static", "-o", self.folder / "page", source], check=True)
            run = support.Run("count", "--pmu", "software:zen4", "-e", "fused_pairs", "-x", ",", "--", self.folder / "page")
            self.assertRegex(self.expect(run, 0).err, ",fused_pairs,1000,", before_end)


if __name__ == "__main__":
    support.main()
