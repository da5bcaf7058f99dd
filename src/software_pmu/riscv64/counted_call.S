/* cm_counted_call(function, argument, number, facts): starts counting, calls, stops. The plugin counts nothing of it. */
#include "software_pmu/plugin_protocol.h"

        .set    PRCTL, 167

        .macro  ASK operation
        li      a7, PRCTL
        li      a0, CM_QEMU_MAGIC
        li      a1, \operation
        mv      a2, s2
        mv      a3, s3
        ecall
        .endm

        .text
        .globl  cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .hidden cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .type   cm_counted_call, @function
        .p2align 6
cm_counted_call:
        addi    sp, sp, -48
        sd      ra, 40(sp)
        sd      s0, 32(sp)
        sd      s1, 24(sp)
        sd      s2, 16(sp)
        sd      s3, 8(sp)
        mv      s0, a0
        mv      s1, a1
        mv      s2, a2
        mv      s3, a3
        ASK     CM_QEMU_START
        mv      a0, s1
        jalr    s0
cm_counted_call_return:
        ASK     CM_QEMU_STOP
        ld      ra, 40(sp)
        ld      s0, 32(sp)
        ld      s1, 24(sp)
        ld      s2, 16(sp)
        ld      s3, 8(sp)
        addi    sp, sp, 48
        ret
cm_counted_call_end:
        .size   cm_counted_call, . - cm_counted_call

        .section .note.GNU-stack, "", @progbits
