"""Loads, stores and arithmetic of scalable vectors in whole programs: lines that they touch, and lanes that are active, where registers decide it."""

import os
import shutil
import subprocess

import support
from projecting import MIX, SOURCE, TARGET, Counting, Projected, machine, mix

COMPILER = os.environ.get("CATMINT_AARCH64_CC", "aarch64-linux-gnu-gcc")
LINE = 64  # a vector of 512 bits is a line

# What runs before with x0 at the data, the instruction, bytes from x0 whose lines it touches, and bytes beside them.
ADDRESSES = (
    ("", "ld1d z0.d, p0/z, [x0]", (0, 63), (64, -1)),
    ("", "ld1d z0.d, p0/z, [x0, #3, mul vl]", (192, 255), (128, 256)),
    ("", "ld1w z0.d, p0/z, [x0, #-2, mul vl]", (-64, -33), (0, -128)),
    ("mov x1, #40", "ld1d z0.d, p0/z, [x0, x1, lsl 3]", (320,), (256, 384)),
    ("mov x1, #40", "ld1sw z0.d, p0/z, [x0, x1, lsl 2]", (160,), (192, 64)),
    ("mov x1, #-64", "ld1b z0.b, p0/z, [x0, x1]", (-64,), (0,)),
    ("", "ld1rd z0.d, p0/z, [x0, #192]", (192,), (128, 256)),
    ("mov x1, #16", "ld1rqd z0.d, p0/z, [x0, x1, lsl 3]", (128,), (64, 192)),
    ("", "ld1rqb z0.b, p0/z, [x0, #-16]", (-16,), (0,)),
    ("", "ldr z0, [x0, #5, mul vl]", (320,), (256, 384)),
    ("", "ldr p1, [x0, #9, mul vl]", (72,), (0, 128)),
    ("", "str z0, [x0, #-1, mul vl]", (-64,), (0,)),
    ("", "st1d z0.d, p0, [x0, #1, mul vl]", (64,), (0, 128)),
    ("mov x1, #8", "st1w z0.d, p0, [x0, x1, lsl 2]", (32,), (64,)),
    ("", "ld2d {z0.d, z1.d}, p0/z, [x0]", (0, 64), (128,)),
    ("", "ld3d {z0.d, z1.d, z2.d}, p0/z, [x0, #3, mul vl]", (192, 256, 320), (128, 384)),
    ("mov x1, #64", "st4d {z0.d, z1.d, z2.d, z3.d}, p0, [x0, x1, lsl 3]", (512, 576, 640, 704), (448, 768)),
    ("mov x1, #128", "ldnt1d z0.d, p0/z, [x0, x1, lsl 3]", (1024,), (960, 1088)),
    # values of registers: moves, sums, shifts, products, constants, what memory holds, and lengths of vectors
    ("mov x2, x0\n add x1, x2, #0x1, lsl 12", "ld1d z0.d, p0/z, [x1]", (4096,), (0, 4032)),
    ("mov x1, #3\n sub x1, x0, x1, lsl 6", "ld1d z0.d, p0/z, [x1]", (-192,), (192,)),
    ("mov w1, #-2\n add x1, x0, w1, sxtw #3", "ld1d z0.d, p0/z, [x1]", (-16, 0), (64,)),
    ("mov x1, #0x1000\n movk x1, #1, lsl 16\n add x1, x0, x1\n sub x1, x1, #16, lsl 12", "ld1d z0.d, p0/z, [x1]", (0x1000,), (0,)),
    ("mov w1, #-5\n mov w2, #-64\n smaddl x1, w1, w2, x0", "ld1d z0.d, p0/z, [x1]", (320,), (-320,)),
    ("mov x1, #5\n mov x2, #64\n msub x1, x1, x2, x0", "ld1d z0.d, p0/z, [x1]", (-320,), (320,)),
    ("mov w1, #9\n sbfiz x1, x1, #6, #32\n add x1, x1, x0", "ld1d z0.d, p0/z, [x1]", (576,), (0,)),
    ("mov x1, #0x1234\n lsr x1, x1, #4\n and x1, x1, #0x1c0\n add x1, x0, x1", "ld1d z0.d, p0/z, [x1]", (0x100,), (0x1c0,)),
    ("mov x1, x0\n str x1, [x0, #-8]!\n ldr x2, [x0], #8", "ld1d z0.d, p0/z, [x2, #2, mul vl]", (128,), (64, 192)),
    ("stp x0, x0, [sp, #-16]!\n ldp x1, x2, [sp], #16\n add x1, x2, #256", "ld1d z0.d, p0/z, [x1]", (256,), (0,)),
    ("mov w1, #-64\n str w1, [sp, #-16]!\n ldrsw x1, [sp], #16\n add x1, x0, x1", "ld1d z0.d, p0/z, [x1]", (-64,), (64,)),
    ("cntd x1\n incw x1, all, mul #2", "ld1d z0.d, p0/z, [x0, x1, lsl 3]", (320,), (256, 384)),
    ("addvl x1, x0, #7", "ld1d z0.d, p0/z, [x1]", (448,), (0,)),
    ("rdvl x1, #-3\n add x1, x0, x1", "ld1d z0.d, p0/z, [x1]", (-192,), (0,)),
    # what is not known from code is, when an access tells its address
    ("mov x1, #5\n cmp x1, #4\n csel x2, x0, xzr, hi\n ldrb w3, [x2, #70]", "ld1d z0.d, p0/z, [x2, #4, mul vl]", (256,), (0,)),
    # lanes: three of eight begin 40 bytes into a line; none
    ("mov x1, #3\n whilelt p0.d, xzr, x1\n add x0, x0, #40", "ld1d z0.d, p0/z, [x0]", (0,), (64,)),
    ("mov x1, #7\n mov x2, #10\n whilels p0.d, x1, x2\n add x0, x0, #40", "ld1d z0.d, p0/z, [x0]", (0, 64), (128,)),
    ("mov w1, #-3\n whilele p1.d, w1, wzr\n mov p0.b, p1.b\n add x0, x0, #40", "ld1d z0.d, p0/z, [x0]", (0, 64), (128,)),
    ("mov x1, #9\n whilelo p0.d, x1, xzr", "ld1d z0.d, p0/z, [x0]", (), (0, 64)),
    ("ptrue p0.d, vl2\n add x0, x0, #48", "ld1d z0.d, p0/z, [x0]", (0,), (64,)),
    # gathers: lane i is at 0, 128, 256 ...
    ("", "ld1d z0.d, p0/z, [x0, z1.d, lsl 3]", (0, 128, 256, 896), (64, 192, 1024)),
    ("", "ld1d z0.d, p0/z, [x0, z1.d]", (0, 16, 112), (128,)),
    ("", "ld1w z0.d, p0/z, [x0, z1.d, lsl 2]", (0, 64, 448), (512,)),
    ("", "st1d z0.d, p0, [x0, z1.d, lsl 3]", (0, 128, 896), (64, 1024)),
    ("ld1w z1.d, p1/z, [x10]", "ld1d z0.d, p0/z, [x0, z1.d, sxtw 3]", (0, 128, 896), (64, 1024)),
    ("ld1w z1.s, p1/z, [x10]", "ld1w z0.s, p1/z, [x0, z1.s, uxtw 2]", (0, 64, 448), (512,)),
    ("mov x1, #2\n whilelt p0.d, xzr, x1", "ld1d z0.d, p0/z, [x0, z1.d, lsl 3]", (0, 128), (256, 896)),
)

