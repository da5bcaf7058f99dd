#include "cat-kernels/chain.h"

#include <string.h>

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014): one addition and a strong
 * mixer. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, bound), bound < 2^32, by multiplication; the bias of 2^-32 does not matter here. */
static uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((next_random(state) >> 32) * bound) >> 32);
}

static void shuffle(uint32_t *order, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t j = random_below(state, (uint32_t)i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* A step stays within a block, or leads into the next one. */
void cm_chain_keep_within(cm_chain_shape *shape, size_t reach)
{
    size_t block = reach / 2 / shape->stride * shape->stride;
    if (reach != 0 && shape->block > block)
        shape->block = block > shape->stride ? block : shape->stride;
}

size_t cm_chain_length(const cm_chain_shape *shape)
{
    return shape->extent / shape->stride;
}

/* One cycle by construction: every element is visited once in the order of the blocks, and the last leads to the first.
 * The first block starts at element 0: the first of its shuffled order and element 0 are exchanged. */
void cm_chain_build(void *buffer, const cm_chain_shape *shape, uint32_t *order)
{
    char *base = buffer;
    size_t length = cm_chain_length(shape);
    size_t block = shape->block / shape->stride;
    uint64_t state = shape->seed;
    char *previous = NULL;
    for (size_t start = 0; start < length; start += block) {
        size_t count = length - start < block ? length - start : block;
        shuffle(order, count, &state);
        if (start == 0) {
            size_t zero = 0;
            while (order[zero] != 0)
                zero++;
            order[zero] = order[0];
            order[0] = 0;
        }
        for (size_t i = 0; i < count; i++) {
            uint64_t offset = (uint64_t)(start + order[i]) * shape->stride;
            if (previous != NULL)
                memcpy(previous, &offset, sizeof offset);
            previous = base + offset;
        }
    }
    if (previous != NULL)
        memset(previous, 0, sizeof(uint64_t));
}
