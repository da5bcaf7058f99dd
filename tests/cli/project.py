"""Projections: equations 1 to 4 against arithmetic written down here again, mixes of counted facts, what is refused."""

import csv
import io
import json
import math
import os

import support
from projecting import MIX, MOVED, SOURCE, TARGET, Counting, Projected, ceiling, machine, measured, mix, projections

MACHINES = support.SOURCE / "data/machines"
COMPILER = os.environ.get("CATMINT_AARCH64_CC", "aarch64-linux-gnu-gcc")


class Equations(Projected):
    def test_three_levels_by_hand(self):
        document = self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), options=("--format", "json"), err="").json()
        interval, = document["intervals"]
        # Equation 2: 16 / 4 x 1000 / 500 and 60 / 16 x 1000 / 200.
        self.assertEqual(interval["weighted_performance"]["source"]["value"], 8)
        self.assertEqual(interval["weighted_performance"]["target"]["value"], 18.75)
        pairs = {(entry["intensity_of"], entry["roofline_of"]): entry for entry in interval["projections"]}
        # L1 in the roofline of memory: 1000 operations of 5000 and of 4000 bytes, at 10 and 30 GB/s; 1.5 / 2 x 7.5.
        self.assertAlmostEqual(pairs["L1", "MEM"]["source"]["roofline"]["value"], 2)
        self.assertAlmostEqual(pairs["L1", "MEM"]["target"]["roofline"]["value"], 7.5)
        self.assertAlmostEqual(pairs["L1", "MEM"]["projected"]["value"], 5.625)
        # Memory in that of L1: 5 operations a byte at 100 and 300 GB/s are more than either computes; 1.5 / 8 x 18.75.
        self.assertEqual(pairs["MEM", "L1"]["source"]["limited_by"], "arithmetic")
        self.assertAlmostEqual(pairs["MEM", "L1"]["projected"]["value"], 3.515625)
        self.assertEqual((interval["interval"], interval["interval_with_spread"]), ([3.515625, 5.625], [3.515625, 5.625]))
        self.assertFalse(document["partial"])

    def test_all_pairs_by_the_equations(self):
        document = self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), options=("--format", "json")).json()
        interval, = document["intervals"]
        expected = projections(SOURCE, TARGET, MIX, 1.5)
        self.assertEqual(len(expected), 9)
        found = {(entry["intensity_of"], entry["roofline_of"]): entry["projected"]["value"] for entry in interval["projections"]}
        self.assertEqual(set(found), set(expected))
        for pair, value in expected.items():
            self.assertAlmostEqual(found[pair], value, places=12, msg=pair)
        self.assertAlmostEqual(interval["interval"][0], min(expected.values()), places=12)
        self.assertAlmostEqual(interval["interval"][1], max(expected.values()), places=12)

    def test_a_machine_onto_itself(self):
        same = {name: (cells[0], cells[0]) for name, cells in MIX.items()}
        document = self.project(machine(SOURCE), machine(SOURCE), mix(same, "here", "there"), options=("--format", "json")).json()
        for value in document["intervals"][0]["interval"]:
            self.assertAlmostEqual(value, 1.5, places=12)

    def test_one_column_is_the_program_on_both(self):
        one = {name: cells[:1] for name, cells in MIX.items()}
        document = self.project(machine(SOURCE), machine(TARGET), mix(one, "both"), options=("--format", "json")).json()
        both = {name: (cells[0], cells[0]) for name, cells in MIX.items()}
        expected = projections(SOURCE, TARGET, both, 1.5).values()
        self.assertAlmostEqual(document["intervals"][0]["interval"][0], min(expected), places=12)
        self.assertAlmostEqual(document["intervals"][0]["interval"][1], max(expected), places=12)

    def test_spread_widens(self):
        wide = self.project(machine(SOURCE, 0.1), machine(TARGET, 0.1), mix(MIX, "here", "there"), options=("--format", "json")).json()
        interval = wide["intervals"][0]
        self.assertAlmostEqual(interval["interval_with_spread"][0], interval["interval"][0] * 0.9 / 1.1, places=12)
        self.assertAlmostEqual(interval["interval_with_spread"][1], interval["interval"][1] * 1.1 / 0.9, places=12)

    def test_levels_that_are_hardly_used_can_be_left_out(self):
        """Of 5000 and 4000 bytes memory answers 200 each, L2 800."""
        for least, roofs in (("0", {"L1", "L2", "MEM"}), ("0.05", {"L1", "L2", "MEM"}), ("0.06", {"L1", "L2"}), ("0.3", {"L1"})):
            document = self.project(machine(SOURCE), machine(TARGET), mix(MIX, "a", "b"), options=("--format", "json", "--least-share", least)).json()
            interval, = document["intervals"]
            self.assertEqual({entry["roofline_of"] for entry in interval["projections"]}, roofs)
            expected = [value for (_, roof), value in projections(SOURCE, TARGET, MIX, 1.5).items() if roof in roofs]
            self.assertAlmostEqual(interval["interval"][1], max(expected), places=12)

    def test_all_in_registers_is_limited_by_arithmetic(self):
        registers = {"operations": (1000, 1000), "fp_instructions": (1000, 1000), "bytes:L1": (0, 0), "seconds": (1e-6, None)}
        document = self.project(machine(SOURCE), machine(TARGET), mix(registers, "here", "there"), options=("--format", "json")).json()
        self.assertAlmostEqual(document["measured"]["value"], 1)
        for value in document["intervals"][0]["interval"]:  # 1 / (16 / 4) x (60 / 16)
            self.assertAlmostEqual(value, 0.9375, places=12)


