/* Loads, stores and gathers in the first cache: as many at once as the core can take, or one chain of them. The first array of the memory is
 * at r8. */
#include "timed.inc"

        .macro  LOAD r, move, at, n
        \move   \at(%r8), %\r\n
        .endm
        .macro  STORE r, move, at, n
        \move   %\r\n, \at(%r8)
        .endm

/* 48 accesses of \width bytes, on eight lines in turn. */
        .macro  ACCESS name, set, one, width, r, move, after
        TIMED   \name\()_\set
        movq    (%rsi), %r8
        .p2align 5
1:
        .set    turn, 0
        .rept   48
        .altmacro
        \one    \r, \move, %((turn * \width) % 512), %(turn % 8)
        .noaltmacro
        .set    turn, turn + 1
        .endr
        FINISH  \name\()_\set, \after
        .endm

        .macro  BOTH set, width, r, move, after
        ACCESS  loads, \set, LOAD, \width, \r, \move, \after
        ACCESS  stores, \set, STORE, \width, \r, \move, \after
        .endm

        BOTH    SCALAR, 8, xmm, movsd
        BOTH    SSE, 16, xmm, movaps
        BOTH    AVX, 32, ymm, vmovaps, vzeroupper
        BOTH    AVX512, 64, zmm, vmovaps, vzeroupper

/* A word that holds its own address. */
        TIMED   load_chain
        movq    (%rsi), %rax
        movq    %rax, (%rax)
        .p2align 5
1:
        .rept   48
        movq    (%rax), %rax
        .endr
        FINISH  load_chain

/* Gathers of double-precision numbers from one line. A gather clears its mask: each has a copy of its own of 15, or of k2. */
        .macro  GATHER_AVX from, n
        vmovaps %ymm15, %ymm14
        vgatherqpd %ymm14, (%r8, %ymm\from, 8), %ymm\n
        .endm
        .macro  GATHER_AVX512 from, n
        kmovw   %k2, %k1
        vgatherqpd (%r8, %zmm\from, 8), %zmm\n{%k1}
        .endm
        .macro  ONES_AVX
        vpcmpeqd %ymm15, %ymm15, %ymm15
        vpxor   %xmm0, %xmm0, %xmm0
        vmovdqa indices(%rip), %ymm13
        .endm
        .macro  ONES_AVX512
        kxnorw  %k2, %k2, %k2
        vpxor   %xmm0, %xmm0, %xmm0
        vmovdqa64 indices(%rip), %zmm13
        .endm

        .section .rodata
        .p2align 6
indices:
        .quad   0, 1, 2, 3, 4, 5, 6, 7

/* 24 gathers. The line is zeros, so that a chain of gathers, each the indices of the next, stays at one line. */
        .macro  GATHERS set
        TIMED   gather_\set
        movq    (%rsi), %r8
        ONES_\set
        .p2align 5
1:
        .rept   3
        .irp    n, 1, 2, 3, 4, 5, 6, 7, 8
        GATHER_\set 13, \n
        .endr
        .endr
        FINISH  gather_\set, vzeroupper

        TIMED   gather_chain_\set
        movq    (%rsi), %r8
        ONES_\set
        .irp    at, 0, 8, 16, 24, 32, 40, 48, 56
        movq    $0, \at(%r8)
        .endr
        .p2align 5
1:
        .rept   12
        GATHER_\set 0, 1
        GATHER_\set 1, 0
        .endr
        FINISH  gather_chain_\set, vzeroupper
        .endm

        GATHERS AVX
        GATHERS AVX512

        .section .note.GNU-stack, "", @progbits