PROGRAM = """
    .arch armv8.2-a+sve
    .globl _start
_start:
    ptrue p0.d
    ptrue p1.b
    adrp x10, indices
    add x10, x10, :lo12:indices
    ld1sw z1.d, p0/z, [x10]
    adrp x0, data + 4096
    add x0, x0, :lo12:data + 4096
    mov x20, x0
    {before}
    {instruction}
    {probes}
    mov x8, #93
    mov x0, #0
    svc #0
    .data
    .balign 64
indices: .word 0, 16, 32, 48, 64, 80, 96, 112, 0, 0, 0, 0, 0, 0, 0, 0
    .bss
    .balign 4096
data: .skip 131072
"""


class Scalable(Counting, Projected):
    def counted(self, name, **parts):
        model = support.make_model(self.folder / "model", {"INSTRUCTIONS": "instructions"}, interference=0)
        program = self.build(name, COMPILER, PROGRAM.format(**parts))
        return self.table(self.count(program, "--pmu", f"software:{model}", "--vector-bits", "512"))

    def test_lines_that_are_touched(self):
        """A probe of a line hits exactly if the instruction touched it."""
        for number, (before, instruction, touched, beside) in enumerate(ADDRESSES):
            with self.subTest(before=before, instruction=instruction):
                parts = {"before": before, "instruction": instruction}
                probes = [f"sub x9, x20, #{-at}\n ldrb w9, [x9]" if at < 0 else f"mov x9, #{at}\n ldrb w9, [x20, x9]" for at in (*touched, *beside)]
                alone = self.counted(f"alone{number}", **parts, probes="")
                probed = self.counted(f"probed{number}", **parts, probes="\n".join(probes))
                found = tuple(probed[f"l1d_load_{kind}"] - alone[f"l1d_load_{kind}"] for kind in ("hit", "miss"))
                self.assertEqual(found, (len(touched), len(beside)))

    def test_active_lanes(self):
        """21 elements in vectors of 8 lanes, by a counter; the lanes of a comparison depend on data."""
        loop = "mov x1, #0\n mov x2, #21\n whilelo p2.d, x1, x2\n1: ld1d z0.d, p2/z, [x0, x1, lsl 3]\n fmla z3.d, p2/m, z0.d, z0.d\n" \
               " fadd z4.d, z4.d, z0.d\n incd x1\n whilelo p2.d, x1, x2\n b.any 1b"
        found = self.counted("loop", before=loop, instruction="", probes="")
        self.assertEqual((found["fp_lanes_d_fma"], found["fp_lanes_d"], found["fp_lanes_unknown"]), (21, 24, 0))
        found = self.counted("compared", before="fcmeq p2.d, p0/z, z0.d, #0.0\n fadd z4.d, p2/m, z4.d, z0.d", instruction="", probes="")
        self.assertEqual((found["fp_lanes_d"], found["fp_lanes_unknown"]), (0, 1))
        halves = "mov x1, #3\n whilelt p2.s, xzr, x1\n fadd z4.d, p2/m, z4.d, z0.d\n fmul z4.s, p2/m, z4.s, z0.s"
        found = self.counted("halves", before=halves, instruction="", probes="")
        self.assertEqual((found["fp_lanes_d"], found["fp_lanes_s"]), (2, 3))

    def test_gathered_lanes(self):
        """Each active lane is an access."""
        alone = self.counted("none", before="", instruction="", probes="")
        found = self.counted("three", before="mov x1, #3\n whilelt p0.d, xzr, x1", instruction="ld1d z0.d, p0/z, [x0, z1.d, lsl 3]", probes="")
        self.assertEqual([found[name] - alone[name] for name in ("loads", "load_bytes")], [3, 24])

    def test_from_scalable_vectors_to_longer_ones(self):
        """Levels are known of both programs: nothing is borrowed."""
        loop = "mov x1, #0\n mov x2, #4096\n whilelo p2.d, x1, x2\n1: ld1d z0.d, p2/z, [x0, x1, lsl 3]\n fmla z3.d, p2/m, z0.d, z0.d\n incd x1\n" \
               " whilelo p2.d, x1, x2\n b.any 1b"
        program = self.build("loop", COMPILER, PROGRAM.format(before=loop, instruction="", probes=""))
        model = support.make_model(self.folder / "model", {"INSTRUCTIONS": "instructions"}, interference=0)
        files = [str(self.count(program, "--pmu", f"software:{model}", "--vector-bits", bits)) for bits in ("128", "512", "2048")]
        three = {**SOURCE, "bandwidth:L3": 30}
        document = self.project(machine({**three}), machine({**TARGET, "bandwidth:L3": 60}), *files, options=("--format", "json", "--performance", "1"), err=None).json()
        self.assertNotIn("which level answers", document["notes"])
        self.assertNotIn("lanes", document["notes"])
        for one, lanes in zip(document["mixes"], (2, 8, 32)):
            self.assertEqual((one["operations"], one["fp_instructions"]), (8192, 4096 // lanes))
            self.assertAlmostEqual(one["moved"]["L2"], 32768, delta=4 * LINE)
            self.assertTrue(32768 <= one["moved"]["L1"] < 32768 + 512)

    def test_what_a_compiler_makes(self):
        """Programs for SVE do the operations of those for NEON, whose addresses QEMU reports, and miss as often."""
        source = support.SOURCE / "tests/bench/portable/mini.c"
        if shutil.which(COMPILER) is None:
            self.skipTest(f"{COMPILER} is not installed")
        for flags, name in (("-march=armv8-a", "neon"), ("-march=armv8.2-a+sve", "sve")):
            subprocess.run([COMPILER, "-O3", "-ffast-math", "-static", flags, "-o", self.folder / name, source, "-lm"], check=True)
        model = support.make_model(self.folder / "model", {"INSTRUCTIONS": "instructions"}, interference=0)
        for words in (("stencil", "32", "2"), ("gradient", "10", "4"), ("hydrodynamics", "48", "2")):
            found = {}
            for name, bits in (("neon", None), ("sve", "128"), ("sve", "512")):
                file = self.folder / f"{words[0]}-{name}-{bits}.json"
                options = ("--vector-bits", bits) if bits else ()
                self.expect(support.Run("count", "--mix", "--pmu", f"software:{model}", *options, "--format", "json", "--output", file, "--", self.folder / name, *words), 0, err=None, out=None)
                table = self.table(file)
                mixes = self.project(machine({**SOURCE, "bandwidth:L3": 30}), machine({**TARGET, "bandwidth:L3": 30}), str(file), options=("--format", "json", "--performance", "1"), err=None).json()["mixes"]
                found[name, bits] = mixes[0]["operations"], mixes[0]["moved"]["MEM"]
                self.assertEqual(table["fp_lanes_unknown"], 0)
            for operations, lines in found.values():
                with self.subTest(words[0]):
                    # Vectors at the end of a row are not full, and a tenth of the addresses that gradient's matrix is made at are not known.
                    self.assertTrue(1 <= operations / found["neon", None][0] < 1.2)
                    self.assertAlmostEqual(lines / found["neon", None][1], 1, delta=0.15)

    def test_addresses_of_a_part(self):
        """Indices that are computed are not known: one vector of nine accesses is."""
        loop = "mov x1, #100\n add z1.d, z1.d, #1\n1: ld1d z0.d, p0/z, [x0]\n ld1d z2.d, p0/z, [x0]\n ld1d z2.d, p3/z, [x0, z1.d, lsl 3]\n" \
               " fmla z3.d, p0/m, z0.d, z0.d\n subs x1, x1, #1\n b.ne 1b"
        program = self.build("part", COMPILER, PROGRAM.format(before="ptrue p3.d, vl1\n " + loop, instruction="", probes=""))
        document = self.project(machine(SOURCE), machine(TARGET), str(self.count(program, "--vector-bits", "512")), options=("--format", "json", "--performance", "1"), err=None).json()
        self.assertIn("caches saw 67 % of its accesses", document["notes"])
        bytes_of = document["mixes"][0]["bytes"]
        self.assertAlmostEqual(sum(value for value in bytes_of.values() if value is not None), 100 * (64 + 64 + 8), delta=200)

    def test_addresses_that_are_not_known(self):
        """A conditional selection gives the address: levels have the shares of the first program."""
        loop = "mov x1, #100\n cmp x1, #4\n csel x2, x0, xzr, hi\n1: ld1d z0.d, p0/z, [x2]\n fmla z3.d, p0/m, z0.d, z0.d\n subs x1, x1, #1\n b.ne 1b"
        program = self.build("selected", COMPILER, PROGRAM.format(before=loop, instruction="", probes=""))
        file = str(self.count(program, "--vector-bits", "512"))
        document = self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), file, options=("--format", "json"), err=None).json()
        self.assertIn("which level answers scalable vectors is not known", document["notes"])
        bytes_of = document["mixes"][2]["bytes"]
        self.assertAlmostEqual(bytes_of["L1"] / sum(value for value in bytes_of.values() if value is not None), 0.8)


if __name__ == "__main__":
    support.main()
