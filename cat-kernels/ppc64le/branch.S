/* branch: the loops of branch_loops.inc. calls.S has the loops with calls, returns and indirect jumps, jumps.S those with more jumps and branches. */
#include "branch.inc"

        .macro  HALVE
        srdi    10, 3, 1
        .endm
        .macro  FIRST_HALF to
        cmpld   3, 10
        bgt     \to
        .endm

#include "cat-kernels/branch_loops.inc"

        .section .note.GNU-stack, "", @progbits
