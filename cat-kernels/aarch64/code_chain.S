/* cm_kernel_code_chain(iterations, data): as many pieces of a chain of code (code_chain.c), one iteration a piece.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chain goes on), buffer at 8, which stays in x3. */
#include "body.inc"

        KERNEL  code_chain
        ldr     x2, [x1]
        ldr     x3, [x1, #8]
        add     x2, x2, x3
        br      x2                      // the chain returns
        END     code_chain

        .section .note.GNU-stack, "", @progbits
