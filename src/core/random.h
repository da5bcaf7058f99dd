/* Random numbers by seed. */
#ifndef CM_CORE_RANDOM_H
#define CM_CORE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014). */
static inline uint64_t cm_random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static inline double cm_random_share(uint64_t *state)
{
    return (double)(cm_random_next(state) >> 11) * 0x1p-53;
}

/* Uniform in [0, bound). */
static inline size_t cm_random_below(uint64_t *state, size_t bound)
{
    return (size_t)(cm_random_share(state) * (double)bound);
}

#endif
