/* Arithmetic in registers: as many instructions at once as the core can take (twelve accumulators), or one chain of them, each of which waits for the
 * one before.
 *
 * Accumulators 0 to 11; 12 an addend, 13 minus one, 14 a factor below one, 15 a divisor just above one. Values stay within range however
 * long a kernel runs, and have full mantissas, since dividers are faster on simple numbers. */
#include "timed.inc"

        .section .rodata
        .macro  CONSTANT directive, value, lanes
        .rept   \lanes
        \directive \value
        .endr
        .endm
        .p2align 6
constants_d:
        CONSTANT .double, 1.1319272495, 8
        CONSTANT .double, 0.0712471331, 8
        CONSTANT .double, -1.0, 8
        CONSTANT .double, 0.9370563917, 8
        CONSTANT .double, 1.0000000001234567, 8
constants_s:
        CONSTANT .float, 1.1319272495, 16
        CONSTANT .float, 0.0712471331, 16
        CONSTANT .float, -1.0, 16
        CONSTANT .float, 0.9370563917, 16
        CONSTANT .float, 1.0000001192, 16
constants_h: /* 1.1318, 0.0712, -1, 0.937, 1.001 as bits */
        CONSTANT .short, 0x3c87, 32
        CONSTANT .short, 0x2c8f, 32
        CONSTANT .short, 0xbc00, 32
        CONSTANT .short, 0x3b7f, 32
        CONSTANT .short, 0x3c01, 32

        .macro  SETUP p, r, move
        leaq    constants_\p(%rip), %rax
        .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
        \move   (%rax), %\r\n
        .endr
        \move   64(%rax), %\r\()12
        \move   128(%rax), %\r\()13
        \move   192(%rax), %\r\()14
        \move   256(%rax), %\r\()15
        .endm

/* Forms of an instruction: from a source into an accumulator, with it, fused. */
        .macro  TWO operation, r, source, n
        \operation %\r\source, %\r\n
        .endm
        .macro  THREE operation, r, source, n
        \operation %\r\source, %\r\n, %\r\n
        .endm
        .macro  FUSED operation, r, source, n
        \operation %\r\()12, %\r\source, %\r\n
        .endm

/* Twice \pairs instructions on \chains accumulators in turn: the first and the second form alternate. */
        .macro  WORK chains, r, form, operation, source, form2, operation2, source2, pairs=24
        .set    turn, 0
        .rept   \pairs
        .altmacro
        \form   \operation, \r, \source, %(turn % \chains)
        \form2  \operation2, \r, \source2, %((turn + 1) % \chains)
        .noaltmacro
        .set    turn, turn + 2
        .endr
        .endm

        .macro  LOOP name, p, set, chains, r, move, after, form, operation, source, form2, operation2, source2
        TIMED   \name\()_\p\()_\set\()_\chains
        SETUP   \p, \r, \move
        .p2align 5
1:      WORK    \chains, \r, \form, \operation, \source, \form2, \operation2, \source2
        FINISH  \name\()_\p\()_\set\()_\chains, \after
        .endm

/* Additions and multiplications by turns, which may have a pipe each: fourteen accumulators cover four pipes of three cycles. */
        .macro  MIXTURE p, set, r, move, after, form, add, mul
        TIMED   add_mul_\p\()_\set\()_14
        SETUP   \p, \r, \move
        \move   64(%rax), %\r\()14
        \move   128(%rax), %\r\()15
        \move   (%rax), %\r\()12
        \move   (%rax), %\r\()13
        .p2align 5
1:      WORK    14, \r, \form, \add, 14, \form, \mul, 15, 28
        FINISH  add_mul_\p\()_\set\()_14, \after
        .endm

/* At once, and in a chain. */
        .macro  BOTH name, p, set, r, move, after, form, operation, source
        LOOP    \name, \p, \set, 12, \r, \move, "\after", \form, \operation, \source, \form, \operation, \source
        LOOP    \name, \p, \set, 1, \r, \move, "\after", \form, \operation, \source, \form, \operation, \source
        .endm

/* \prefix: v for VEX and EVEX encodings; \root: the form of square roots. */
        .macro  FAMILY p, set, r, move, after, form, prefix, t, root=TWO
        BOTH    add, \p, \set, \r, \move, "\after", \form, \prefix\()add\t, 12
        BOTH    mul, \p, \set, \r, \move, "\after", \form, \prefix\()mul\t, 13
        BOTH    div, \p, \set, \r, \move, "\after", \form, \prefix\()div\t, 15
        MIXTURE \p, \set, \r, \move, "\after", \form, \prefix\()add\t, \prefix\()mul\t
        LOOP    sqrt, \p, \set, 12, \r, \move, "\after", \root, \prefix\()sqrt\t, 14, \root, \prefix\()sqrt\t, 14
        LOOP    sqrt_mul, \p, \set, 1, \r, \move, "\after", \root\()_OWN, \prefix\()sqrt\t, 0, \form, \prefix\()mul\t, 14
        .endm

/* The square root of the accumulator itself. */
        .macro  TWO_OWN operation, r, source, n
        \operation %\r\n, %\r\n
        .endm
        .macro  THREE_OWN operation, r, source, n
        \operation %\r\n, %\r\n, %\r\n
        .endm

        .macro  FUSED_FAMILY p, set, r, move, t
        BOTH    fma, \p, \set, \r, \move, vzeroupper, FUSED, vfmadd213\t, 14
        .endm

        FAMILY  d, SCALAR, xmm, movaps, "", TWO, , sd
        FAMILY  d, SSE, xmm, movaps, "", TWO, , pd
        FAMILY  d, AVX, ymm, vmovaps, vzeroupper, THREE, v, pd
        FAMILY  d, AVX512, zmm, vmovaps, vzeroupper, THREE, v, pd
        FUSED_FAMILY d, SCALAR, xmm, vmovaps, sd
        FUSED_FAMILY d, SSE, xmm, vmovaps, pd
        FUSED_FAMILY d, AVX, ymm, vmovaps, pd
        FUSED_FAMILY d, AVX512, zmm, vmovaps, pd

        FAMILY  s, SCALAR, xmm, movaps, "", TWO, , ss
        FAMILY  s, SSE, xmm, movaps, "", TWO, , ps
        FAMILY  s, AVX, ymm, vmovaps, vzeroupper, THREE, v, ps
        FAMILY  s, AVX512, zmm, vmovaps, vzeroupper, THREE, v, ps
        FUSED_FAMILY s, SCALAR, xmm, vmovaps, ss
        FUSED_FAMILY s, SSE, xmm, vmovaps, ps
        FUSED_FAMILY s, AVX, ymm, vmovaps, ps
        FUSED_FAMILY s, AVX512, zmm, vmovaps, ps

        FAMILY  h, SCALAR, xmm, vmovaps, vzeroupper, THREE, v, sh, THREE
        FAMILY  h, AVX512, zmm, vmovaps, vzeroupper, THREE, v, ph
        FUSED_FAMILY h, SCALAR, xmm, vmovaps, sh
        FUSED_FAMILY h, AVX512, zmm, vmovaps, ph

/* The clock: 48 additions, of which each waits for the one before, a cycle each. Of registers: cores fold additions of constants. */
        TIMED   clock
        xorl    %edx, %edx
        .p2align 5
1:
        .rept   48
        addq    %rsi, %rdx
        .endr
        FINISH  clock

        .section .note.GNU-stack, "", @progbits
