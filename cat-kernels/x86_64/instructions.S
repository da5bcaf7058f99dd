/* instructions: loops of one kind of instruction each, on general and on vector registers.
 *
 * Besides its payload a turn executes a decrement and a branch, and, for strings, the instructions that set their registers. Accesses go to a line of
 * the stack. Divisions are of 1 by 1, whose quotient is 1 again. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  ins_\name
        movq    %rsp, %r11
        subq    $256, %rsp
        andq    $-64, %rsp
        movq    %rdi, %r10
        movq    %rsp, %r8
        leaq    64(%rsp), %r9
        movl    $1, %eax
        movl    $1, %ecx
        xorl    %edx, %edx
        .p2align 5
        .endm

        .macro  FINISH name, after
        movq    %r11, %rsp
        \after
        ret
        END     ins_\name
        .endm

        .macro  AGAIN
        decq    %r10
        jnz     1b
        .endm

#include "cat-kernels/instruction_loops.inc"

/* ---- on general registers ---- */

        TWICE   add, 1, , addq %rcx, %rsi
        TWICE   multiply, 1, , imulq %rcx, %rsi
        LOOP    divide, 4, 1, , divq %rcx
        LOOP    divide, 12, 1, , divq %rcx
        TWICE   logic, 2, , PAIR andq, orq, %rcx, %rsi
        TWICE   shift, 2, , PAIR shlq, shrq, $1, %rsi
        TWICE   compare, 2, , PAIR cmpq, testq, %rcx, %rsi
        TWICE   move, 2, , PAIR movq, cmovzq, %rcx, %rsi
        TWICE   address, 1, , leaq 8(%rcx,%rax,2), %rsi
        TWICE   crc, 1, , crc32q %rcx, %rsi
        TWICE   flags, 1, , cmc

        LOOP    subtract, 24, 2, , PAIR subq, sbbq, %rcx, %rsi
        LOOP    increment, 24, 2, , PAIR incq, negq, %rsi
        LOOP    multiply_wide, 12, 1, , mulq %rcx
        LOOP    divide_signed, 12, 1, , idivl %ecx
        LOOP    bits, 24, 2, , PAIR xorq, btcq, %rcx, %rsi
        LOOP    rotate, 24, 2, , PAIR rolq, sarq, $1, %rsi
        LOOP    exchange, 24, 2, , PAIR bswapq, notq, %rsi
        LOOP    condition, 24, 2, , PAIR setz, setnz, %sil
        .macro  MIXED
        addq    %rcx, %rsi
        addq    $3, %rsi
        leaq    (%rsi,%rcx), %rdi
        xorq    %rcx, %rdi
        shlq    $2, %rdi
        cmpq    %rcx, %rdi
        movq    %rdi, %rsi
        imulq   %rcx, %rsi
        .endm
        LOOP    mixed, 24, 8, , MIXED

