"""Loops by the ports of a core: the least that ports take against an own search, dependences that are known by hand, tables of one's own."""

import itertools
import os
import random
import shutil
import signal
import subprocess
import time

import documents
import support

HEAD = "kind,name,latency,uses,source\nmachine,isa,,{isa},\nmachine,ports,,A B C D,\nmachine,width,,{width},\nmachine,forward,,5,\nmachine,turn,,1,\n"
X86 = """load,.,4,1 C,
store,.,0,1 D,
form,j[a-z]+ l,0,,
form,addq i r,1,1 A|B,
form,vmovsd x x,0,,
form,.* idiom,0,,
form,vaddsd x x x,2:3,1 A,
form,vmulsd x x x,4,1 B,
form,v(add|sub)pd z z z,3,1 A|B,
form,vmovupd z z,0,,
"""
ARM = """load,.,4,1 C,
store,.,0,1 D,
form,update,1,0.5 A|B,
form,b[a-z.]* l,0,,
form,(ldr|str) d d,0,,
form,fmla v v v,2:4,1 A|B,
form,fadd d d d,3,1 A,
form,subs x x i,1,1 B,
"""
KERNELS = ("INIT", "COPY", "UPDATE", "ADD", "STREAM_TRIAD", "SCHOENAUER_TRIAD", "SUM", "PI", "JACOBI_2D_5", "JACOBI_3D_7", "JACOBI_3D_11", "JACOBI_3D_27", "GAUSS_SEIDEL_2D_5")
# Each instruction takes its size from a register; a pointer goes back by eight bytes, and what is stored is loaded by the next turn.
SIZES = "kernel:\n.L1:\n" + "".join(f"\t{line}\n" for line in (
    "leaq 8(%rax,%rcx), %rdx", "idivq %r8", "divl %r9d", "mulq %rcx", "imulq %rcx", "negl %ecx", "notw %cx", "shrb %cl, %sil", "sarxq %rcx, %r8, %r9", "cvtsi2sdl %r8d, %xmm0", "vcvttsd2siq %xmm0, %r10",
    "cmovneq %r8, %r9", "movb %dil, %r11b", "pushq %r8", "popq %r8", "movabsq $81985529216486895, %r8", "testw %cx, %cx", "vaddsd 8(%rdi), %xmm1, %xmm1", "vmovsd %xmm1, (%rdi)", "subq $8, %rdi")) + "\tjne .L1\n\tret\n\t.size kernel, .-kernel\n"