class Tables(Projected):
    """Vector lengths, memories, compilers."""

    VARIANTS = {"operations": (1000, 1000, 1000), "fp_instructions": (500, 500, 125), "bytes:L1": (4000,) * 3, "bytes:MEM": (200,) * 3,
                "vector_bits": (None, 256, 1024), "performance": (1.5, None, None)}

    def rows(self, *options):
        run = self.project(machine(SOURCE), machine(TARGET), mix(self.VARIANTS, "here", "gcc", "clang"), options=("--format", "csv", *options))
        return list(csv.DictReader(io.StringIO(run.out)))

    def test_a_row_for_each_program_and_memory(self):
        rows = self.rows("--memory-bandwidth", "DDR4=21.5,HBM2=65")
        self.assertEqual([(row["program"], row["memory"], row["memory_bandwidth"], row["vector_bits"]) for row in rows],
                         [("gcc", "DDR4", "21.5", "256"), ("gcc", "HBM2", "65", "256"), ("clang", "DDR4", "21.5", "1024"), ("clang", "HBM2", "65", "1024")])
        for row, (column, bits, memory) in zip(rows, ((1, 256, 21.5), (1, 256, 65), (2, 1024, 21.5), (2, 1024, 65))):
            target = {**TARGET, "performance": 60 * bits / 512, "vector_bits": bits, "bandwidth:MEM": memory}
            mixes = {name: (cells[0], cells[column]) for name, cells in self.VARIANTS.items()}
            expected = projections(SOURCE, target, mixes, 1.5).values()
            self.assertAlmostEqual(float(row["lowest"]), min(expected), places=12)
            self.assertAlmostEqual(float(row["highest"]), max(expected), places=12)

    def test_vector_bits_of_a_mix_and_of_the_option(self):
        one = {name: cells[:2] for name, cells in self.VARIANTS.items()}
        self.project(machine(SOURCE), machine(TARGET), mix(one, "here", "gcc"), options=("--vector-bits", "512"), code=3,
                     err="'gcc' was counted with vectors of 256 bits, expected 512")
        del one["vector_bits"]
        run = self.project(machine(SOURCE), machine(TARGET), mix(one, "here", "gcc"), options=("--vector-bits", "1024", "--format", "json"))
        self.assertEqual((run.json()["intervals"][0]["vector_bits"], run.json()["intervals"][0]["performance"]), (1024, 120))

    def test_table_for_people(self):
        self.project(machine(SOURCE), machine(TARGET), mix(MIX, "here", "there"), err="",
                     out=r"^Measured      here on source: 1\.5 GFLOP/s\n(.*\n)+there +- +30 +512 +3\.516 +5\.625  3\.516 to 5\.625\n")


