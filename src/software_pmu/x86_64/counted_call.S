/* cm_counted_call(function, argument, number, facts): starts counting, calls, stops. The plugin counts nothing of it. */
#include "software_pmu/plugin_protocol.h"

        .set    PRCTL, 157

        .macro  ASK operation
        movl    $PRCTL, %eax
        movl    $CM_QEMU_MAGIC, %edi
        movl    $\operation, %esi
        movq    %r12, %rdx
        movq    %r13, %r10
        leaq    -8(%rsp), %r8
        syscall
        .endm

        .text
        .globl  cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .hidden cm_counted_call, cm_counted_call_return, cm_counted_call_end
        .type   cm_counted_call, @function
        .p2align 6
cm_counted_call:
        endbr64
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        subq    $8, %rsp
        movq    %rdi, %rbx
        movq    %rsi, %r14
        movq    %rdx, %r12
        movq    %rcx, %r13
        ASK     CM_QEMU_START
        movq    %r14, %rdi
        call    *%rbx
cm_counted_call_return:
        ASK     CM_QEMU_STOP
        addq    $8, %rsp
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        ret
cm_counted_call_end:
        .size   cm_counted_call, . - cm_counted_call

        .section .note.GNU-stack, "", @progbits
