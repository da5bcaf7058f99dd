#!/usr/bin/env python3
"""Forms of instructions by the clock against a table of ports: 24 that wait for nothing in a loop, and chains in which each waits for the one before.

usage: tests/bench/forms.py CATMINT [MACHINE]

Compiles a program that times both loops of each form, the fastest of 300 runs, in cycles of a chain of additions beside them; `catmint incore --assembly` predicts the same loops. Prints both, and `*` where they
are more than 10 % apart. Needs AVX-512 and cc; other programs on the core cost runs, not figures."""

import json
import pathlib
import subprocess
import sys
import tempfile

APART, TURNS = 0.1, 200
# Mnemonic, numbers before its registers, letters of the registers in AT&T's order.
FORMS = """vunpcklpd - yyy|vunpcklpd - zzz|vandpd - yyy|vandpd - zzz|vpaddq - yyy|vpaddq - zzz|vshufpd $1 yyy|vpermilpd $1 yy|vpermilpd - yyy|vmovddup - yy|vmovddup - zz|vpshufd $27 yy|vpshufb - yyy|vpalignr $3 yyy
vpermpd $27 yy|vpermpd - zzz|vpermt2pd - yyy|valignq $3 yyy|vshuff64x2 $3 zzz|vperm2f128 $1 yyy|vpsllq $3 yy|vpsllvq - yyy|vpmuludq - yyy|vpmullq - zzz|vpabsq - yy|vpminsd - yyy|vpminsq - yyy
vpsadbw - yyy|vroundpd $4 yy|vrndscalepd $4 zz|vhaddpd - yyy|vphaddd - yyy|vblendpd $5 yyy|vpblendd $5 yyy|vpternlogq $3 yyy|vmaxpd - yyy|vaddpd - yyy|vaddsubpd - yyy|vmulpd - yyy|vdivpd - yyy|vdivps - yyy
vsqrtpd - yy|vsqrtps - yy|vrcp14pd - yy|vcvtdq2pd - xx|vcvtdq2pd - xy|vcvtdq2pd - yz|vcvttpd2dq - yx|vcvttpd2dq - zy|vcvtps2pd - xy|vcvtpd2ps - yx|vcvtdq2ps - yy|vcvtqq2pd - zz|vbroadcastsd - xy|vpbroadcastd - xx
vpmovsxdq - xx|vpmovsxdq - xy|vpmovqd - yx|vextractf128 $1 yx|vextractf64x4 $1 zy|vextractf64x2 $3 zx|vcompresspd - yy|vmovq - rx|vmovq - xr|vcvtsi2sdq - rxx|vcvttsd2si - xr|vpextrq $1 xr|vpinsrq $1 rxx|vmovmskpd - yr|vpbroadcastq - ry
vpcmpd $1 yyk|vcmppd $1 yyk|kandw - kkk|kshiftrw $3 kk|kmovw - rk|kmovw - kr|leaq - r|bswapq - r|blsrq - rr|pdepq - rrr|imulq - rr|shlq $3 r|sarxq - rrr|popcntq - rr""".replace("\n", "|").split("|")
# From a register of one kind to another and back, in one chain.
PAIRS = ("vmovq - rx+vmovq - xr", "vcvtsi2sdq - rxx+vmovq - xr", "vcvttsd2si - xr+vmovq - rx", "vcvtsi2sdq - rxx+vcvttsd2si - xr", "vpextrq $1 xr+vmovq - rx", "vpinsrq $1 rxx+vmovq - xr", "vmovmskpd - yr+vmovq - rx",
         "vpbroadcastq - ry+vmovq - xr", "kmovw - rk+kmovw - kr", "vpcmpeqd - xxk+vpmovm2d - kx", "vpcmpeqd - yyk+vpmovm2d - ky", "vpcmpeqd - zzk+vpmovm2d - kz")
NAMES = {"r": "%r{}", "k": "%k{}", "x": "%xmm{}", "y": "%ymm{}", "z": "%zmm{}"}


def name(mnemonic, letter, number):
    """Registers that a form may have: r8 to r15, of 32 bits where only they fit, and k1 to k7."""
    narrow = "d" if letter == "r" and mnemonic in ("vmovmskpd", "kmovw") else ""
    return NAMES[letter].format({"r": 8 + number % 6, "k": 1 + number % 6}.get(letter, number)) + narrow


