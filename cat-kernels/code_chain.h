/* The chain that code follows: one cycle of pieces of code through a buffer, each in a line of its own. A piece sets
 * the first piece of the next run, counts down, returns if nothing is left, else continues with the next piece. */
#ifndef CM_KERNELS_CODE_CHAIN_H
#define CM_KERNELS_CODE_CHAIN_H

#include "cat-kernels/chain.h"

/* Turns the chain that cm_chain_build has built into code; `kind` are bits of cm_kernel.chain. The caller must make the
 * buffer executable. Does nothing for an architecture without such kernels. */
void cm_code_chain_build(void *buffer, const cm_chain_shape *shape, unsigned kind);

#endif