class Ports(support.Case):
    def table(self, rows=X86, isa="x86_64", width=4):
        return self.write("table.csv", HEAD.format(isa=isa, width=width) + rows)

    def loops(self, text, table, *options, code=0):
        run = support.Run("incore", "--assembly", self.write("loop.s", text), "--machine", table, "--format", "json", *options)
        document = self.expect(run, code).json()
        documents.hold(self, document)
        return document["loops"]

    def test_the_least_of_the_busiest_port(self):
        """The distribution shown takes no more, and no set of ports can do less: both ends of a linear program."""
        numbers = random.Random(40)
        names = "ABCD"
        for _ in range(12):
            rows, code, work = "", "f:\n.L1:\n", []
            for i in range(numbers.randint(1, 9)):
                parts = [(numbers.choice((0.5, 1, 2)), "".join(sorted(numbers.sample(names, numbers.randint(1, 4))))) for _ in range(numbers.randint(1, 2))]
                rows += f"form,op{chr(97 + i)},1,{'; '.join(f'{cycles} ' + '|'.join(ports) for cycles, ports in parts)},\n"
                code += f"\top{chr(97 + i)}\n"
                work += [(i, *part) for part in parts]
            loop, = self.loops(code + "\tjne .L1\n", self.table("form,j[a-z]+ l,0,,\n" + rows))
            least = max(sum(cycles for _, cycles, ports in work if set(ports) <= set(chosen)) / size
                        for size in range(1, 5) for chosen in itertools.combinations(names, size))
            self.assertAlmostEqual(loop["throughput"], least, places=9)
            self.assertAlmostEqual(max(loop["ports"].values()), least, places=6)
            for i, instruction in enumerate(loop["instructions"][:-1]):
                self.assertAlmostEqual(sum(instruction["ports"].values()), sum(cycles for at, cycles, _ in work if at == i), places=6)
                self.assertLessEqual(set(instruction["ports"]), set("".join(ports for at, _, ports in work if at == i)))

    def test_dependences(self):
        """(loop, cycles that wait for the turn before, critical path): by the latencies of the table."""
        cases = (("\taddq $8, %rax\n", 1, 1),
                 ("\tvaddsd %xmm1, %xmm0, %xmm0\n", 2, 3),  # an addition has the one before after 2
                 ("\tvaddsd %xmm1, %xmm0, %xmm0\n\tvmulsd %xmm1, %xmm0, %xmm0\n", 7, 7),
                 ("\tvaddsd (%rax), %xmm0, %xmm0\n\taddq $8, %rax\n", 2, 7),  # the load waits for the address alone
                 ("\tvaddsd %xmm1, %xmm0, %xmm0 # a; b\n\t.p2align 4; nop\n\tvaddsd %xmm1, %xmm0, %xmm0; addq $1, %rax\n", 4, 5),  # of a line two
                 ("\tvsubpd %zmm0, %zmm0, %zmm0\n\tvaddpd %zmm0, %zmm0, %zmm0\n", 6, 6),  # NaN less itself is no zero
                 ("\taddq $9223372036854775807, %rax\n\tvmovsd 9223372036854775807(%rax,%rax,2147483647), %xmm0\n", 1, 5),
                 ("\tvxorpd %xmm0, %xmm0, %xmm0\n\tvmulsd %xmm0, %xmm0, %xmm0\n", 0, 4),
                 ("\tvaddsd -8(%rax), %xmm1, %xmm0\n\tvmovsd %xmm0, (%rax)\n\taddq $8, %rax\n", 8, 7),  # what the turn before stored: 5 and 3
                 ("\tvaddsd -16(%rax), %xmm1, %xmm0\n\tvmovsd %xmm0, (%rax)\n\taddq $8, %rax\n", 4, 7),  # the turn before that: half of it
                 ("\tvaddsd 8(%rax), %xmm1, %xmm0\n\tvmovsd %xmm0, (%rax)\n\taddq $8, %rax\n", 1, 7))
        for body, carried, critical in cases:
            loop, = self.loops(f"f:\n.L1:\n{body}\tjne .L1\n", self.table())
            self.assertAlmostEqual(loop["loop_carried"], carried, places=6, msg=body)
            self.assertAlmostEqual(loop["critical_path"], critical, places=6, msg=body)
        self.assertEqual([one["loop_carried"] for one in loop["instructions"]], [False, False, True, False])

    def test_front_and_lines(self):
        body = "\taddq $1, %rax\n" * 7
        loop, = self.loops(f"f:\n1:\n{body}\tjne 1b\n", self.table(width=2))
        self.assertEqual((loop["front"], loop["label"], loop["line"]), (3.5, "1", 2))  # the jump goes with the one before
        stencil = "\tvmovupd (%rax), %zmm0\n\tvaddpd 64(%rax), %zmm0, %zmm0\n\tvaddpd 8(%rax), %zmm0, %zmm0\n"
        loop, = self.loops(f"f:\n.L1:\n{stencil}\tjne .L1\n", self.table())
        self.assertEqual(loop["ports"]["C"], 4)  # of three places two can be aligned together: the third takes two lines

    def test_aarch64(self):
        text = "f:\n.L3:\n\tldr d1, [x0], 8\n\tfmla v0.2d, v1.2d, v2.2d\n\tfadd d3, d3, d1\n\tsubs x1, x1, #1\n\tb.ne .L3\n\tret\n"
        loop, = self.loops(text, self.table(ARM, "aarch64"))
        self.assertEqual([one["form"] for one in loop["instructions"]], ["ldr d m", "fmla v v v", "fadd d d d", "subs x x i", "b.ne l"])
        self.assertAlmostEqual(loop["loop_carried"], 3)
        self.assertEqual([one["loop_carried"] for one in loop["instructions"]], [False, False, True, False, False])
        self.assertAlmostEqual(sum(loop["instructions"][0]["ports"].values()), 1.5)  # the load, and its base changes

    def test_registers_that_are_not_named(self):
        """A division reads and writes rax and rdx; what divides is only read, in memory too, and a sign comes before the next."""
        table = self.table(X86 + "form,cqto,1,1 A,\nform,idivq r,10,6 B,\nform,popcntq r r,1,1 A,\n")
        loop, = self.loops("f:\n.L1:\n\tcqto\n\tidivq %rcx\n\tpopcntq %rcx, %rsi\n\taddq $1, %rdi\n\tjne .L1\n", table)
        self.assertEqual(([one["loop_carried"] for one in loop["instructions"]], loop["loop_carried"]), ([True, True, False, False, False], 11))
        self.assertAlmostEqual(loop["throughput"], 6)
        loop, = self.loops("f:\n.L1:\n\tcqto\n\tidivq (%rcx)\n\taddq $1, %rdi\n\tjne .L1\n", table)
        self.assertEqual([sum(one["ports"].get(port, 0) for one in loop["instructions"]) for port in "CD"], [1, 0])
        loop, = self.loops("f:\n.L1:\n\tmulx %rax, %rcx, %rdx\n\tvmovupd %zmm1, %zmm0{%k1}\n\tvmovupd %zmm1, %zmm2\n\tjne .L1\n", self.table(X86 + "form,mulxq r r r,4,1 A,\nform,vmovupd z z k,2,1 B,\n"))
        self.assertEqual([(one["form"], one["loop_carried"], sum(one["ports"].values())) for one in loop["instructions"]],
                         [("mulxq r r r", True, 1), ("vmovupd z z k", False, 1), ("vmovupd z z", False, 0), ("jne l", False, 0)])  # rdx is read; a move under a mask is work

    def test_unknown_and_without_loops(self):
        run = support.Run("incore", "--assembly", self.write("one.s", "\taddq $1, %rax\n\tfrobnicate %rax\n"), "--machine", self.table())
        self.expect(run, 1, out=r"\? +frobnicate %rax", err="1 instruction is not in the table of ports, and left out")
        loop, = self.loops("\taddq $1, %rax\n", self.table())
        self.assertEqual((loop["label"], loop["loop_carried"], loop["critical_path"]), (None, None, 1))

    def test_functions(self):
        text = "f:\n.L1:\n\taddq $1, %rax\n\tjne .L1\n\t.size f, .-f\ng:\n.L2:\n\tvaddsd %xmm0, %xmm0, %xmm0\n\tjne .L2\n\t.size g, .-g\n"
        self.assertEqual([loop["label"] for loop in self.loops(text, self.table())], [".L1", ".L2"])
        self.assertEqual([loop["label"] for loop in self.loops(text, self.table(), "--function", "g")], [".L2"])
        if not shutil.which("objdump") or subprocess.run(["cc", "-x", "assembler", "-c", "-", "-o", self.folder / "both.o"], input=text, text=True, check=False).returncode != 0:
            self.skipTest("no objdump, or no assembler for x86-64")
        run = support.Run("incore", "--function", f"{self.folder / 'both.o'}:g", "--machine", self.table(), "--format", "json")
        if "finds no function" in run.err:
            self.skipTest("objdump is not of x86-64")
        loop, = self.expect(run, 0).json()["loops"]
        self.assertEqual([one["form"] for one in loop["instructions"]], ["vaddsd x x x", "jne l"])

    def test_assembly_and_object_alike(self):
        """A kernel gives the same loops as assembly and as an object, where disassemblers spell mnemonics without sizes."""
        if not shutil.which("objdump"):
            self.skipTest("no objdump, or no assembler for x86-64")
        for name in ("llvm-mca", "llvm-mca-19"):  # of which nothing is asked here: twice the time
            self.write(f"none/{name}", "#!/bin/sh\nexit 1\n").chmod(0o755)
        path = f"{self.folder / 'none'}:{os.environ['PATH']}"
        source, texts = support.SOURCE / "data/streaming/kernels.c", {SIZES: "cc"}
        for compiler, level, kernel in itertools.product(("gcc", "clang"), ("-O1", "-O2", "-O3", "-Ofast"), KERNELS):
            made = subprocess.run([compiler, level, "-march=x86-64-v4", "-fno-builtin", "-S", f"-D{kernel}", source, "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False) if shutil.which(compiler) else None
            if made is not None and made.returncode == 0:
                texts[made.stdout] = compiler
        for text, compiler in texts.items():
            assembly, binary = self.write("alike.s", text), self.folder / "alike.o"
            if subprocess.run([compiler, "-c", assembly, "-o", binary], stderr=subprocess.DEVNULL, check=False).returncode != 0:
                self.skipTest("no objdump, or no assembler for x86-64")
            roads = [support.Run("incore", *road, "--machine", "zen5", "--format", "json", PATH=path) for road in (("--assembly", assembly, "--function", "kernel"), ("--function", f"{binary}:kernel"))]
            if "finds no function" in roads[1].err:
                self.skipTest("objdump is not of x86-64")
            first, second = ([{name: loop[name] for name in ("throughput", "front", "loop_carried", "critical_path", "predicted")} | {"forms": [one["form"] for one in loop["instructions"] if one["form"][:3] != "nop"]}
                              for loop in self.expect(road, 0).json()["loops"]] for road in roads)
            self.assertEqual(first, second, text)

    def test_tables_that_come_with_catmint(self):
        """Compilers' loops have no instruction that they lack."""
        source = support.SOURCE / "data/streaming/kernels.c"
        for compiler, flags, machines in (("gcc", ("-march=x86-64-v4",), ("golden-cove", "zen4", "zen5")), ("clang", ("-march=x86-64-v3",), ("golden-cove", "zen4", "zen5")),
                                          ("aarch64-linux-gnu-gcc", (), ("neoverse-v2",)), ("aarch64-linux-gnu-gcc", ("-march=armv8.2-a+sve",), ("neoverse-v2",))):
            for kernel in ("PI", "JACOBI_2D_5", "SUM"):
                made = self.folder / "made.s"
                command = [compiler, "-O3", *flags, "-S", f"-D{kernel}", source, "-o", made]
                if shutil.which(compiler) is None or subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
                    continue
                for machine in machines:
                    self.expect(support.Run("incore", "--assembly", made, "--function", "kernel", "--machine", machine), 0, out="Predicted +[0-9]")

    def test_wrong_tables(self):
        good = HEAD.format(isa="x86_64", width=4)
        for text, message in ((good + "form,x,1,1 E,\n", r":7: found uses '1 E', expected cycles and ports"), (good + "form,x,-1,1 A,\n", ":7: found latency '-1'"),
                              (good + "form,(,1,1 A,\n", r":7: found name '\(', expected an extended regular expression"), (good + "shape,x,1,1 A,\n", ":7: found kind 'shape'"),
                              (good + "machine,colour,,red,\n", ":7: found name 'colour'"), (good.replace(",4,", ",x,", 1), ":4: found uses 'x', expected a number"),
                              (good, "expected rows of the machine's ports and width, and of forms"), (good.replace("x86_64", "vax"), "expected x86_64 or aarch64")):
            run = support.Run("incore", "--assembly", self.write("loop.s", "\taddq $1, %rax\n"), "--machine", self.write("wrong.csv", text))
            self.expect(run, 3, out="", err=message)

    def test_wrong_options(self):
        empty, loop = self.write("empty.s", "\t.text\n"), self.write("loop.s", "\taddq $1, %rax\n")
        intel, long = self.write("intel.s", "f:\n\t.intel_syntax noprefix\n\tadd rax, 1\n"), self.write("long.s", "\taddq $1, %rax\n" * 10001)
        arm = self.write("arm.o", b"\x7fELF\2\1\1" + bytes(9) + b"\1\0\xb7\0" + bytes(44))
        for words, code, message in ((("--machine", "zen5"), 2, "--machine needs --ports, or --assembly FILE or --function BINARY:SYMBOL"),
                                     (("--assembly", loop, "--machine", "zen6"), 2, "no ports of a processor 'zen6' are known: expected golden-cove"),
                                     (("--function", "solve", "--machine", "zen5"), 2, "expected BINARY:SYMBOL"),
                                     (("--function", f"{self.folder}/none:f", "--machine", "zen5"), 3, "no such file"),
                                     (("--function", f"{loop}:f", "--machine", "zen5"), 3, r"loop.s: expected an object or program \(ELF\) of x86-64"),
                                     (("--function", f"{arm}:f", "--machine", "zen5"), 3, "arm.o: it is of another architecture than the table of ports, expected x86-64"),
                                     (("--function", f"{arm}:f", "--machine", "neoverse-v2"), 3, "objdump finds no function 'f'"),
                                     (("--assembly", intel, "--machine", "zen5"), 3, "intel.s:2: found Intel's syntax, expected AT&T's"),
                                     (("--assembly", long, "--machine", "zen5"), 3, "long.s:1: found a loop, or code without one, of more than 10000 instructions"),
                                     (("--assembly", self.write("shared.s", "f:\n\tmovl %edi, %eax\n\taddl %esi, %eax\n\timull %eax, %eax\n\tnotl %eax\n\tret\n"), "--machine", "neoverse-v2"), 3, "fewer than one in 4, expected assembly of aarch64"),
                                     (("--assembly", loop, "--machine", "neoverse-v2"), 3, "loop.s: the table of neoverse-v2 knows no instruction, or fewer than one in 4, expected assembly of aarch64"),
                                     (("--assembly", loop, "--machine", "zen5", "--kernels"), 2, "measure nothing: expected no --kernels, --results, --cores, --known"),
                                     (("--assembly", loop, "--machine", "zen5", "--rounds", "2"), 2, "--repetitions, --rounds or --load-seconds"),
                                     (("--assembly", loop, "--machine", "zen5", "--repetitions", "2"), 2, "measure nothing"),
                                     (("--assembly", loop, "--machine", "zen5", "--load-seconds", "2"), 2, "measure nothing"),
                                     (("--assembly", empty, "--machine", "zen5"), 3, "the table of zen5 knows no instruction, or fewer than one in 4, expected assembly of x86-64 in AT&T syntax"),
                                     (("--assembly", loop, "--function", "g", "--machine", "zen5"), 3, "the assembly has no function 'g'"),
                                     (("--assembly", self.folder / "none.s", "--machine", "zen5"), 3, "none.s")):
            self.expect(support.Run("incore", *words), code, out="", err=message)

    def test_signals_end_it(self):
        """Half a minute of loops ends within a few seconds, and writes nothing."""
        loops = "".join(f"l{number}:\n" + "\tvfmadd231pd %ymm1, %ymm2, %ymm3\n" * 4000 + f"\tdecq %rax\n\tjnz l{number}\n" for number in range(100))
        source = self.write("many.s", loops)
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([support.PROGRAM, "incore", "--assembly", source, "--machine", "zen5"], env=support.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            support.wait_until_caught(process, number)
            time.sleep(0.5)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((out, process.returncode), ("", 130), err)
            self.assertIn("interrupted, nothing was written", err)


if __name__ == "__main__":
    support.main()
