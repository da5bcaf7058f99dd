/* cm_kernel_code_chain(iterations, data): as many pieces of a chain of code (code_chain.c), one iteration a piece.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chain goes on), buffer at 8, which stays in r5. */
#include "body.inc"

        KERNEL  code_chain
        ld      6, 0(4)
        ld      5, 8(4)
        add     6, 6, 5
        mtctr   6
        bctr                            # the chain returns
        END     code_chain

        .section .note.GNU-stack, "", @progbits
