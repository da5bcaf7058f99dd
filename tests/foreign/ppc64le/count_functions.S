/* Functions whose facts count_rows.c knows: what is loaded and stored at once and in parts, with reservation, across lines, and calls. r3:
 * memory, aligned to 64. */
        .machine power10
        .abiversion 2

        .macro  FUNCTION name
        .text
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  END name
        blr
        .size   \name, . - \name
        .endm

        FUNCTION count_vectors
        lxvd2x  0, 0, 3
        lvx     2, 0, 3
        lxvp    4, 32(3)
        stxv    0, 16(3)
        plxv    6, 64(3)
        END     count_vectors

        FUNCTION count_scalars
        lfs     1, 0(3)
        lfdu    1, 8(3)
        lwa     5, 0(3)
        lhbrx   5, 0, 3
        stfs    1, 4(3)
        pstd    5, 8(3)
        END     count_scalars

        FUNCTION count_reservations
1:      ldarx   4, 0, 3
        stdcx.  4, 0, 3
        bne-    1b
        END     count_reservations

        FUNCTION count_split
        ld      4, 60(3)
        stw     4, 62(3)
        lbz     4, 63(3)
        END     count_split

        FUNCTION count_nothing
        dcbt    0, 3
        addi    4, 3, 8
        lwsync
        nop
        END     count_nothing

        FUNCTION count_calls
        mflr    10
        bl      count_nothing
        bcl     20, 31, .+4
2:      mflr    4
        addi    4, 4, count_nothing - 2b
        mtctr   4
        bctrl
        b       1f
        nop
1:      mtctr   10
        bctr
        .size   count_calls, . - count_calls

        .section .note.GNU-stack, "", @progbits
