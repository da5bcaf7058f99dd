/* Mixtures: all that programs do in one loop: cm_kernel_mixture(iterations, data) and others, one iteration a turn.
 *
 * Other kernels do one thing at a time. An event that counts otherwise when two things meet (operations again because their load was late, locked loads
 * that miss) is seen here alone. Each turn follows a chain (chase.S), which in chase_mixture and others misses and is the stack in the others, and
 * changes a line beside its element by a locked addition; the rest hits two lines of the stack, past a third of which it stores. Vector registers hold
 * ones, so that no operation is of subnormal numbers. How often each is done differs between mixtures: else one thing would make up for another. Those
 * of `free` and of prefetches (`t0`, `t1`, `nta`, `w`) have the facts that vendors disagree about. */
#include "branch.inc"

/* The parts of each mixture: \at, of the element, is changed. rbp: 3. */
        .macro  MISS at
        lock addq %rbp, \at(%rax)
        movq    (%rax), %rax
        addq    %rdx, %rax
        .endm

        .macro  JUMPS
        call    7f
        jmp     8f
7:      ret
8:      leaq    9f(%rip), %rbx
        jmp     *%rbx
9:
        .endm

        .macro  WHOLE_NUMBERS
        addq    %rbp, 56(%rsp)
        imulq   %rbp, %rbx
        movq    %rax, %r14
        movq    %rdx, %r12
        movl    $7, %eax
        xorl    %edx, %edx
        divl    %ebp
        movq    %r14, %rax
        movq    %r12, %rdx
        shll    $1, %ebx
        leal    1(%rbx), %ebx
        testl   %ebp, %ebp
        jz      9f
        nop
9:      JUMPS
        .endm

        .macro  ACCESSES
        movzbl  (%rsp), %ebx
        movzwl  (%rsp), %ebx
        movl    (%rsp), %ebx
        movb    %bl, 64(%rsp)
        movw    %bx, 66(%rsp)
        movl    %ebx, 68(%rsp)
        .endm

/* Of ones in registers 8, singles, and 9, doubles: all results are exact. */
        .macro  ARITHMETIC t, to, ones=8
        add\t   %xmm\ones, \to
        sub\t   %xmm\ones, \to
        mul\t   %xmm\ones, \to
        div\t   %xmm\ones, \to
        sqrt\t  %xmm\ones, \to
        .endm
        .macro  ARITHMETIC_VEX t, ones, to
        vadd\t  \ones, \ones, \to
        vsub\t  \ones, \ones, \to
        vmul\t  \ones, \ones, \to
        vdiv\t  \ones, \ones, \to
        vfmadd213\t \ones, \ones, \to
        .endm

        .macro  ACCESS_MIXTURE at
        MISS    \at
        ACCESSES
        WHOLE_NUMBERS
        ARITHMETIC ss, %xmm0
        ARITHMETIC ps, %xmm0
        ARITHMETIC sd, %xmm2, 9
        ARITHMETIC pd, %xmm2, 9
        movups  (%rsp), %xmm1
        movups  %xmm1, 80(%rsp)
        .irp    operation, paddd, psubd, pmullw, pand, pcmpeqd
        \operation %xmm8, %xmm1
        .endr
        pslld   $1, %xmm1
        pshufd  $0, %xmm1, %xmm1
        fld1
        fstp    %st(0)
        movntiq %rbp, 128(%rsp)
        pause
        .endm
        .macro  ARITHMETIC_256
        ARITHMETIC_VEX ss, %xmm8, %xmm0
        ARITHMETIC_VEX ps, %xmm8, %xmm0
        ARITHMETIC_VEX sd, %xmm9, %xmm2
        ARITHMETIC_VEX pd, %xmm9, %xmm2
        ARITHMETIC_VEX ps, %ymm8, %ymm0
        ARITHMETIC_VEX pd, %ymm9, %ymm2
        vsqrtss %xmm8, %xmm8, %xmm0
        vsqrtsd %xmm9, %xmm9, %xmm2
        vsqrtps %xmm8, %xmm0
        vsqrtpd %xmm9, %xmm2
        vsqrtps %ymm8, %ymm0
        vsqrtpd %ymm9, %ymm2
        .endm
        .macro  ACCESS_MIXTURE_256 at
        MISS    \at
        ARITHMETIC_256
        JUMPS
        JUMPS
        vmovups 32(%rsp), %ymm1
        vmovups (%rsp), %ymm1
        vmovups %ymm1, 64(%rsp)
        .irp    operation, vpaddd, vpsubd, vpmulld, vpand, vpcmpeqd
        \operation %ymm8, %ymm1, %ymm1
        .endr
        vpslld  $1, %ymm1, %ymm1
        vpshufd $0, %ymm1, %ymm1
        .endm
        .macro  ACCESS_MIXTURE_512 at
        MISS    \at
        ARITHMETIC_256
        ARITHMETIC_VEX ps, %zmm8, %zmm0
        ARITHMETIC_VEX pd, %zmm9, %zmm2
        vsqrtps %zmm8, %zmm0
        vsqrtpd %zmm9, %zmm2
        .rept   6
        vmovups (%rsp), %zmm1
        .endr
        vmovups %zmm1, 64(%rsp)
        .irp    operation, vpaddd, vpsubd, vpmulld, vpandd
        \operation %zmm8, %zmm1, %zmm1
        .endr
        vpslld  $1, %zmm1, %zmm1
        vpshufd $0, %zmm1, %zmm1
        .endm
        .macro  PREFETCHES operation
        .rept   4
        \operation (%rsp)
        .endr
        .endm
        .macro  ACCESS_MIXTURE_T0 at
        MISS    \at
        PREFETCHES prefetcht0
        .endm
        .macro  ACCESS_MIXTURE_T1 at
        MISS    \at
        PREFETCHES prefetcht1
        .endm
        .macro  ACCESS_MIXTURE_NTA at
        MISS    \at
        PREFETCHES prefetchnta
        .endm
        .macro  ACCESS_MIXTURE_W at
        MISS    \at
        PREFETCHES prefetchw
        .endm
