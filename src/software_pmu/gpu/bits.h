/* Numbers as the bits of a register, and back. */
#ifndef CM_SOFTWARE_PMU_GPU_BITS_H
#define CM_SOFTWARE_PMU_GPU_BITS_H

#include <stdint.h>
#include <string.h>

/* Single precision in the lower 32 bits; the others are ignored, and become 0. */
static inline float cm_single_of(uint64_t bits)
{
    float value;
    memcpy(&value, &(uint32_t){(uint32_t)bits}, sizeof value);
    return value;
}

static inline uint64_t cm_bits_of_single(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double cm_double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t cm_bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
