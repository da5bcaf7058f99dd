/* The pointer chase: cm_kernel_chase_<fillers>(iterations, data), one iteration an access, as cat-kernels/x86_64/chase.S has it:
 * a load whose address is the result of the last, an addition that makes an address of the offset it found, and none, two or five
 * fillers; the loop around them costs two instructions more for 64 accesses, with two fillers for 16.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chase goes on), buffer at 8. */
#include "branch.inc"

        .macro  ACCESS
        ldr     x3, [x3]
        add     x3, x3, x2
        .endm
        .macro  ACCESS_2
        ACCESS
        add     x5, x5, #1
        add     x5, x5, #1
        .endm
        .macro  ACCESS_STORE
        ACCESS
        add     x5, x5, #1
        str     x5, [sp, #8]
        .endm
        .macro  ACCESS_5
        ACCESS
        .rept   5
        add     x5, x5, #1
        .endr
        .endm

/* With loads of the same line before it, whose address is that of the first one: they find the line on its way. */
        .macro  ACCESS_FILL_1
        ldr     x5, [x3, #8]
        ACCESS
        .endm
        .macro  ACCESS_FILL_3
        ldr     x5, [x3, #8]
        ldr     x6, [x3, #16]
        ldr     x7, [x3, #24]
        ACCESS
        .endm

/* With hits of the stack beside it: misses are rare, as in programs. */
        .macro  ACCESS_FIFTH
        .rept   4
        ldr     x5, [sp, #8]
        .endr
        ACCESS
        .endm

/* With a branch at random, and a wall behind it. */
        .macro  ACCESS_RANDOM
        ACCESS
        madd    x7, x7, x8, x9
        tbz     x7, #63, 9f
        nop
9:      WALL
        .endm

/* The generator begins elsewhere in each run, as the chain does: a predictor would learn a sequence that repeats. */
        .macro  SEED_CHASE
        add     x7, x0, x3
        CONSTANT x8, RANDOM_FACTOR
        CONSTANT x9, RANDOM_INCREMENT
        .endm

/* With stores: once or twice beside the element, on a line that no element is on; before it; and into the element itself, which keeps its
 * value. Elements step over two lines at most, of 64, 128 or 256 bytes, so that none is 448 bytes on. */
        .macro  ACCESS_BESIDE
        str     x5, [x3, #448]
        ACCESS
        .endm
        .macro  ACCESS_BESIDE_FIFTH
        .rept   4
        str     x5, [sp, #8]
        .endr
        ACCESS_BESIDE
        .endm
        .macro  ACCESS_BEFORE
        str     x5, [x3, #8]
        ACCESS
        .endm
        .macro  ACCESS_TWICE
        str     x5, [x3, #448]
        str     x5, [x3, #456]
        ACCESS
        add     x5, x5, #1
        add     x5, x5, #1
        .endm
        .macro  ACCESS_SAME
        ldr     x6, [x3]
        str     x6, [x3]
        add     x3, x2, x6
        .endm

        .macro  CHASE name, access, shift, prepare
        KERNEL  \name
        sub     sp, sp, #16
        ldr     x2, [x1, #8]
        ldr     x3, [x1]
        \prepare
        add     x3, x3, x2
        ands    x4, x0, #((1 << \shift) - 1)
        b.eq    2f
1:      \access
        subs    x4, x4, #1
        b.ne    1b
2:      lsr     x0, x0, #\shift
        cbz     x0, 4f
        .p2align 6
3:
        .rept   1 << \shift
        \access
        .endr
        subs    x0, x0, #1
        b.ne    3b
4:      sub     x3, x3, x2
        ldr     x6, [x1]                // fetches the line, so that no store misses: a chase is about loads
        str     x3, [x1]
        add     sp, sp, #16
        ret
        END     \name
        .endm

        CHASE   chase_0, ACCESS, 6
        CHASE   chase_2, ACCESS_2, 4
        CHASE   chase_store, ACCESS_STORE, 4
        CHASE   chase_5, ACCESS_5, 6
        CHASE   chase_fill_1, ACCESS_FILL_1, 4
        CHASE   chase_fill_3, ACCESS_FILL_3, 4
        CHASE   chase_fifth, ACCESS_FIFTH, 1
        CHASE   chase_random, ACCESS_RANDOM, 2, SEED_CHASE
        CHASE   chase_beside, ACCESS_BESIDE, 6
        CHASE   chase_beside_fifth, ACCESS_BESIDE_FIFTH, 1
        CHASE   chase_before, ACCESS_BEFORE, 6
        CHASE   chase_twice, ACCESS_TWICE, 4
        CHASE   chase_same, ACCESS_SAME, 6

/* As cat-kernels/x86_64/chase.S has it: a loop of two loads or three, so that a wrong path does the third. */
        KERNEL  chase_wrong
        ldr     x2, [x1, #8]
        ldr     x3, [x1]
        ldr     x5, [x2, #8]
        SEED_CHASE
        add     x3, x3, x2
        .p2align 5
1:      mov     x4, x3
        mov     w6, #2
4:      mov     x3, x10
5:      ldr     x10, [x4]
        WALL
        add     x4, x4, x5
        subs    w6, w6, #1
        b.gt    4b
        b.lt    6f
        add     x3, x3, x2
        add     x7, x7, x3
        .rept   3
        madd    x7, x7, x8, x9
        .endr
        tbnz    x7, #63, 5b
        WALL
6:      subs    x0, x0, #1
        b.ne    1b
        sub     x3, x3, x2
        ldr     x6, [x1]
        str     x3, [x1]
        ret
        END     chase_wrong

        .section .note.GNU-stack, "", @progbits
