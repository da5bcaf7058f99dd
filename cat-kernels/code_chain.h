/* The chain that code follows: one cycle of pieces of code through a buffer, each in a line of its own. A piece sets
 * where the next run goes on, counts down and leaves where nothing is left, and goes on to the next. */
#ifndef CM_KERNELS_CODE_CHAIN_H
#define CM_KERNELS_CODE_CHAIN_H

#include "cat-kernels/chain.h"

/* Turns the chain that cm_chain_build has built into code; `kind` are bits of cm_kernel.chain. The buffer must be made
 * executable by the caller. An architecture without such kernels has none to turn it into. */
void cm_code_chain_build(void *buffer, const cm_chain_shape *shape, unsigned kind);

#endif
