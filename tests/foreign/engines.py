"""Two engines, the stepper and the plugin of QEMU, count the same kernels: they must agree."""

import csv
import os
import re
import shutil
import unittest

import support

EMULATOR = support.pathlib.Path(os.environ["CATMINT_EMULATED"])
BENCHMARKS = ("cpu-flops", "branch", "mem-ops")
MODEL = support.SOURCE / "data/pmu/golden-cove/events.csv"
# What depends on time, and on addresses and random branches, which differ between processes: not at all, and roughly.
TIME = re.compile("tsc_cycles")
PLACE = re.compile("mispredicted|cond_executed|uncond_executed|_hit|_miss|_written_back|split_")


def rows(path):
    """Counts by event, and the kernels that they are of."""
    with open(path, newline="") as stream:
        lines = [line for line in csv.reader(stream) if not line[0].startswith("#")]
    return lines[0][3:], {line[0]: [float(value) for value in line[3:]] for line in lines[1:]}


def expressions():
    with open(MODEL, newline="") as stream:
        lines = [line for line in csv.reader(stream) if not line[0].startswith("#")]
    return {line[0]: line[2] for line in lines[1:]}


@unittest.skipUnless(shutil.which("qemu-x86_64"), "qemu-x86_64 is not installed")
class Engines(support.Case):
    def sweep(self, name, program):
        """QEMU 7.2 has no AVX-512."""
        arguments = ("sweep", "--pmu", "software:golden-cove", "--component", "sde", "--repetitions", "1", "--benchmark", ",".join(BENCHMARKS),
                     "--out", self.folder / name)
        previous, support.PROGRAM = support.PROGRAM, str(program)
        try:
            self.expect(support.Run(*arguments, CATMINT_WITHOUT_ISA="AVX512F"), 0)
        finally:
            support.PROGRAM = previous
        return {benchmark: rows(self.folder / name / f"{benchmark}.csv") for benchmark in BENCHMARKS}

    def test_every_kernel_counts_alike(self):
        stepped, emulated = self.sweep("stepped", support.PROGRAM), self.sweep("emulated", EMULATOR)
        formulas, compared = expressions(), 0
        for benchmark in BENCHMARKS:
            kernels, counts = stepped[benchmark]
            self.assertEqual((kernels, set(counts)), (emulated[benchmark][0], set(emulated[benchmark][1])))
            for event, of_stepper in counts.items():
                formula = formulas.get(event, "")
                if TIME.search(formula):
                    continue
                for kernel, one, other in zip(kernels, of_stepper, emulated[benchmark][1][event]):
                    room = 8 + 0.4 * max(one, other) if PLACE.search(formula) else 0
                    self.assertLessEqual(abs(one - other), room, (event, kernel, one, other))
                    compared += 1
        self.assertGreater(compared, 10000)


if __name__ == "__main__":
    support.main()
