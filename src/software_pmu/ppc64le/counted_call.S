/* cm_counted_call(function, argument, number, facts): starts counting, calls, stops. The plugin counts nothing of it. */
#include "software_pmu/plugin_protocol.h"

        .abiversion 2
        .set    PRCTL, 171

        .macro  ASK operation
        li      0, PRCTL
        lis     3, CM_QEMU_MAGIC >> 16
        ori     3, 3, CM_QEMU_MAGIC & 0xffff
        li      4, \operation
        mr      5, 30
        mr      6, 31
        sc
        .endm

        .text
        .globl  cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .hidden cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .type   cm_counted_call, @function
        .p2align 6
cm_counted_call:
        mflr    0
        std     28, -32(1)
        std     29, -24(1)
        std     30, -16(1)
        std     31, -8(1)
        std     0, 16(1)
        stdu    1, -64(1)
        std     2, 24(1)
        mr      28, 3
        mr      29, 4
        mr      30, 5
        mr      31, 6
        ASK     CM_QEMU_START
        mr      3, 29
        mr      12, 28
        mtctr   12
        bctrl
cm_counted_call_return:
        ASK     CM_QEMU_STOP
        ld      2, 24(1)
        addi    1, 1, 64
        ld      0, 16(1)
        mtlr    0
        ld      28, -32(1)
        ld      29, -24(1)
        ld      30, -16(1)
        ld      31, -8(1)
        blr
cm_counted_call_end:
        .size   cm_counted_call, . - cm_counted_call

        .section .note.GNU-stack, "", @progbits
