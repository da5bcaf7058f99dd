/* branch: loops with calls, returns and indirect jumps; as controls those whose targets a processor need not predict. Calls and returns
 * touch no memory; x10 keeps the kernel's own return address. */
#include "branch.inc"

        .macro  LOOP_KEPT
        subs    x0, x0, #1
        b.ne    1b
        str     x5, [x1]
        ret     x10
        .endm

        .macro  CALLS name, count
        KERNEL  \name
        mov     x10, x30
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        bl      cm_callee_\name
        .endr
        LOOP_KEPT
cm_callee_\name:
        ret
        END     \name
        .endm

        CALLS   call_return_1, 1
        CALLS   call_return_4, 4

/* A call that is never returned from. */
        KERNEL  call
        mov     x10, x30
        BEGIN
1:      WALL
        GENERATE
        bl      2f
        nop
2:      LOOP_KEPT
        END     call

        KERNEL  call_register
        mov     x10, x30
        adr     x3, 2f
        BEGIN
1:      WALL
        GENERATE
        blr     x3
        LOOP_KEPT
2:      ret
        END     call_register

        KERNEL  indirect_1
        adr     x3, 2f
        BEGIN
1:      WALL
        GENERATE
        br      x3
2:      LOOP
        END     indirect_1

        KERNEL  indirect_4
        adr     x3, 2f
        adr     x4, 3f
        adr     x6, 4f
        adr     x7, 5f
        BEGIN
1:      WALL
        GENERATE
        br      x3
2:      br      x4
3:      br      x6
4:      br      x7
5:      LOOP
        END     indirect_4

/* Two targets in turn; a nop more at one of them. */
        .macro  TWO_TARGETS name, count
        KERNEL  \name
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        adr     x3, 2f
        adr     x4, 3f
        tst     x0, #1
        csel    x3, x4, x3, eq
        br      x3
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
1:      WALL
        GENERATE
        adr     x3, 2f
        adr     x4, 3f
        cmp     x12, #0
        csel    x3, x4, x3, ne
        br      x3
2:      nop
3:      LOOP
        END     random_target

/* A return without a call. */
        KERNEL  push_return
        adr     x3, 2f
        BEGIN
1:      WALL
        GENERATE
        ret     x3
2:      LOOP
        END     push_return

/* An indirect jump, or a call and its return, on the side of the random branch that is not taken, behind a wall: as many as mispredictions. */
        KERNEL  random_indirect
        adr     x3, 2f
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        br      x3
2:      WALL
        LOOP
        END     random_indirect

        KERNEL  random_call
        mov     x10, x30
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        bl      cm_callee_random_call
2:      WALL
        LOOP_KEPT
cm_callee_random_call:
        ret
        END     random_call

        .section .note.GNU-stack, "", @progbits
