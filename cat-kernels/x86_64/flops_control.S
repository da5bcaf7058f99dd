/* cpu-flops: controls. Mixtures of additions and multiplications, three to one and one to three, and loops without floating-point
 * arithmetic of vector registers. Each metric's value on them is known, though none was fitted there. */
#include "flops.inc"

        .macro  MIXTURES_SSE p, w, ones, t
        LOOP_SSE \p\()_ADD3_MUL1_\w, 48, \ones, 9, add\t, mul\t, 3
        LOOP_SSE \p\()_ADD1_MUL3_\w, 48, \ones, 9, mul\t, add\t, 3
        .endm
        .macro  MIXTURES_VEX p, w, ones, width, r, t
        LOOP_VEX \p\()_ADD3_MUL1_\w, 48, \ones, \width, \r, THREE, 9, vadd\t, vmul\t, 3
        LOOP_VEX \p\()_ADD1_MUL3_\w, 48, \ones, \width, \r, THREE, 9, vmul\t, vadd\t, 3
        .endm

        MIXTURES_SSE S, SCAL, ONES_SINGLE_SSE, ss
        MIXTURES_SSE S, 128, ONES_SINGLE_SSE, ps
        MIXTURES_VEX S, 256, ONES_SINGLE_AVX, ymm, ymm, ps
        MIXTURES_SSE D, SCAL, ONES_DOUBLE_SSE, sd
        MIXTURES_SSE D, 128, ONES_DOUBLE_SSE, pd
        MIXTURES_VEX D, 256, ONES_DOUBLE_AVX, ymm, ymm, pd

/* The paper's loops, with additions and multiplications in turn. */
        .macro  FUSED_24 name, ones, width, r, t
        LOOP_VEX \name, 24, \ones, \width, \r, FUSED, , vfmadd213\t
        .endm
        .macro  PAPERS_SSE p, w, ones, t, ones_vex
        .irp    count, 24, 48, 96
        LOOP_SSE \p\()_\w, \count, \ones, 9, add\t, mul\t, 2
        .endr
        FUSED_24 \p\()_FMA_\w, \ones_vex, xmm, xmm, \t
        .endm
        .macro  PAPERS_VEX p, w, ones, width, r, t
        .irp    count, 24, 48, 96
        LOOP_VEX \p\()_\w, \count, \ones, \width, \r, THREE, 9, vadd\t, vmul\t, 2
        .endr
        FUSED_24 \p\()_FMA_\w, \ones, \width, \r, \t
        .endm

        PAPERS_SSE S, SCAL, ONES_SINGLE_SSE, ss, ONES_SINGLE_AVX
        PAPERS_SSE S, 128, ONES_SINGLE_SSE, ps, ONES_SINGLE_AVX
        PAPERS_VEX S, 256, ONES_SINGLE_AVX, ymm, ymm, ps
        PAPERS_VEX S, 512, ONES_SINGLE_EVEX, , zmm, ps
        PAPERS_SSE D, SCAL, ONES_DOUBLE_SSE, sd, ONES_DOUBLE_AVX
        PAPERS_SSE D, 128, ONES_DOUBLE_SSE, pd, ONES_DOUBLE_AVX
        PAPERS_VEX D, 256, ONES_DOUBLE_AVX, ymm, ymm, pd
        PAPERS_VEX D, 512, ONES_DOUBLE_EVEX, , zmm, pd
        PAPERS_VEX H, SCAL, ONES_HALF, xmm, xmm, sh
        PAPERS_VEX H, 128, ONES_HALF, xmm, xmm, ph
        PAPERS_VEX H, 256, ONES_HALF, ymm, ymm, ph
        PAPERS_VEX H, 512, ONES_HALF, zmm, zmm, ph

        .macro  SHUFFLE operation, r, source, n
        \operation $0, %\r\()\source, %\r\()\n
        .endm

        LOOP_SSE vector_move, 48, ONES_DOUBLE_SSE, 8, movaps, movdqa, 2
        LOOP_SSE vector_logic, 48, ONES_DOUBLE_SSE, 8, andps, por, 2
        LOOP_SSE vector_integer, 48, ONES_DOUBLE_SSE, 9, paddd, psubq, 2
        LOOP_VEX vector_shuffle, 48, ONES_DOUBLE_AVX, ymm, ymm, SHUFFLE, 8, vpermilps, vpermilpd, 2

/* \before and \after: once a run. */
        .macro  LOOP_PLAIN name, count, before, after, instruction:vararg
        KERNEL  \name\()_\count
        \before
        .p2align 5
1:      .rept   \count
        \instruction
        .endr
        TURN
        \after
        ret
        END     \name\()_\count
        .endm

        .macro  ZEROS
        fldz
        fldz
        .endm
        .macro  DROP
        fstp    %st(0)
        fstp    %st(0)
        .endm

        LOOP_PLAIN integer, 48, , , addq $1, %rcx
        LOOP_PLAIN nop, 48, , , nop
        LOOP_PLAIN x87, 16, ZEROS, DROP, fadd %st(1), %st
        LOOP_PLAIN mmx, 16, , emms, paddd %mm0, %mm1
        LOOP_PLAIN fence, 4, , , lfence
        LOOP_PLAIN store_fence, 4, , , sfence

/* An empty loop: starting and stopping add its count to every other. */
        KERNEL  empty
        ret
        END     empty

        .section .note.GNU-stack, "", @progbits
