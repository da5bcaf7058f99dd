/* cpu-flops: loops of arithmetic whose lanes a mask turns off, a half of them, which keep their values (MASKED), or three quarters, which become 0
 * (ZEROED). Some events count operations of all lanes, others those of active ones. They are measured, and part of no verdict. */
#include "flops.inc"

/* \mask: a bit a lane, set if it is active. */
        .macro  UNDER_MASK move, mask, ones:vararg
        movl    $\mask, %eax
        \move   %eax, %k1
        \ones
        .endm
        .macro  SINGLE_UNDER mask
        UNDER_MASK kmovw, \mask, ONES_SINGLE_EVEX
        .endm
        .macro  DOUBLE_UNDER mask
        UNDER_MASK kmovw, \mask, ONES_DOUBLE_EVEX
        .endm
        .macro  HALF_UNDER mask
        UNDER_MASK kmovd, \mask, ONES_HALF zmm
        .endm

        .macro  MERGED operation, r, source, n
        \operation %\r\()\source, %\r\()\n, %\r\()\n{%k1}
        .endm
        .macro  ZEROED operation, r, source, n
        \operation %\r\()\source, %\r\()\n, %\r\()\n{%k1}{z}
        .endm
        .macro  MERGED_FUSED operation, r, source, n
        \operation %\r\()9, %\r\()8, %\r\()\n{%k1}
        .endm
        .macro  ZEROED_FUSED operation, r, source, n
        \operation %\r\()9, %\r\()8, %\r\()\n{%k1}{z}
        .endm

/* \half, \quarter: masks with so many of the lanes. */
        .macro  UNDER_MASKS p, ones, half, quarter, t
        LOOP_VEX \p\()_MASKED_ADD_512, 48, \ones, \half, zmm, MERGED, 9, vadd\t
        LOOP_VEX \p\()_ZEROED_MUL_512, 48, \ones, \quarter, zmm, ZEROED, 9, vmul\t
        LOOP_VEX \p\()_MASKED_FMA_512, 48, \ones, \half, zmm, MERGED_FUSED, , vfmadd213\t
        LOOP_VEX \p\()_ZEROED_FMA_512, 48, \ones, \quarter, zmm, ZEROED_FUSED, , vfmadd213\t
        .endm

        UNDER_MASKS S, SINGLE_UNDER, 0x5555, 0x1111, ps
        UNDER_MASKS D, DOUBLE_UNDER, 0x55, 0x11, pd
        UNDER_MASKS H, HALF_UNDER, 0x55555555, 0x11111111, ph
        LOOP_VEX D_MASKED_ADD_256, 48, DOUBLE_UNDER, 0x5, ymm, MERGED, 9, vaddpd

        .section .note.GNU-stack, "", @progbits
