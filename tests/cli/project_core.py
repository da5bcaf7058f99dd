"""What a core takes at least, of programs whose instructions wait for one another as is known."""

import os

import support
from projecting import Counting


COMPILER = os.environ.get("CATMINT_AARCH64_CC", "aarch64-linux-gnu-gcc")
ARM_LOOP = """
    .arch armv8.2-a+sve
    .globl _start
_start:
    adrp x2, data
    add x2, x2, :lo12:data
    str x2, [x2]
    ptrue p0.d
    mov x1, #1000
1:  {turn}
    subs x1, x1, #1
    b.ne 1b
    mov x8, #93
    mov x0, #0
    svc #0
    .bss
    .balign 64
data: .skip 4096
"""
RISCV_COMPILER = os.environ.get("CATMINT_RISCV64_CC", "riscv64-linux-gnu-gcc")
RISCV_LOOP = """
    .globl _start
_start:
    la a2, data
    mv t3, a2
    sd a2, 0(a2)
    li a1, 1000
1:  {turn}
    addi a1, a1, -1
    bnez a1, 1b
    li a7, 93
    li a0, 0
    ecall
    .bss
    .balign 64
data: .skip 4096
"""
POWER_COMPILER = os.environ.get("CATMINT_PPC64LE_CC", "powerpc64le-linux-gnu-gcc")
POWER_LOOP = """
    .abiversion 2
    .machine power9
    .globl _start
_start:
    lis 4, data@highest
    ori 4, 4, data@higher
    sldi 4, 4, 32
    oris 4, 4, data@h
    ori 4, 4, data@l
    std 4, 0(4)
    li 5, 0
    li 9, 1000
1:  {turn}
    addi 9, 9, -1
    cmpdi 9, 0
    bne 1b
    li 0, 1
    li 3, 0
    sc
    .bss
    .balign 64
data: .skip 4096
"""
SLOW = {"latency_add": 3, "latency_multiply": 5, "latency_multiply_add": 6, "latency_divide": 13, "latency_square_root": 21, "latency_load": 7, "dispatch_width": 8}


class Core(Counting):
    def setUp(self):
        super().setUp()
        if os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")

    # A turn of each, and the cycles that it takes at least: latencies are 3, 5, 6, 13, 21 and 7, and the counter of turns takes one.
    CHAINS = {"a sum": ("addsd %xmm1, %xmm0", 3), "a sum of what is loaded": ("addsd (%rdx), %xmm0", 3), "two sums": ("addsd %xmm2, %xmm0\n vaddpd %ymm2, %ymm1, %ymm1", 3),
              "a product": ("vmulpd %ymm1, %ymm0, %ymm0", 5), "a multiply-add": ("vfmadd231sd %xmm1, %xmm1, %xmm0", 6), "a product, then a sum": ("mulsd %xmm1, %xmm0\n subsd %xmm1, %xmm0", 8),
              "a quotient": ("divsd %xmm1, %xmm0", 13), "a root": ("vsqrtsd %xmm0, %xmm0, %xmm0", 21), "addresses": ("mov (%rdx), %rdx", 7), "an address, formed": ("mov (%rdx), %rax\n lea (%rax), %rdx", 8), "a part of a word": ("movzbl (%rdx), %eax\n lea (%rax,%rdx), %rdx\n sub %rax, %rdx", 9),
              "an integer product": ("imul %rax, %rax", 3), "moves": ("movapd %xmm0, %xmm1\n movapd %xmm1, %xmm0\n addsd %xmm2, %xmm0", 3), "a stack": ("push %rax\n pop %rax", 1),
              "an upper half": ("add %al, %ah", 1), "flags": ("imul %rax, %rax\n adc $0, %rax", 4), "a new sum each turn": ("vxorpd %xmm0, %xmm0, %xmm0\n addsd %xmm1, %xmm0", 1),
              "stores": ("movsd %xmm0, 8(%rdx)\n movsd 8(%rdx), %xmm0", 1), "x87": ("fadd %st(1), %st", 1), "a short quotient": ("divss %xmm1, %xmm0", 8), "a short root": ("sqrtss %xmm0, %xmm0", 11), "a shift": ("shl $3, %rax", 1), "a shift beside a product": ("imul %rax, %rax\n shl %cl, %rsi", 3),
              "a byte made whole": ("movzbl %al, %eax\n addsd %xmm1, %xmm0", 3), "a string": ("movsb\n imul %rax, %rax", 3), "a stack's word": ("mov %rax, -8(%rsp)\n mov -8(%rsp), %rax\n imul %rax, %rax", 1), "a frame": ("push %rbp\n mov %rsp, %rbp\n leave", 1),
              "an exchange": ("xchg %rax, %rsi\n imul %rax, %rax", 1), "a carry made a mask": ("imul %rsi, %rax\n add %rdi, %rdi\n sbb %rax, %rax", 1), "nothing left": ("addps %xmm1, %xmm0\n andnps %xmm0, %xmm0", 1),
              "a number from an integer": ("cvtsi2sd %rax, %xmm0", 1), "a half that is moved": ("vmovsd %xmm1, %xmm0, %xmm0", 1), "an increment beside a carry": ("inc %rax\n adc $0, %rsi", 1), "one that is not chosen": ("cmovz %rdx, %rax\n imul %rax, %rax", 4)}

    def test_chains(self):
        model = support.make_model(self.folder / "slow", {"INSTRUCTIONS": "instructions"}, **SLOW)
        for number, (name, (turn, cycles)) in enumerate(self.CHAINS.items()):
            with self.subTest(name):
                found = self.table(self.count(self.chain(number, turn), "--pmu", f"software:{model}", "--repeat", "1"))["in_core_cycles"]
                self.assertLessEqual(1000 * cycles, found)
                self.assertLessEqual(found, 1000 * cycles + 40)

    def chain(self, number, turn):
        return self.build(f"chain{number}", "gcc", f"""
    .globl _start
_start:
    lea data(%rip), %rdx
    mov %rdx, (%rdx)
    lea 64(%rdx), %rsi
    lea 2048(%rdx), %rdi
    mov $1000, %ecx
1:  {turn}
    dec %ecx
    jnz 1b
    mov $60, %eax
    xor %edi, %edi
    syscall
    .bss
    .balign 64
data: .skip 4096
""")

    def test_a_window_and_a_width(self):
        """1000 turns of four instructions, of which the last needs no place: 3000 by one a cycle; and by a window of 3 as long as a product each turn."""
        for keys, cycles in (({"dispatch_width": 1}, 3000), ({"dispatch_width": 3}, 1000), ({"reorder_window": 3, "latency_multiply": 5}, 5000)):
            model = support.make_model(self.folder / f"model{cycles}", {"INSTRUCTIONS": "instructions"}, **keys)
            found = self.table(self.count(self.chain(cycles, "mulsd %xmm1, %xmm1\n xorps %xmm1, %xmm1"), "--pmu", f"software:{model}", "--repeat", "1"))["in_core_cycles"]
            self.assertLessEqual(cycles, found)
            self.assertLessEqual(found, cycles + 40, keys)


