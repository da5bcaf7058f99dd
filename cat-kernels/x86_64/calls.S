/* branch: loops with calls, returns and indirect jumps; as controls those whose targets a processor need not predict. A call stores its
 * return address, and a return loads it; loads and stores elsewhere (here, and in jump_8 of jumps.S) keep them apart. */
#include "branch.inc"

        .macro  CALLS name, count
        KERNEL  \name
        BEGIN
1:      lfence
        GENERATE
        .rept   \count
        call    cm_callee_\name
        .endr
        LOOP
cm_callee_\name:
        ret
        END     \name
        .endm

        CALLS   call_return_1, 1
        CALLS   call_return_4, 4

/* A call that is never returned from: its address is popped. */
        KERNEL  call
        BEGIN
1:      lfence
        GENERATE
        call    2f
2:      popq    %rdx
        LOOP
        END     call

        KERNEL  call_register
        BEGIN
        leaq    2f(%rip), %rdx
1:      lfence
        GENERATE
        call    *%rdx
        LOOP
2:      ret
        END     call_register

/* Through memory, so that loads are no returns. */
        KERNEL  indirect_1
        BEGIN
        leaq    2f(%rip), %rdx
        pushq   %rdx
1:      lfence
        GENERATE
        jmp     *(%rsp)
2:      decq    %rdi
        jnz     1b
        popq    %rdx
        FINISH
        END     indirect_1

        KERNEL  indirect_4
        BEGIN
        leaq    2f(%rip), %rcx
        leaq    3f(%rip), %rdx
        leaq    4f(%rip), %r10
        leaq    5f(%rip), %r11
1:      lfence
        GENERATE
        jmp     *%rcx
2:      jmp     *%rdx
3:      jmp     *%r10
4:      jmp     *%r11
5:      LOOP
        END     indirect_4

/* Two targets in turn; a nop more at one of them. */
        .macro  TWO_TARGETS name, count
        KERNEL  \name
        BEGIN
1:      lfence
        GENERATE
        .rept   \count
        leaq    2f(%rip), %rcx
        leaq    3f(%rip), %rdx
        testb   $1, %dil
        cmovzq  %rdx, %rcx
        jmp     *%rcx
2:      nop
3:
        .endr
        LOOP
        END     \name
        .endm

        TWO_TARGETS two_targets_1, 1
        TWO_TARGETS two_targets_4, 4

/* One of two targets at random, which no predictor knows; a nop more at one of them. */
        KERNEL  random_target
        BEGIN
1:      lfence
        GENERATE
        leaq    2f(%rip), %rcx
        leaq    3f(%rip), %rdx
        cmovsq  %rdx, %rcx
        jmp     *%rcx
2:      nop
3:      LOOP
        END     random_target

/* A return without a call: to an address that was pushed. */
        KERNEL  push_return
        BEGIN
        leaq    2f(%rip), %rdx
1:      lfence
        GENERATE
        pushq   %rdx
        ret
2:      LOOP
        END     push_return

/* An indirect jump, or a call and its return, on the side of the random branch that is not taken, behind a wall: as many as mispredictions. */
        KERNEL  random_indirect
        leaq    2f(%rip), %rdx
        BEGIN
1:      GENERATE
        js      2f
        lfence
        jmp     *%rdx
2:      lfence
        LOOP
        END     random_indirect

        KERNEL  random_call
        BEGIN
1:      GENERATE
        js      2f
        lfence
        call    cm_callee_random_call
2:      lfence
        LOOP
cm_callee_random_call:
        ret
        END     random_call

        .section .note.GNU-stack, "", @progbits
