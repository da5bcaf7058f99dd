/* cpu-flops: loops of instructions that vendors count differently: minima and maxima, reciprocal estimates, dot products, horizontal additions,
 * comparisons, conversions: some events count them as operations, others do not. They are measured, and part of no verdict. */
#include "flops.inc"

        .macro  MINMAX_VEX p, w, ones, width, r, t
        LOOP_VEX \p\()_MINMAX_\w, 48, \ones, \width, \r, THREE, 8, vmin\t, vmax\t, 2
        .endm

        LOOP_SSE S_MINMAX_SCAL, 48, ONES_SINGLE_SSE, 8, minss, maxss, 2
        LOOP_SSE S_MINMAX_128, 48, ONES_SINGLE_SSE, 8, minps, maxps, 2
        MINMAX_VEX S, 256, ONES_SINGLE_AVX, ymm, ymm, ps
        MINMAX_VEX S, 512, ONES_SINGLE_EVEX, , zmm, ps
        LOOP_SSE D_MINMAX_SCAL, 48, ONES_DOUBLE_SSE, 8, minsd, maxsd, 2
        LOOP_SSE D_MINMAX_128, 48, ONES_DOUBLE_SSE, 8, minpd, maxpd, 2
        MINMAX_VEX D, 256, ONES_DOUBLE_AVX, ymm, ymm, pd
        MINMAX_VEX D, 512, ONES_DOUBLE_EVEX, , zmm, pd
        MINMAX_VEX H, SCAL, ONES_HALF, xmm, xmm, sh
        MINMAX_VEX H, 128, ONES_HALF, xmm, xmm, ph
        MINMAX_VEX H, 256, ONES_HALF, ymm, ymm, ph
        MINMAX_VEX H, 512, ONES_HALF, zmm, zmm, ph

        LOOP_SSE S_RECIPROCAL_SCAL, 48, ONES_SINGLE_SSE, 8, rcpss, rsqrtss, 2
        LOOP_SSE S_RECIPROCAL_128, 48, ONES_SINGLE_SSE, 8, rcpps, rsqrtps, 2
        LOOP_VEX S_RECIPROCAL_256, 48, ONES_SINGLE_AVX, ymm, ymm, TWO, 8, vrcpps, vrsqrtps, 2

/* The dot product of the accumulator with 0; the last operand chooses all elements. */
        .macro  DOT operation, r, source, n
        \operation $0xff, %\r\()\source, %\r\()\n, %\r\()\n
        .endm
        LOOP_VEX S_DOT_128, 48, ONES_SINGLE_AVX, xmm, xmm, DOT, 9, vdpps
        LOOP_VEX S_DOT_256, 48, ONES_SINGLE_AVX, ymm, ymm, DOT, 9, vdpps
        LOOP_VEX D_DOT_128, 48, ONES_DOUBLE_AVX, xmm, xmm, DOT, 9, vdppd

        LOOP_VEX D_HORIZONTAL_128, 48, ONES_DOUBLE_AVX, xmm, xmm, THREE, 9, vhaddpd

        LOOP_SSE S_COMPARE_SCAL, 48, ONES_SINGLE_SSE, 8, ucomiss
        LOOP_SSE D_COMPARE_128, 48, ONES_DOUBLE_SSE, 8, cmpeqpd
        LOOP_SSE S_CONVERT_SCAL, 48, ONES_SINGLE_SSE, 8, cvtss2sd
        LOOP_SSE D_CONVERT_128, 48, ONES_DOUBLE_SSE, 9, cvtdq2pd

        .section .note.GNU-stack, "", @progbits
