/* The switch between host and stepped code. See context.h. */
#include "context.h"

#define GPR(number) (CM_CONTEXT_GPR + 8 * number)
#define CACHE_CONTEXT .Ltemplate + CM_CACHE_PAGE + CM_CACHE_CONTEXT
#define CACHE_SLOT .Ltemplate + CM_CACHE_PAGE + CM_CACHE_SLOT
#define CACHE_SCRATCH .Ltemplate + CM_CACHE_PAGE + CM_CACHE_SCRATCH

    .section .rodata
    .balign 16
    .globl cm_switch_template
    .hidden cm_switch_template
cm_switch_template:
.Ltemplate:

/* void enter(cm_context *context, void *slot) */
.Lenter:
    pushq %rbx
    pushq %rbp
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, CM_CONTEXT_HOST_RSP(%rdi)
    movq %rdi, CACHE_CONTEXT(%rip)
    movq %rsi, CACHE_SLOT(%rip)
    movq CM_CONTEXT_VECTOR(%rdi), %rcx
    movl CM_CONTEXT_VECTOR_MASK(%rdi), %eax
    xorl %edx, %edx
    xrstor64 (%rcx)
    /* From here on nothing may touch the flags. */
    pushq CM_CONTEXT_FLAGS(%rdi)
    popfq
    movq GPR(0)(%rdi), %rax
    movq GPR(1)(%rdi), %rcx
    movq GPR(2)(%rdi), %rdx
    movq GPR(3)(%rdi), %rbx
    movq GPR(4)(%rdi), %rsp
    movq GPR(5)(%rdi), %rbp
    movq GPR(6)(%rdi), %rsi
    movq GPR(8)(%rdi), %r8
    movq GPR(9)(%rdi), %r9
    movq GPR(10)(%rdi), %r10
    movq GPR(11)(%rdi), %r11
    movq GPR(12)(%rdi), %r12
    movq GPR(13)(%rdi), %r13
    movq GPR(14)(%rdi), %r14
    movq GPR(15)(%rdi), %r15
    movq GPR(7)(%rdi), %rdi
    jmpq *CACHE_SLOT(%rip)

.Lexit:
    movq %rax, CACHE_SCRATCH(%rip)
    movq CACHE_CONTEXT(%rip), %rax
    movq %rcx, GPR(1)(%rax)
    movq %rdx, GPR(2)(%rax)
    movq %rbx, GPR(3)(%rax)
    movq %rsp, GPR(4)(%rax)
    movq %rbp, GPR(5)(%rax)
    movq %rsi, GPR(6)(%rax)
    movq %rdi, GPR(7)(%rax)
    movq %r8, GPR(8)(%rax)
    movq %r9, GPR(9)(%rax)
    movq %r10, GPR(10)(%rax)
    movq %r11, GPR(11)(%rax)
    movq %r12, GPR(12)(%rax)
    movq %r13, GPR(13)(%rax)
    movq %r14, GPR(14)(%rax)
    movq %r15, GPR(15)(%rax)
    movq CACHE_SCRATCH(%rip), %rcx
    movq %rcx, GPR(0)(%rax)
    movq CM_CONTEXT_HOST_RSP(%rax), %rsp
    pushfq
    popq CM_CONTEXT_FLAGS(%rax)
    cld

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
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbp
    popq %rbx
    ret
.Lend:

    .balign 4
    .globl cm_switch_size, cm_switch_enter, cm_switch_exit
    .hidden cm_switch_size, cm_switch_enter, cm_switch_exit
cm_switch_size:
    .long .Lend - .Ltemplate
cm_switch_enter:
    .long .Lenter - .Ltemplate
cm_switch_exit:
    .long .Lexit - .Ltemplate

    .section .note.GNU-stack, "", @progbits