class Arm(Counting):
    """The same of aarch64, where a base that moves, lanes that are new and a predicate are waited for by nobody."""

    CHAINS = {"a sum": ("fadd d0, d0, d1", 3), "a vector's sum": ("fadd v0.2d, v0.2d, v1.2d", 3), "a product": ("fmul v0.4s, v0.4s, v1.4s", 5), "a multiply-add": ("fmla v0.2d, v1.2d, v2.2d", 6),
              "one with four operands": ("fmadd d0, d1, d2, d0", 6), "by element": ("fmul v0.2d, v0.2d, v1.d[1]", 5), "a quotient": ("fdiv d0, d0, d1", 13), "a root": ("fsqrt d0, d0", 21),
              "a root of another": ("fsqrt v0.2d, v1.2d", 1), "a negated sum": ("fneg v0.2d, v0.2d\n fadd v0.2d, v0.2d, v1.2d", 4), "what is loaded": ("ldr d1, [x2]\n fadd d0, d0, d1", 3),
              "addresses": ("ldr x2, [x2]", 7), "a pair": ("ldp x2, x3, [x2]", 7), "a base that moves": ("ldr d1, [x2], #8\n sub x2, x2, #8", 1), "a store's base": ("fadd d0, d0, d1\n str d0, [x2], #8\n sub x2, x2, #8", 3),
              "an integer product": ("mul x3, x3, x4", 3), "flags": ("adds x3, x3, #1\n csel x3, x3, x4, ne", 2), "a new constant": ("movi v0.2d, #0\n fadd v0.2d, v0.2d, v1.2d", 1),
              "a scalable sum": ("fadd z0.d, z0.d, z1.d", 3), "a masked sum": ("fadd z0.d, p0/m, z0.d, z1.d", 3), "a scalable multiply-add": ("fmla z0.d, p0/m, z1.d, z2.d", 6),
              "a new scalable sum": ("fadd z0.d, z1.d, z2.d", 1), "a scalable quotient": ("fdiv z0.d, p0/m, z0.d, z1.d", 13), "a counter of lanes": ("incd x3", 1),
              "a predicate": ("whilelo p0.d, x3, x4\n fadd z0.d, p0/m, z0.d, z1.d", 3), "a loaded vector": ("ld1d z1.d, p0/z, [x2]\n fadd z0.d, z0.d, z1.d", 3)}

    def test_chains(self):
        model = support.make_model(self.folder / "slow", {"INSTRUCTIONS": "instructions"}, **SLOW)
        for number, (name, (turn, cycles)) in enumerate(self.CHAINS.items()):
            program = self.build(f"chain{number}", COMPILER, ARM_LOOP.format(turn=turn))
            with self.subTest(name):
                found = self.table(self.count(program, "--pmu", f"software:{model}", "--vector-bits", "256"))["in_core_cycles"]
                self.assertLessEqual(1000 * cycles, found)
                self.assertLessEqual(found, 1000 * cycles + 40)