class Papers(Projected):
    def test_what_the_paper_does_not_print_is_said(self):
        for name, gflops, bits, memory in (("thunderx2", 17.53, 128, 25.43), ("neoverse-n1", 18.22, 128, 21.14), ("a64fx", 56.71, 512, 65.52)):
            run = self.project(str(MACHINES / f"{name}.csv"), machine(TARGET), mix(MIX, "here", "there"), options=("--format", "json"), code=1,
                               err="intervals lack levels")
            document = run.json()
            self.assertEqual((document["from"]["performance"]["value"], document["from"]["vector_bits"]), (gflops, bits))
            self.assertEqual(document["from"]["bandwidth"]["MEM"]["value"], memory)
            self.assertIsNone(document["from"]["bandwidth"]["L1"])
            self.assertEqual(document["notes"], f"{name} has no bandwidth of L1, L2: intervals lack these rooflines.")
            self.assertEqual({entry["roofline_of"] for entry in document["intervals"][0]["projections"]}, {"MEM"})


class Measured(Projected):
    """Machines as `catmint roofline` measures them, and settings of one machine."""

    def machine(self):
        ceilings = [ceiling("flops", "fma", "scalar", "", 1, 14, 15, 16), ceiling("flops", "fma", "AVX", "", 1, 59, 60, 61),
                    ceiling("flops", "add", "AVX", "", 1, 29, 30, 31), ceiling("flops", "fma", "AVX", "", 2, 110, 120, 121)]
        for level, rates in (("L1", (80, 300)), ("L2", (70, 200)), ("memory", (20, 25))):
            ceilings += [ceiling("bandwidth", "triad", vectors, level, 1, rate - 1, rate, rate + 1) for vectors, rate in zip(("scalar", "AVX"), rates)]
            ceilings += [ceiling("bandwidth", "copy", "AVX", level, 1, 998, 999, 999), ceiling("bandwidth", "triad", "AVX", level, 2, 400, 500, 600)]
        return str(self.write("machine.json", measured(ceilings)))

    def test_settings(self):
        file = self.machine()
        found = {}
        for setting in ("", "@scalar", "@AVX", "@AVX@2", "@2@AVX"):
            found[setting] = self.project(machine(SOURCE), file + setting, mix(MIX, "a", "b"), options=("--format", "json")).json()["to"]
        self.assertEqual(found["@scalar"]["name"], "machine@scalar")
        self.assertEqual((found["@scalar"]["performance"], found["@scalar"]["vector_bits"]), ({"value": 15, "lowest": 14, "highest": 16}, 64))
        self.assertEqual(found["@scalar"]["bandwidth"]["MEM"], {"value": 20, "lowest": 19, "highest": 21})
        self.assertEqual((found["@AVX"]["vector_bits"], found["@AVX"]["performance"]["value"], found["@AVX"]["bandwidth"]["L1"]["value"]), (256, 60, 300))
        self.assertEqual((found["@AVX"]["bandwidth"], found["@AVX"]["performance"]), (found[""]["bandwidth"], found[""]["performance"]))
        self.assertEqual((found["@AVX@2"]["performance"]["value"], found["@AVX@2"]["bandwidth"]["L2"]["value"]), (120, 500))
        self.assertEqual(found["@AVX@2"]["bandwidth"], found["@2@AVX"]["bandwidth"])
        self.assertIsNone(found[""]["bandwidth"]["L3"])
        # Bounds take the fastest stream: 999 GB/s of copies, for 4000, 800 and 320 bytes of 1000 operations.
        bound = self.project(file, file, mix({**MOVED, "fp_instructions": (1, 1), "moved:L1": (400000, 400000)}, "a", "b"),
                             options=("--format", "json")).json()["intervals"][0]["bound"]
        self.assertEqual((bound["source"]["limited_by"], bound["source"]["roofline"]), ("L1", {"value": 999 / 400, "lowest": 998 / 400, "highest": 999 / 400}))
        self.assertEqual((found["@AVX"]["clock"]["value"], found["@AVX@2"]["clock"]["value"]), (1, 2))
        # What half of the rounds reached is the lowest of bounds, and not of equations 1 to 4.
        rounds = [ceiling("flops", "fma", "AVX", "", 1, 59, 60, 61), ceiling("flops", "add", "AVX", "", 1, 29, 30, 31),
                  ceiling("bandwidth", "triad", "AVX", "L1", 1, 90, 100, 110, rounds=[10e9, 80e9, 100e9])]
        slow = str(self.write("slow.json", measured(rounds)))
        run = self.project(slow, slow, mix({**MOVED, "moved:L1": (400000, 400000)}, "a", "b"), options=("--format", "json"), code=1, err=None).json()
        self.assertEqual((run["to"]["bandwidth"]["L1"]["lowest"], run["intervals"][0]["bound"]["target"]["roofline"]["lowest"]), (90, 80 / 400))
        # Without vectors the performance is that of a matrix product, as LINPACK's; with them it is the peak.
        product = [ceiling("flops", "fma", "AVX", "", 1, 59, 60, 61), ceiling("flops", "product", "OpenBLAS", "", 1, 53, 54, 55),
                   ceiling("bandwidth", "triad", "AVX", "L1", 1, 90, 100, 110)]
        blocked = str(self.write("blocked.json", measured(product)))
        for setting, performance, words in (("", 54, "blocked: its performance is that of a matrix product, 90 % of the peak of 60 GFLOP/s"), ("@AVX", 60, None)):
            document = self.project(blocked + setting, machine(TARGET), mix(MIX, "a", "b"), options=("--format", "json"), code=1, err=None).json()
            self.assertEqual((document["from"]["performance"]["value"], document["from"]["vector_bits"]), (performance, 256))
            self.assertEqual("matrix product" in document["notes"], words is not None)
            self.assertIn(words or "", document["notes"])
        for asked, words in (("@AVX-512", "AVX-512 on 1 core"), ("@avx", "avx on 1 core"), ("@scalar@2", "scalar on 2 cores"), ("@7", "any vectors on 7 cores")):
            self.project(file + asked, machine(TARGET), mix(MIX, "a", "b"), code=3,
                         err=f"it has no peak in double precision of {words} that could be projected: it has @scalar@1, @AVX@1, @AVX@2$")


