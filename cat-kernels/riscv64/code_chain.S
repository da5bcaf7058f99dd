/* cm_kernel_code_chain(iterations, data): as many pieces of a chain of code (code_chain.c), one iteration a piece.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chain goes on), buffer at 8. */
#include "body.inc"

        KERNEL  code_chain
        ld      t1, 0(a1)
        ld      t2, 8(a1)
        add     t1, t1, t2
        jr      t1                      # the chain returns
        END     code_chain

        .section .note.GNU-stack, "", @progbits