/* Kinds by powers of three: no sum and difference of a few is nothing. */
        .macro  ACCESS_MIXTURE_FREE at
        MISS    \at
        rcpps   %xmm8, %xmm1
        ucomisd %xmm8, %xmm1
        .rept   2
        cmpeqps %xmm8, %xmm1
        .endr
        .rept   4
        cvtss2sd %xmm8, %xmm1
        .endr
        .rept   5
        cvtps2pd %xmm8, %xmm1
        .endr
        .rept   13
        minss   %xmm8, %xmm1
        maxpd   %xmm8, %xmm1
        .endr
        maxpd   %xmm8, %xmm1
        .endm
/* With a store, which is the first to touch the line or page. */
        .macro  ACCESS_MIXTURE_STORE at
        movq    %rbp, \at+8(%rax)
        ACCESS_MIXTURE \at
        .endm
/* With a branch at random (branch.inc). */
        .macro  ACCESS_MIXTURE_RANDOM at
        ACCESS_MIXTURE \at
        RANDOM_BRANCH
        .endm

/* Finds the element: the stack holds its own address. */
        .macro  CHAIN
        movq    8(%rsi), %rdx
        movq    (%rsi), %rax
        leaq    (%rdi,%rax), %r10       # other numbers in each run
        addq    %rdx, %rax
        .endm
        .macro  END_CHAIN
        subq    %rdx, %rax
        movq    %rax, (%rsi)
        .endm
        .macro  STACK
        movq    $0, (%rsp)
        movq    (%rsi), %r10
        movq    %rsp, %rdx
        movq    %rsp, %rax
        .endm
        .macro  END_STACK
        movq    %r10, (%rsi)
        .endm

/* Code that misses: its pieces (code_chain.c) call turn, whose turns are on the stack of each call. */
        .macro  CODE
        leaq    turn(%rip), %r11
        movq    (%rsi), %rax
        addq    8(%rsi), %rax
        .endm
        .macro  END_CODE
        .endm

        .macro  ENTER name, ones, place
        KERNEL  \name
        pushq   %rbx
        pushq   %rbp
        pushq   %r12
        pushq   %r13
        pushq   %r14
        movq    %rsp, %r13
        subq    $256, %rsp
        andq    $-128, %rsp             # a line of 128 bytes ends before the non-temporal store
        movl    $0x3f800000, %eax
        movabsq $0x3ff0000000000000, %rbx
        \ones
        \place
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
        movl    $3, %ebp
        .p2align 6
        .endm
        .macro  LEAVE name, place, after
        END_\place
        \after
        movq    %r13, %rsp
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbp
        popq    %rbx
        ret
        END     \name
        .endm
        .macro  MIXTURE name, place, access, at, ones, after
        ENTER   \name, \ones, \place
1:      \access \at
        decq    %rdi
        jnz     1b
        LEAVE   \name, \place, \after
        .endm
        .macro  BOTH name, access, ones, after
        MIXTURE \name, STACK, \access, 48, \ones, \after
        MIXTURE chase_\name, CHAIN, \access, 448, \ones, \after
        .endm

        .macro  ONES
        movd    %eax, %xmm8
        pshufd  $0, %xmm8, %xmm8
        movaps  %xmm8, %xmm0
        movaps  %xmm8, %xmm1
        movq    %rbx, %xmm9
        punpcklqdq %xmm9, %xmm9
        movaps  %xmm9, %xmm2
        .endm
        .macro  ONES_256
        vmovd   %eax, %xmm8
        vmovq   %rbx, %xmm9
        vpbroadcastd %xmm8, %ymm8
        vpbroadcastq %xmm9, %ymm9
        .endm
        .macro  ONES_512
        vpbroadcastd %eax, %zmm8
        vpbroadcastq %rbx, %zmm9
        .endm

        BOTH    mixture, ACCESS_MIXTURE, ONES
        BOTH    mixture_256, ACCESS_MIXTURE_256, ONES_256, vzeroupper
        BOTH    mixture_512, ACCESS_MIXTURE_512, ONES_512, vzeroupper
        BOTH    mixture_free, ACCESS_MIXTURE_FREE, ONES
        BOTH    mixture_t0, ACCESS_MIXTURE_T0
        BOTH    mixture_t1, ACCESS_MIXTURE_T1
        BOTH    mixture_nta, ACCESS_MIXTURE_NTA
        BOTH    mixture_w, ACCESS_MIXTURE_W
        MIXTURE mixture_random, STACK, ACCESS_MIXTURE_RANDOM, 48, ONES
        MIXTURE chase_mixture_page, CHAIN, ACCESS_MIXTURE, 8, ONES
        MIXTURE chase_mixture_store, CHAIN, ACCESS_MIXTURE_STORE, 448, ONES
        MIXTURE chase_mixture_page_store, CHAIN, ACCESS_MIXTURE_STORE, 8, ONES
        ENTER   code_chain_mixture, ONES, CODE
        call    *%rax
        LEAVE   code_chain_mixture, CODE
turn:
        subq    $368, %rsp
        movq    $0, (%rsp)
        movq    %rsp, %rdx
        movq    %rsp, %rax
        ACCESS_MIXTURE 48
        addq    $368, %rsp
        ret

        .section .note.GNU-stack, "", @progbits
