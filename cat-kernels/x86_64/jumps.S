/* branch: loops of more jumps, more branches taken and not taken, several turns for one branch of the loop, and controls: the random
 * branch taken one time in four and, its sense inverted, three times, and a jump on a wrong path. */
#include "branch.inc"

        .macro  JUMPS count
        .rept   \count
        jmp     2f
        nop
2:
        .endr
        .endm

/* One conditional branch after the other, as `branch` says never or always taken: rdi is not 0. */
        .macro  BRANCHES branch, count
        .rept   \count
        testq   %rdi, %rdi
        \branch 2f
        nop
2:
        .endr
        .endm

        KERNEL  jump_2
        BEGIN
1:      lfence
        GENERATE
        JUMPS   2
        LOOP
        END     jump_2

/* With a store, so that stores are no calls. */
        KERNEL  jump_8
        BEGIN
1:      lfence
        GENERATE
        movq    %rax, -8(%rsp)
        JUMPS   8
        LOOP
        END     jump_8

        KERNEL  not_taken_8
        BEGIN
1:      lfence
        GENERATE
        BRANCHES jz, 8
        LOOP
        END     not_taken_8

        KERNEL  taken_8
        BEGIN
1:      lfence
        GENERATE
        BRANCHES jnz, 8
        LOOP
        END     taken_8

/* Branches that no processor fuses with the comparison, since that does not stand right before them; else all do. */
        KERNEL  apart_8
        BEGIN
1:      lfence
        GENERATE
        .rept   8
        testq   %rdi, %rdi
        movq    %rdi, %r11
        jz      2f
        nop
2:
        .endr
        LOOP
        END     apart_8

/* A turn of the unrolled loops: a branch that is not taken; in the loop of four another that is. */
        .macro  TURN_2
        lfence
        GENERATE
        BRANCHES jz, 1
        .endm
        .macro  TURN_4
        TURN_2
        BRANCHES jnz, 1
        .endm

/* The iterations that do not fill a turn run before the loop. */
        KERNEL  unrolled_2
        BEGIN
        testb   $1, %dil
        jz      1f
        TURN_2
        decq    %rdi
        jz      4f
        .p2align 5
1:      TURN_2
        TURN_2
        subq    $2, %rdi
        jnz     1b
4:      FINISH
        END     unrolled_2

/* Three turns of four have a jump. */
        KERNEL  unrolled_4
        BEGIN
        movq    %rdi, %rdx
        andl    $3, %edx
        jz      3f
1:      TURN_4
        decq    %rdi
        decq    %rdx
        jnz     1b
        testq   %rdi, %rdi
        jz      4f
        .p2align 5
3:      TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        JUMPS   1
        TURN_4
        subq    $4, %rdi
        jnz     3b
4:      FINISH
        END     unrolled_4

/* The top two bits are both set in a quarter of the turns, the top six in one of 64. */
        .macro  QUARTER name, branch, bits=0xc000000000000000
        KERNEL  \name
        BEGIN
        movabsq $\bits, %r10
1:      GENERATE
        cmpq    %r10, %rax
        \branch 2f
        lfence
2:      lfence
        LOOP
        END     \name
        .endm

        QUARTER random_25, jae
        QUARTER random_75, jb
        QUARTER random_2, jae, 0xfc00000000000000

/* A jump on the side of the random branch that is not taken; a wrong path executes it, and then meets a wall. */
        KERNEL  wrong_path_jump
        BEGIN
1:      GENERATE
        js      2f
        jmp     3f
2:      nop
3:      lfence
        LOOP
        END     wrong_path_jump

/* A jump on either side: a wrong path executes one whatever was predicted. */
        KERNEL  wrong_path_jumps
        BEGIN
1:      GENERATE
        js      2f
        jmp     3f
2:      jmp     3f
        nop
3:      lfence
        LOOP
        END     wrong_path_jumps

/* A load on either side, behind which a wall stands: a wrong path loads whatever was predicted. */
        KERNEL  wrong_load
        BEGIN
1:      GENERATE
        js      2f
        movq    -8(%rsp), %rdx
        lfence
        jmp     3f
2:      movq    -16(%rsp), %rdx
        lfence
3:      LOOP
        END     wrong_load

/* 16 on either side, of lines that drive each other out of the first cache: all are of one set, which has up to 12 ways of 4 KiB on x86-64 (13 would do
 * if the line used least recently goes). They are constants, so that each page is one of its own in memory, and nothing stores. The generator goes on
 * from run to run, since runs are short: a predictor would learn a sequence that comes again. */
        .macro  LOAD_SET from
        .set    place, \from
        .rept   16
        movq    lines_of_one_set + place(%rip), %rdx
        .set    place, place + 4096
        .endr
        lfence
        .endm

        KERNEL  wrong_miss
        movq    (%rsi), %rax
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
1:      GENERATE
        js      2f
        LOAD_SET 0
        jmp     3f
2:      LOAD_SET 16*4096
3:      LOOP
        END     wrong_miss

        .section .rodata
        .p2align 12
lines_of_one_set:
        .fill   32 * 4096

        .section .note.GNU-stack, "", @progbits