class Refused(Projected):
    def test_machines(self):
        for text, says in (
                (machine({**SOURCE, "bandwidths:L2": 3}), r"source\.csv:7: a machine has no quantity 'bandwidths:L2'.*bandwidth:L2"),
                (machine(SOURCE).replace("GFLOP/s", "MFLOP/s"), "'performance': expected the unit GFLOP/s, found 'MFLOP/s'"),
                (machine(SOURCE) + "vector_bits,128,,,bits,again\n", "'vector_bits' appears twice"),
                (machine({**SOURCE, "performance": 0}), "'performance': expected a value above 0"),
                (machine({**SOURCE, "performance": -1}), "'performance': expected a value above 0"),
                (machine(SOURCE).replace("16,,", "16,17,"), "from the lowest to the highest"),
                (machine({"vector_bits": 128}), "the machine has no performance"),
                (machine({"performance": 128}), "the machine has no vector_bits"),
                ("quantity,value\n", "expected")):
            self.project(text, machine(TARGET), mix(MIX, "here", "there"), code=3, err=says)

    def test_mixes(self):
        for text, says in (
                (mix({**MIX, "byte:L1": (1, 1)}, "a", "b"), "a mix has no quantity 'byte:L1'"),
                (mix(MIX, "a", "b") + "performance,1,\n", "'performance' appears twice"),
                (mix({**MIX, "bytes:L1": (1, -1)}, "a", "b"), "'bytes:L1' is below 0"),
                (mix({**MIX, "operations": (0, 1)}, "a", "b"), r"mix0\.csv:2: 'a' has no floating-point operations"),
                (mix({**MIX, "fp_instructions": (1, None)}, "a", "b"), r"mix0\.csv:3: 'b' has no floating-point instructions"),
                (mix({**MIX, "fp_instructions": (1, 0)}, "a", "b"), r"mix0\.csv:3: 'b' has no floating-point instructions"),
                (mix({"operations": (1, 1), "performance": (1, 1)}, "a", "b"), r"mix0\.csv:1: 'a' has no floating-point instructions"),
                (mix({**MIX, "seconds": (0, None)}, "a", "b"), r"mix0\.csv:8: 'seconds' of 'a' is 0, expected more than 0"),
                (mix({**MIX, "performance": (0, None)}, "a", "b"), r"mix0\.csv:7: 'performance' of 'a' is 0, expected more than 0"),
                (mix({name: cells for name, cells in MIX.items() if "bytes" not in name}, "a", "b"), r"mix0\.csv:1: 'a' has no bytes of any level, expected bytes:L1"),
                (mix({**MIX, "bytes:L1": (1, None), "bytes:L2": (1, None), "bytes:MEM": (1, None)}, "a", "b"), r"mix0\.csv:4: 'b' has no bytes of any level"),
                (mix({**MIX, "performance": (None, None)}, "a", "b"), r"mix0\.csv:1: 'a' does not say how fast it was on source"),
                ("quantity\n", "no program follows"),
                ("event,a\nloads,1\n", "it does not count 'fp_h_scalar', expected the output of 'catmint count --mix --format json'"),
                ('{"schema": "catmint.metrics/1"}', "it has another schema"),
                ('{"schema": "catmint.count/1", "scopes": []}', "it has no counts")):
            self.project(machine(SOURCE), machine(TARGET), text, code=3, err=says)
        self.project(machine({"performance": 1, "vector_bits": 128}), machine(TARGET), mix(MIX, "a", "b"), code=3,
                     err="no level of memory is known of source, target")

    def test_command_lines(self):
        for options, says in ((("--memory-bandwidth", "DDR4=fast"), "expected GB/s above 0"), (("--memory-bandwidth", "0"), "expected GB/s above 0"),
                              (("--vector-bits", "384"), "expected 128, 256, 512, 1024 or 2048"), (("--performance", "0"), "expected GFLOP/s")):
            self.project(machine(SOURCE), machine(TARGET), mix(MIX, "a", "b"), options=options, code=2, err=says)
        self.expect(support.Run("project", "--from", "x"), 2, err="project needs --from MACHINE, --to MACHINE and --mix FILE")


