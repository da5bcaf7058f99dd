/* void call_kernel(body rdi, iterations rsi, data rdx, registers *after rcx): calls body(iterations, data) with marks in
 * the registers that belong to the caller, and writes down what is in them afterwards:
 * rbx rbp r12 r13 r14, by how much rsp is off, the flags, MXCSR. */
        .text
        .globl  call_kernel
        .hidden call_kernel
        .type   call_kernel, @function
call_kernel:
        pushq   %rbx
        pushq   %rbp
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        pushq   %rcx
        pushq   $0x1f80         /* MXCSR as a process starts: all exceptions masked, none raised */
        ldmxcsr (%rsp)
        addq    $8, %rsp
        movq    $11, %rbx
        movq    $12, %rbp
        movq    $13, %r12
        movq    $14, %r13
        movq    $15, %r14
        movq    %rsp, %r15
        movq    %rdi, %rax
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        call    *%rax
        movq    %rsp, %rdx
        subq    %r15, %rdx
        movq    %r15, %rsp
        pushfq
        popq    %rax
        cld
        popq    %rcx
        movq    %rbx, 0(%rcx)
        movq    %rbp, 8(%rcx)
        movq    %r12, 16(%rcx)
        movq    %r13, 24(%rcx)
        movq    %r14, 32(%rcx)
        movq    %rdx, 40(%rcx)
        movq    %rax, 48(%rcx)
        stmxcsr 56(%rcx)
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbp
        popq    %rbx
        ret
        .size   call_kernel, . - call_kernel

        .section .note.GNU-stack, "", @progbits
