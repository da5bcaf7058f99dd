/* branch: the loops of branch_loops.inc. calls.S has the loops with calls, returns and indirect jumps, jumps.S those with more jumps and branches. */
#include "branch.inc"

        .macro  HALVE
        lsr     x10, x0, #1
        .endm
        .macro  FIRST_HALF to
        cmp     x0, x10
        b.hi    \to
        .endm

#include "cat-kernels/branch_loops.inc"

        .section .note.GNU-stack, "", @progbits
