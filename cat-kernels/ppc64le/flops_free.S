/* cpu-flops: loops of instructions that vendors count differently: minima and maxima, estimates of reciprocals, powers and logarithms, comparisons,
 * conversions, and the outer products of POWER10: some events count them as operations, others do not. They are measured, and part of no
 * verdict; but outer products of bfloat16, which no fact has, are a control. */
#include "flops.inc"

        LOOP_OF S_MINMAX_128, 48, ONES_S, THREE, 8, xvminsp, xvmaxsp, 2
        LOOP_OF D_MINMAX_SCAL, 48, ONES_D, THREE, 8, xsmindp, xsmaxdp, 2
        LOOP_OF D_MINMAX_128, 48, ONES_D, THREE, 8, xvmindp, xvmaxdp, 2
        LOOP_OF S_RECIPROCAL_SCAL, 48, ONES_D, TWO, 8, fres, frsqrtes, 2
        LOOP_OF S_RECIPROCAL_128, 48, ONES_S, TWO, 8, xvresp, xvrsqrtesp, 2
        LOOP_OF S_EXPONENT_128, 48, ONES_S, TWO, 8, vexptefp, vlogefp, 2
        LOOP_OF D_COMPARE_SCAL, 48, ONES_D, COMPARED, 8, fcmpu
        LOOP_OF D_COMPARE_128, 48, ONES_D, THREE, 8, xvcmpeqdp
        LOOP_OF S_CONVERT_SCAL, 48, ONES_D, TWO, 8, frsp
        LOOP_OF D_CONVERT_128, 48, ONES_D, TWO, 9, xvcvsxddp

/* Accumulator 0 lies over vs0 to vs3, accumulator 1 over vs4 to vs7; the products are those of vs8 and vs10. */
        .macro  OUTER name, instruction:vararg
        KERNEL  \name\()_48
        SETUP   ONES_D
        xxlxor  10, 10, 10
        xxlxor  11, 11, 11
        xxsetaccz 0
        xxsetaccz 1
        .p2align 5
1:      .rept   24
        .irp    n, 0, 1
        \instruction
        .endr
        .endr
        TURN
        blr
        END     \name\()_48
        .endm

        OUTER   S_OUTER_512, xvf32gerpp \n, 10, 9
        OUTER   D_OUTER_512, xvf64gerpp \n, 10, 9
        OUTER   B_OUTER_512, xvbf16ger2pp \n, 10, 9

        .section .note.GNU-stack, "", @progbits
