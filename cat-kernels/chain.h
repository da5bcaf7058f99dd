/* The chain that a pointer chase follows: one cycle through a buffer, in random order within blocks of pages. No step
 * leads to a neighbour in memory or is as long as the one before it in the same page, so that neither a prefetcher nor
 * the TLB decides the counts. A chain of runs does the opposite: of each four elements it takes three upwards, so that
 * prefetchers follow, and then goes far away; the lines that they fetch are used neither long before nor soon after. */
#ifndef CM_KERNELS_CHAIN_H
#define CM_KERNELS_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cm_chain_shape {
    size_t extent; /* bytes from the first to the end of the last element, a multiple of stride */
    size_t stride; /* bytes from one element to the next in memory, a multiple of 8 */
    size_t block;  /* bytes of a block, within which the order is random; a multiple of stride */
    uint64_t seed; /* of the order */
    bool runs;     /* the chain is of runs; without its last elements that make no 32 */
} cm_chain_shape;

/* Makes blocks so small that no step of the cycle is longer than `reach` bytes, except the last, which leads back to
 * the first element; 0: no limit. */
void cm_chain_keep_within(cm_chain_shape *shape, size_t reach);

/* Number of elements in the cycle. */
size_t cm_chain_length(const cm_chain_shape *shape);

/* Links the elements of `buffer` (shape->extent bytes) into one cycle that starts and ends at its first element. An
 * element holds the offset of the next one from the start of the buffer. `order` has space for block / stride numbers.
 */
void cm_chain_build(void *buffer, const cm_chain_shape *shape, uint32_t *order);

#endif
