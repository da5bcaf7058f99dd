/* branch: loops with calls, returns and indirect jumps; as controls those whose targets a processor need not predict. Calls and returns
 * touch no memory; t3 keeps the kernel's own return address. */
#include "branch.inc"

        .macro  LOOP_KEPT
        addi    a0, a0, -1
        bnez    a0, 1b
        mv      ra, t3
        FINISH
        .endm

        .macro  CALLS name, count
        KERNEL  \name
        mv      t3, ra
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        jal     cm_callee_\name
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
        mv      t3, ra
        BEGIN
1:      WALL
        GENERATE
        jal     2f
        nop
2:      LOOP_KEPT
        END     call

        KERNEL  call_register
        mv      t3, ra
        lla     a3, 2f
        BEGIN
1:      WALL
        GENERATE
        jalr    a3
        LOOP_KEPT
2:      ret
        END     call_register

        KERNEL  indirect_1
        lla     a3, 2f
        BEGIN
1:      WALL
        GENERATE
        jr      a3
2:      LOOP
        END     indirect_1

        KERNEL  indirect_4
        lla     a3, 2f
        lla     a4, 3f
        lla     t4, 4f
        lla     t5, 5f
        BEGIN
1:      WALL
        GENERATE
        jr      a3
2:      jr      a4
3:      jr      t4
4:      jr      t5
5:      LOOP
        END     indirect_4

/* Two targets in turn; a nop more at one of them. */
        .macro  TWO_TARGETS name, count
        KERNEL  \name
        BEGIN
1:      WALL
        GENERATE
        .rept   \count
        lla     a3, 2f
        andi    a4, a0, 1
        slli    a4, a4, 2
        add     a3, a3, a4
        jr      a3
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
        lla     a3, 2f
        slli    a4, t1, 2
        add     a3, a3, a4
        jr      a3
2:      nop
3:      LOOP
        END     random_target

/* A return without a call: a jump through t0 is one, as through ra (The RISC-V Instruction Set Manual, volume I, "Unconditional
 * Jumps"). */
        KERNEL  push_return
        lla     t0, 2f
        BEGIN
1:      WALL
        GENERATE
        jr      t0
2:      LOOP
        END     push_return

/* An indirect jump, or a call and its return, on the side of the random branch that is not taken, behind a wall: as many as mispredictions. */
        KERNEL  random_indirect
        lla     a3, 2f
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        jr      a3
2:      WALL
        LOOP
        END     random_indirect

        KERNEL  random_call
        mv      t3, ra
        BEGIN
1:      GENERATE
        RANDOM  2f
        WALL
        jal     cm_callee_random_call
2:      WALL
        LOOP_KEPT
cm_callee_random_call:
        ret
        END     random_call

        .section .note.GNU-stack, "", @progbits