class Counted(Counting, Projected):
    """Mixes of programs whose instructions are known."""

    def mix_of(self, file):
        three = {**SOURCE, "bandwidth:L3": 30}  # as the model has levels
        return self.project(machine(three), machine(three), str(file), options=("--format", "json", "--performance", "1")).json()["mixes"][0]

    def test_scalable_vectors_of_all_lengths(self):
        """100 turns: a vector loaded, a multiply-add on it, an addition on half of it."""
        program = self.build("sve", COMPILER, """
    .arch armv8.2-a+sve
    .globl _start
_start:
    mov w1, #100
    ptrue p0.d
    adrp x2, data
    add x2, x2, :lo12:data
1:  ld1d z0.d, p0/z, [x2]
    fmla z1.d, p0/m, z0.d, z0.d
    fadd z2.d, z2.d, z0.d
    subs w1, w1, #1
    b.ne 1b
    mov x8, #93
    mov x0, #0
    svc #0
    .bss
    .balign 256
data: .skip 256
""")
        for bits in (128, 256, 512, 1024, 2048):
            file = self.count(program, "--vector-bits", str(bits))
            counted = self.table(file)
            lanes = bits // 64
            # An access in each line of 64 bytes.
            self.assertEqual((counted["load_bytes"], counted["loads"], counted["vector_bits"]), (100 * bits // 8, 100 * max(1, bits // 512), bits))
            document = self.project(machine(SOURCE), machine(TARGET), mix({**MIX}, "here", "there"), str(file),
                                    options=("--format", "json"), err=None).json()
            found = document["mixes"][2]
            self.assertEqual((found["operations"], found["fp_instructions"], found["vector_bits"]), (300 * lanes, 200, bits))
            # All is in L1 but the first line of the vector, or its first lines of 64 bytes.
            lines = max(1, bits // 8 // 64)
            self.assertAlmostEqual(found["bytes"]["L1"], 100 * bits / 8 * (100 * lines - lines) / (100 * lines), places=9)
            self.assertEqual(document["notes"].count("is not known"), document["notes"].count("in_core"))
            self.assertEqual(document["intervals"][1]["performance"], 60 * bits / 512)

    def test_x86_64(self):
        """1000 turns: 2 + 8 operations in 2 instructions; 40 bytes loaded and 8 stored from one line."""
        if os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        program = self.build("mixed", "gcc", """
    .globl _start
_start:
    lea data(%rip), %rdx
    mov $1000, %ecx
1:  vmovapd (%rdx), %ymm0
    vmovsd 32(%rdx), %xmm1
    vfmadd231sd %xmm1, %xmm1, %xmm2
    vfmadd231pd %ymm0, %ymm0, %ymm3
    vmovsd %xmm2, 40(%rdx)
    dec %ecx
    jnz 1b
    mov $60, %eax
    xor %edi, %edi
    syscall
    .bss
    .balign 64
data: .skip 64
""")
        found = self.mix_of(self.count(program))
        self.assertEqual((found["operations"], found["fp_instructions"], found["vector_bits"]), (10000, 2000, None))
        # One line is missed at first; a few more may be the program's own.
        self.assertEqual(found["moved"]["L1"], 48000)
        for level in ("L2", "L3", "MEM"):
            self.assertIn(found["moved"][level], (64, 128, 192))
        self.assertTrue(math.isclose(sum(found["bytes"].values()), 48000))
        self.assertGreaterEqual(found["bytes"]["L1"], 48000 * 0.999)
        self.see_widths(self.count(program))
        self.see_no_third_level(program)

    def test_lines_that_prefetchers_bring_move_too(self):
        """A pass over 1 MiB, a load a line, on a machine that fetches ahead at both levels."""
        program = self.build("pass", "cc", """
    .globl _start
_start:
    lea data(%rip), %rdx
    mov $16384, %ecx
1:  addsd (%rdx), %xmm0
    add $64, %rdx
    dec %ecx
    jnz 1b
    mov $60, %eax
    xor %edi, %edi
    syscall
    .bss
    .balign 64
data: .skip 1048576
""")
        model = support.make_model(self.folder / "ahead", {"INSTRUCTIONS": "instructions"}, l1d_prefetch_ahead=4, l2_prefetch_ahead=8, l1d_prefetch_next=1, fill_accesses=8)
        file = self.count(program, "--pmu", f"software:{model}", "--repeat", "1")
        self.assertIn("not counted: lines that the model fetches ahead, since a mix is counted", file.read_text())
        moved = self.mix_of(file)["moved"]
        for level in ("L2", "L3", "MEM"):
            self.assertAlmostEqual(moved[level] / 1048576, 1, delta=0.01)

    def see_no_third_level(self, program):
        """Memory moves what misses the second cache, where there is no third."""
        model = support.make_model(self.folder / "two", {"INSTRUCTIONS": "instructions"}, l3_size=0, l3_ways=0)
        moved = self.mix_of(self.count(program, "--pmu", f"software:{model}", "--repeat", "1"))["moved"]
        self.assertGreater(moved["MEM"], 0)
        self.assertEqual(moved["MEM"], moved["L3"])

    def see_widths(self, file):
        """1000 scalar multiply-adds of 8 10^9 a second, and 1000 of four lanes, of 7.5: 258.3 ns."""
        ceilings = [ceiling("flops", operation, vectors, "", 1, rate, rate, rate, clock=[1e12] * 3)
                    for operation, vectors, rate in (("fma", "scalar", 16), ("add", "scalar", 8), ("fma", "AVX", 60), ("add", "AVX", 40))]
        ceilings += [ceiling("bandwidth", "triad", "AVX", level, 1, 1e6, 1e6, 1e6) for level in ("L1", "L2", "L3", "memory")]
        both = str(self.write("machine.json", measured(ceilings)))
        bound = self.project(both, both, str(file), options=("--format", "json", "--performance", "10")).json()["intervals"][0]["bound"]
        self.assertEqual(bound["target"]["limited_by"], "arithmetic")
        self.assertAlmostEqual(bound["target"]["roofline"]["value"], 10000 / (125 + 1000 / 7.5), places=9)
        self.assertAlmostEqual(bound["interval"][0], 10, places=9)

    def test_formulas_of_what_is_not_modelled(self):
        """A file is refused if none of its events is known; else the others are counted, and formulas that lack an event have no value."""
        formulas = support.SOURCE / "data/formulas"
        for name in ("zen2", "a64fx", "power9", "kunpeng-920"):
            run = support.Run("count", "--pmu", "software", "--formulas", formulas / f"topdown-{name}.csv", "--", "true")
            if "the emulated PMU needs" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 125, err=rf"the model \S+ of the emulated PMU has none of the events that \S+topdown-{name}\.csv needs, such as '[^']+': only some models know cycles, slots and stalls")
        run = support.Run("count", "--pmu", "software", "--formulas", formulas / "topdown-skylake.csv", "--", "true")
        self.expect(run, 0, err=r"(?m)^BR_MISP_RETIRED:ALL_BRANCHES +[0-9](?s:.*)not modelled")
        presets = self.write("presets.csv", "metric,formula,unit,source\nratio,PAPI_LD_INS / PAPI_TOT_INS,ratio,made up\n")
        run = support.Run("count", "--pmu", "software:skylake", "--formulas", presets, "--", "true")
        self.expect(run, 125, err=r"the model skylake of the emulated PMU has none of the events that \S+presets\.csv needs, such as 'PAPI_\w+': metrics and PAPI's presets are "
                                  r"counted by their definitions, if 'catmint count --results RESULTS\.json'")
        counts = self.folder / "partly.json"
        partly = self.write("partly.csv", "metric,formula,unit,source\nshare,BR_INST_RETIRED:CONDITIONAL / INST_RETIRED:ANY,ratio,made up\n"
                                          "lost,NO_SUCH_EVENT / INST_RETIRED:ANY,ratio,made up\n")
        self.expect(support.Run("count", "--pmu", "software:skylake", "--formulas", partly, "--format", "json", "--output", counts, "--", "true"), 0)
        run = self.expect(support.Run("evaluate", partly, "--counts", counts, "--format", "json"), 1, err="lost, every run: 'NO_SUCH_EVENT' has no value: the emulated PMU does not know its meaning")
        self.assertTrue(0 < run.json()["metrics"][0]["values"][0] < 1)
        self.expect(support.Run("count", "--pmu", "software:skylake", "--formulas", partly, "--events", "NO_SUCH_EVENT", "--", "true"), 125,
                    err="knows no event or fact 'NO_SUCH_EVENT'")
        own = self.write("own.csv", "metric,formula,unit,source\nmix,MEM_INST_RETIRED:ALL_LOADS / INST_RETIRED:ANY,ratio,made up\nrate,INST_RETIRED:ANY / seconds,1/s,made up\n")
        counts = self.folder / "own.json"
        self.expect(support.Run("count", "--pmu", "software:skylake", "--formulas", own, "--format", "json", "--output", counts, "--", "true"), 0)
        run = self.expect(support.Run("evaluate", own, "--counts", counts, "--format", "json"), 1, err="rate, every run: event 'seconds' is not among the counts")
        self.assertTrue(0 < run.json()["metrics"][0]["values"][0] < 1)

    def test_lengths_that_cannot_be_had(self):
        if os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        run = support.Run("count", "--mix", "--vector-bits", "512", "--", "true")
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 125, err="x86_64 has no vectors whose length could be chosen")
        self.expect(support.Run("count", "--mix", "--pmu", "hardware", "--", "true"), 125, err="a mix is counted under the emulated PMU alone")
        self.expect(support.Run("count", "--stepped", "--regions", "--pmu", "software", "--", "true"), 125, err="--stepped is for the emulated PMU, without regions")


if __name__ == "__main__":
    support.main()