/* ---- on vector registers ---- */

        .macro  TWO_128 name, one, other
        TWICE   \name\()_128, 2, , PAIR \one, \other, %xmm1, %xmm0
        .endm
        .macro  TWO_256 name, one, other
        TWICE   \name\()_256, 2, vzeroupper, PAIR \one, \other, %ymm1, %ymm0, %ymm0
        .endm
        .macro  TWO_512 name, one, other
        TWICE   \name\()_512, 2, vzeroupper, PAIR \one, \other, %zmm1, %zmm0, %zmm0
        .endm

        TWO_128 add, paddd, paddq
        TWO_128 subtract, psubd, psubq
        TWO_128 multiply, pmullw, pmuludq
        TWO_128 logic, pand, pxor
        TWO_128 compare, pcmpeqd, pcmpgtd
        TWO_128 shuffle, punpckldq, punpckhqdq
        TWICE   shift_128, 2, , PAIR pslld, psrlq, $1, %xmm0

        TWO_256 add, vpaddd, vpaddq
        TWO_256 subtract, vpsubd, vpsubq
        TWO_256 multiply, vpmullw, vpmuludq
        TWO_256 logic, vpand, vpxor
        TWO_256 compare, vpcmpeqd, vpcmpgtd
        TWO_256 shuffle, vpunpckldq, vpunpckhqdq
        TWICE   shift_256, 2, vzeroupper, PAIR vpslld, vpsrlq, $1, %ymm0, %ymm0

        TWO_512 add, vpaddd, vpaddq
        TWO_512 subtract, vpsubd, vpsubq
        TWO_512 multiply, vpmulld, vpmuludq
        TWO_512 logic, vpandd, vpxorq
        TWICE   compare_512, 2, vzeroupper, PAIR vpcmpeqd, vpcmpgtd, %zmm1, %zmm0, %k1
        TWO_512 shuffle, vpunpckldq, vpunpckhqdq
        TWICE   shift_512, 2, vzeroupper, PAIR vpslld, vpsrlq, $1, %zmm0, %zmm0

        TWICE   aes, 2, , PAIR aesenc, aesdec, %xmm1, %xmm0
        TWICE   vector_move, 2, , PAIR movaps, movdqa, %xmm1, %xmm0

        LOOP    saturate_128, 24, 2, , PAIR paddsw, psubusb, %xmm1, %xmm0
        LOOP    high_128, 24, 2, , PAIR pmulhw, pmulhuw, %xmm1, %xmm0
        LOOP    bytes_128, 24, 2, , PAIR pslldq, psrldq, $1, %xmm0
        LOOP    orders_128, 24, 2, , PAIR pshufd, pshuflw, $27, %xmm1, %xmm0
        .macro  MIXED_128
        paddd   %xmm1, %xmm0
        pand    %xmm1, %xmm2
        paddd   %xmm1, %xmm3
        pcmpeqd %xmm1, %xmm4
        psubd   %xmm1, %xmm5
        pslld   $1, %xmm6
        pmullw  %xmm1, %xmm7
        pshufd  $1, %xmm1, %xmm2
        .endm
        LOOP    mixed_128, 24, 8, , MIXED_128

/* ---- neither: pauses, barriers, loads, stores and atomics ---- */

        TWICE   nop, 1, , nop
        LOOP    nop_long, 24, 1, , nopw 64(%rax,%rcx,2)
        LOOP    pause, 2, 1, , pause
        LOOP    pause, 6, 1, , pause
        LOOP    lfence, 4, 1, , lfence
        LOOP    lfence, 12, 1, , lfence
        LOOP    sfence, 4, 1, , sfence
        LOOP    sfence, 12, 1, , sfence
        LOOP    mfence, 4, 1, , mfence

        TWICE   load, 1, , movq (%r8), %rsi
        TWICE   store, 1, , movq %rsi, (%r8)
        TWICE   lock_add, 1, , lock addq $1, (%r8)
        LOOP    lock_exchange, 8, 1, , lock cmpxchgq %rcx, (%r8)
        LOOP    lock_xadd, 8, 1, , lock xaddq %rcx, (%r8)
        LOOP    swap, 8, 1, , xchgq %rcx, (%r8)
        LOOP    update, 8, 1, , addq $1, (%r8)

/* Each from the address at which the first began. Repeated ones store 8 times, as often as the processor likes. */
        .macro  STRING move
        movq    %r8, %rsi
        movq    %r9, %rdi
        \move
        .endm
        TWICE   movs, 1, , STRING movsq
        LOOP    stos, 8, 1, , STRING stosq
        .macro  REPEATED
        movq    %r8, %rdi
        movl    $8, %ecx
        rep stosq
        .endm
        LOOP    rep_stos, 8, 1, , REPEATED

/* Instructions are counted here, so those that set registers up must not show. */
        BEGIN   empty
        FINISH  empty

        .section .note.GNU-stack, "", @progbits
