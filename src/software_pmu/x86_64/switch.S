/* The switch between host and stepped code. See context.h. */
#include "context.h"

#define CM_CONTEXT_GPR_OF(number) (CM_CONTEXT_GPR + 8 * number)
#define CM_CACHE_CONTEXT_AT .Ltemplate + CM_CACHE_PAGE + CM_CACHE_CONTEXT
#define CM_CACHE_SLOT_AT .Ltemplate + CM_CACHE_PAGE + CM_CACHE_SLOT
#define CM_CACHE_SCRATCH_AT .Ltemplate + CM_CACHE_PAGE + CM_CACHE_SCRATCH

/* The host's registers go to its stack, whose place the context remembers. */
    .macro LEAVE_HOST
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, CM_CONTEXT_HOST_RSP(%rdi)
    movq %rdi, CM_CACHE_CONTEXT_AT(%rip)
    movq %rsi, CM_CACHE_SLOT_AT(%rip)
    .endm

/* General registers and flags, from the context in rdi; then on to the slot. Nothing may touch the flags on the way. */
    .macro ENTER_SLOT
    pushq CM_CONTEXT_FLAGS(%rdi)
    popfq
    movq CM_CONTEXT_GPR_OF(0)(%rdi), %rax
    movq CM_CONTEXT_GPR_OF(1)(%rdi), %rcx
    movq CM_CONTEXT_GPR_OF(2)(%rdi), %rdx
    movq CM_CONTEXT_GPR_OF(3)(%rdi), %rbx
    movq CM_CONTEXT_GPR_OF(4)(%rdi), %rsp
    movq CM_CONTEXT_GPR_OF(5)(%rdi), %rbp
    movq CM_CONTEXT_GPR_OF(6)(%rdi), %rsi
    movq CM_CONTEXT_GPR_OF(8)(%rdi), %r8
    movq CM_CONTEXT_GPR_OF(9)(%rdi), %r9
    movq CM_CONTEXT_GPR_OF(10)(%rdi), %r10
    movq CM_CONTEXT_GPR_OF(11)(%rdi), %r11
    movq CM_CONTEXT_GPR_OF(12)(%rdi), %r12
    movq CM_CONTEXT_GPR_OF(13)(%rdi), %r13
    movq CM_CONTEXT_GPR_OF(14)(%rdi), %r14
    movq CM_CONTEXT_GPR_OF(15)(%rdi), %r15
    movq CM_CONTEXT_GPR_OF(7)(%rdi), %rdi
    jmpq *CM_CACHE_SLOT_AT(%rip)
    .endm

/* The other way; the context is then in rax, the stack the host's. */
    .macro LEAVE_SLOT
    movq %rax, CM_CACHE_SCRATCH_AT(%rip)
    movq CM_CACHE_CONTEXT_AT(%rip), %rax
    movq %rcx, CM_CONTEXT_GPR_OF(1)(%rax)
    movq %rdx, CM_CONTEXT_GPR_OF(2)(%rax)
    movq %rbx, CM_CONTEXT_GPR_OF(3)(%rax)
    movq %rsp, CM_CONTEXT_GPR_OF(4)(%rax)
    movq %rbp, CM_CONTEXT_GPR_OF(5)(%rax)
    movq %rsi, CM_CONTEXT_GPR_OF(6)(%rax)
    movq %rdi, CM_CONTEXT_GPR_OF(7)(%rax)
    movq %r8, CM_CONTEXT_GPR_OF(8)(%rax)
    movq %r9, CM_CONTEXT_GPR_OF(9)(%rax)
    movq %r10, CM_CONTEXT_GPR_OF(10)(%rax)
    movq %r11, CM_CONTEXT_GPR_OF(11)(%rax)
    movq %r12, CM_CONTEXT_GPR_OF(12)(%rax)
    movq %r13, CM_CONTEXT_GPR_OF(13)(%rax)
    movq %r14, CM_CONTEXT_GPR_OF(14)(%rax)
    movq %r15, CM_CONTEXT_GPR_OF(15)(%rax)
    movq CM_CACHE_SCRATCH_AT(%rip), %rcx
    movq %rcx, CM_CONTEXT_GPR_OF(0)(%rax)
    movq CM_CONTEXT_HOST_RSP(%rax), %rsp
    pushfq
    popq CM_CONTEXT_FLAGS(%rax)
    cld
    .endm

    .macro ENTER_HOST
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
    .endm

    .section .rodata
    .balign 16
    .globl cm_switch_template
    .hidden cm_switch_template
cm_switch_template:
.Ltemplate:

/* void enter(cm_context *context, void *slot) */
.Lenter:
    LEAVE_HOST
    movq CM_CONTEXT_VECTOR(%rdi), %rcx
    movl CM_CONTEXT_VECTOR_MASK(%rdi), %eax
    xorl %edx, %edx
    xrstor64 (%rcx)
    ENTER_SLOT

.Lexit:
    LEAVE_SLOT
    movq %rax, %rdi
    movq CM_CONTEXT_VECTOR(%rdi), %rcx
    movl CM_CONTEXT_VECTOR_MASK(%rdi), %eax
    xorl %edx, %edx
    cmpb $0, CM_CONTEXT_HAS_XSAVEOPT(%rdi)
    je 1f
    xsaveopt64 (%rcx)
    jmp 2f
1:  xsave64 (%rcx)
2:  cmpb $0, CM_CONTEXT_HAS_AVX(%rdi)
    je 3f
    vzeroupper
3:  testb $1, 512(%rcx) /* is x87 state in use? then the host gets an empty one */
    je 4f
    fninit
4:  fldcw CM_CONTEXT_HOST_X87_CONTROL(%rdi)
    ldmxcsr CM_CONTEXT_HOST_MXCSR(%rdi)
    ENTER_HOST

/* The same for code that touches no vector, x87 or MMX state: that of the stepped code stays in its area, the host's in the
 * registers. */
.Lenter_integer:
    LEAVE_HOST
    ENTER_SLOT

.Lexit_integer:
    LEAVE_SLOT
    ENTER_HOST
.Lend:

    .balign 4
    .macro OFFSET name, label
    .globl \name
    .hidden \name
\name:
    .long \label - .Ltemplate
    .endm

    OFFSET cm_switch_size, .Lend
    OFFSET cm_switch_enter, .Lenter
    OFFSET cm_switch_exit, .Lexit
    OFFSET cm_switch_enter_integer, .Lenter_integer
    OFFSET cm_switch_exit_integer, .Lexit_integer

    .section .note.GNU-stack, "", @progbits
