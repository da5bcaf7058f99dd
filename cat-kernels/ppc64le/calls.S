/* branch: loops with calls, returns and indirect jumps; as controls those whose targets a processor need not predict. Calls and returns
 * touch no memory; r10 keeps the kernel's own return address. */
#include "branch.inc"

        .macro  LOOP_KEPT
        addic.  3, 3, -1
        bne     1b
        std     5, 0(4)
        mtlr    10
        blr
        .endm

        .macro  CALLS name, count
        KERNEL  \name
        mflr    10
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        bl      cm_callee_\name
        .endr
        LOOP_KEPT
cm_callee_\name:
        blr
        END     \name
        .endm

        CALLS   call_return_1, 1
        CALLS   call_return_4, 4

/* A call that is never returned from. */
        KERNEL  call
        mflr    10
        BEGIN
1:      WALL
        GENERATE
        bl      2f
        nop
2:      LOOP_KEPT
        END     call

        KERNEL  call_register
        mflr    10
        ADDRESS 7, 2f
        mtctr   7
        BEGIN
1:      WALL
        GENERATE
        bctrl
        LOOP_KEPT
2:      blr
        END     call_register

        KERNEL  indirect_1
        ADDRESS 7, 2f
        mtctr   7
        BEGIN
1:      WALL
        GENERATE
        bctr
2:      LOOP
        END     indirect_1

        KERNEL  indirect_4
        ADDRESS 7, 2f
        ADDRESS 10, 3f
        ADDRESS 11, 4f
        ADDRESS 12, 5f
        BEGIN
1:      WALL
        GENERATE
        mtctr   7
        bctr
2:      mtctr   10
        bctr
3:      mtctr   11
        bctr
4:      mtctr   12
        bctr
5:      LOOP
        END     indirect_4

/* Two targets in turn; a nop more at one of them. r7: the address of 1:; r11: 0 or 4, the length of the nop. */
        .macro  TWO_TARGETS name, count
        KERNEL  \name
        ADDRESS 7, 1f
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        andi.   11, 3, 1
        sldi    11, 11, 2
        addi    11, 11, 2f - 1b
        add     11, 11, 7
        mtctr   11
        bctr
2:      nop
        .endr
        LOOP
        END     \name
        .endm

        TWO_TARGETS two_targets_1, 1
        TWO_TARGETS two_targets_4, 4

/* One of two targets at random, which no predictor knows; a nop more at one of them. */
        KERNEL  random_target
        ADDRESS 7, 1f
        BEGIN
1:      WALL
        GENERATE
        srdi    11, 5, 63
        sldi    11, 11, 2
        addi    11, 11, 2f - 1b
        add     11, 11, 7
        mtctr   11
        bctr
2:      nop
        LOOP
        END     random_target

/* A return without a call. */
        KERNEL  push_return
        mflr    10
        ADDRESS 7, 2f
        BEGIN
1:      WALL
        GENERATE
        mtlr    7
        blr
2:      LOOP_KEPT
        END     push_return

/* An indirect jump, or a call and its return, on the side of the random branch that is not taken, behind a wall: as many as mispredictions. */
        KERNEL  random_indirect
        ADDRESS 7, 2f
        mtctr   7
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        bctr
2:      WALL
        LOOP
        END     random_indirect

        KERNEL  random_call
        mflr    10
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        bl      cm_callee_random_call
2:      WALL
        LOOP_KEPT
cm_callee_random_call:
        blr
        END     random_call

        .section .note.GNU-stack, "", @progbits