class RiscV(Counting):
    CHAINS = {"a sum": ("fadd.d fa0, fa0, fa1", 3), "a product": ("fmul.d fa0, fa0, fa1", 5), "a multiply-add": ("fmadd.d fa0, fa1, fa2, fa0", 6), "a quotient": ("fdiv.d fa0, fa0, fa1", 13),
              "a short quotient": ("fdiv.s fa0, fa0, fa1", 8), "a root": ("fsqrt.d fa0, fa0", 21), "a root of another": ("fsqrt.d fa0, fa1", 1), "moves": ("fmv.d fa2, fa0\n fadd.d fa0, fa2, fa1", 3),
              "what is loaded": ("fld fa1, 0(a2)\n fadd.d fa0, fa0, fa1", 3), "addresses": ("ld a2, 0(a2)", 7), "far addresses": ("ld t3, 0(t3)", 7), "an address, formed": ("ld a3, 0(a2)\n addi a2, a3, 8\n addi a2, a2, -8", 9),
              "an integer product": ("mul a3, a3, a4", 3), "sums": ("add a3, a3, a4\n c.add a3, a4\n c.addi a3, 1\n c.slli a3, 2\n c.and a3, a4", 5), "a copy": ("c.mv a5, a3\n add a3, a5, a4", 1),
              "to integers and back": ("fcvt.l.d a3, fa0\n fcvt.d.l fa0, a3", 2), "a comparison": ("feq.d a3, fa0, fa1\n add a4, a4, a3", 1), "the stack": ("sd a3, -8(sp)\n ld a3, -8(sp)", 1),
              "a constant": ("li a3, 3\n mul a3, a3, a4", 1)}

    def test_chains(self):
        model = support.make_model(self.folder / "slow", {"INSTRUCTIONS": "instructions"}, **SLOW)
        for number, (name, (turn, cycles)) in enumerate(self.CHAINS.items()):
            program = self.build(f"chain{number}", RISCV_COMPILER, RISCV_LOOP.format(turn=turn))
            with self.subTest(name):
                found = self.table(self.count(program, "--pmu", f"software:{model}", "--repeat", "1"))["in_core_cycles"]
                self.assertLessEqual(1000 * cycles, found)
                self.assertLessEqual(found, 1000 * cycles + 40)


class Power(Counting):
    CHAINS = {"a sum": ("fadd 0, 0, 1", 3), "a product": ("fmul 0, 0, 1", 5), "a multiply-add": ("fmadd 0, 1, 2, 0", 6), "a quotient": ("fdiv 0, 0, 1", 13), "a root": ("fsqrt 0, 0", 21),
              "a root of another": ("fsqrt 0, 1", 1), "a vector's sum": ("xvadddp 40, 40, 41", 3), "a vector's multiply-add": ("xvmaddadp 40, 41, 42", 6), "a vector's root": ("xvsqrtdp 40, 40", 21),
              "a scalar in a vector": ("xsmuldp 0, 0, 1", 5), "a copy of a vector": ("xxlor 41, 40, 40\n xvadddp 40, 41, 42", 3), "a negated sum": ("fneg 0, 0\n fadd 0, 0, 1", 4),
              "what is loaded": ("lfd 1, 8(4)\n fadd 0, 0, 1", 3), "a loaded vector": ("lxv 41, 16(4)\n xvadddp 40, 40, 41", 3), "addresses": ("ld 4, 0(4)", 7), "an indexed address": ("ldx 4, 4, 5", 7),
              "a base that moves": ("ldu 6, 8(4)\n addi 4, 4, -8", 1), "a stored sum": ("fadd 0, 0, 1\n stfd 0, 8(4)", 3), "an integer product": ("mulld 6, 6, 7", 3),
              "sums": ("add 6, 6, 7\n addi 6, 6, 1\n rldicl 6, 6, 0, 32\n or 6, 6, 7\n sld 6, 6, 7", 5), "a copy": ("mr 8, 6\n add 6, 8, 7", 1), "a constant": ("li 6, 3\n mulld 6, 6, 7", 1)}

    def test_chains(self):
        model = support.make_model(self.folder / "slow", {"INSTRUCTIONS": "instructions"}, **SLOW)
        for number, (name, (turn, cycles)) in enumerate(self.CHAINS.items()):
            program = self.build(f"chain{number}", POWER_COMPILER, POWER_LOOP.format(turn=turn))
            with self.subTest(name):
                found = self.table(self.count(program, "--pmu", f"software:{model}", "--repeat", "1"))["in_core_cycles"]
                self.assertLessEqual(1000 * cycles, found)
                self.assertLessEqual(found, 1000 * cycles + 40)


if __name__ == "__main__":
    support.main()
