/* cm_counted_call(function, argument, number, facts): starts counting, calls, stops. The plugin counts nothing of it. */
#include "software_pmu/plugin_protocol.h"

        .set    PRCTL, 167

        .macro  ASK operation
        mov     x8, #PRCTL
        movz    x0, #(CM_QEMU_MAGIC & 0xffff)
        movk    x0, #(CM_QEMU_MAGIC >> 16), lsl #16
        mov     x1, #\operation
        mov     x2, x21
        mov     x3, x22
        svc     #0
        .endm

        .text
        .globl  cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .hidden cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .type   cm_counted_call, @function
        .p2align 6
cm_counted_call:
        stp     x29, x30, [sp, #-48]!
        mov     x29, sp
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        mov     x19, x0
        mov     x20, x1
        mov     x21, x2
        mov     x22, x3
        ASK     CM_QEMU_START
        mov     x0, x20
        blr     x19
cm_counted_call_return:
        ASK     CM_QEMU_STOP
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        ldp     x29, x30, [sp], #48
        ret
cm_counted_call_end:
        .size   cm_counted_call, . - cm_counted_call

        .section .note.GNU-stack, "", @progbits