def line(form, source, target):
    mnemonic, number, letters = form.split()
    if mnemonic == "leaq":
        return f"leaq 8({name(mnemonic, 'r', source)}), {name(mnemonic, 'r', target)}"
    registers = [name(mnemonic, letter, source) for letter in letters[:-1]] + [name(mnemonic, letters[-1], target)]
    return f"{mnemonic} " + ", ".join(([number] if number != "-" else []) + registers)


def loops(form):
    """Lines of both loops; no chain: source and target are registers of two kinds, or the form is of one register that it keeps."""
    if "+" in form:
        return ["nop"], [line(one, 0, 0) for one in form.split("+")] * 4
    letters = form.split()[2]
    vectors = set(letters) <= set("xyz")
    apart = len(set(letters)) > 1 and not vectors
    free = [line(form, 5 if set(letters[:-1]) & set("rk") and letters[-1] in "rk" else 15, at % (5 if letters[-1] in "rk" else 12)) for at in range(24)]
    return free, [] if apart else [line(form, 0, 0)] * 8


def program(forms):
    clobbered = ", ".join(f'"{name}"' for name in (*(f"r{i}" for i in range(8, 15)), "rax", "rdx", *(f"xmm{i}" for i in range(32)), *(f"k{i}" for i in range(1, 8)), "memory", "cc"))
    functions = [["addq $1, %r8"] * 100] + [loop for form in forms for loop in loops(form)]
    text = "#include <stdint.h>\n#include <stdio.h>\n#include <x86intrin.h>\n"
    for at, lines in enumerate(functions):
        body = "\\n".join(lines).replace("%", "%%")
        text += f'static void f{at}(void) {{ __asm__ volatile("vpxor %%xmm0, %%xmm0, %%xmm0\\nmov ${TURNS}, %%eax\\n1:\\n{body}\\ndec %%eax\\njnz 1b" ::: {clobbered}); }}\n'
    text += f"static void (*const all[])(void) = {{{', '.join(f'f{at}' for at in range(len(functions)))}}};\n"
    return text + """static double fastest(void (*run)(void)) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 300; i++) {
        unsigned core;
        const uint64_t before = __rdtscp(&core);
        run();
        const uint64_t took = __rdtscp(&core) - before;
        least = took < least ? took : least;
    }
    return (double)least;
}
int main(void) {
    for (size_t i = 1; i < sizeof all / sizeof *all; i++) {
        const double cycle = fastest(all[0]) / 100;
        printf("%.3f\\n", fastest(all[i]) / cycle);
    }
}
"""


def predicted(catmint, machine, lines, folder):
    (folder / "loop.s").write_text("f:\n.L1:\n" + "".join(f"\t{one}\n" for one in lines) + "\tdecl %eax\n\tjnz .L1\n")
    done = subprocess.run([catmint, "incore", "--assembly", folder / "loop.s", "--machine", machine, "--format", "json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["loops"][0]["predicted"] if done.returncode == 0 else None


def main():
    catmint, machine = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "zen5"
    with tempfile.TemporaryDirectory() as name_of:
        folder = pathlib.Path(name_of)
        (folder / "forms.c").write_text(program((*FORMS, *PAIRS)))
        subprocess.run(["cc", "-O1", "-march=native", folder / "forms.c", "-o", folder / "forms"], check=True)
        measured = [float(one) for one in subprocess.run([folder / "forms"], capture_output=True, text=True, check=True).stdout.split()]
        for at, form in enumerate((*FORMS, *PAIRS)):
            cells = []
            for which, lines in enumerate(loops(form)):
                took, told = measured[2 * at + which], predicted(catmint, machine, lines, folder) if lines else None
                far = lines and (told is None or abs(took - told) > APART * took)
                cells.append(f"{took / len(lines):8.2f} {'?' if told is None else f'{told / len(lines):.2f}':>6}{'*' if far else ' '}" if lines and lines != ["nop"] else " " * 16)
            print(f"{form:44}{'   '.join(cells)}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
