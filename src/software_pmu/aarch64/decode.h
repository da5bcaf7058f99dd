/* What one instruction of A64 does, as far as the software PMU counts it. Source: Arm Architecture Reference Manual,
 * DDI 0487, C4.1 "A64 instruction set encoding". What is no instruction counts as a plain one. */
#ifndef CM_SOFTWARE_PMU_AARCH64_DECODE_H
#define CM_SOFTWARE_PMU_AARCH64_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CM_A64_LENGTH = 4, CM_A64_FACTS = 6 };

typedef enum cm_a64_kind {
    CM_A64_PLAIN,
    CM_A64_CONDITIONAL,
    CM_A64_JUMP,
    CM_A64_JUMP_INDIRECT,
    CM_A64_CALL,
    CM_A64_CALL_INDIRECT,
    CM_A64_RETURN,
    CM_A64_WALL, /* isb, dsb, sb, svc: no path goes beyond it before it is done */
} cm_a64_kind;

typedef struct cm_a64 {
    cm_a64_kind kind;
    uint64_t address;
    uint64_t target; /* of a direct branch */
    uint16_t facts[CM_A64_FACTS];
    uint8_t fact_count;
    bool locked;                      /* an atomic operation, which loads and stores */
    uint16_t load_bytes, store_bytes; /* 0: none. A pair or a structure is one access. Of SVE: 0, see decode_sve.c */
} cm_a64;

/* `vector_bits`: the length of SVE registers; 0: there are none. */
void cm_a64_decode(uint64_t address, uint32_t word, unsigned vector_bits, cm_a64 *decoded);

/* ---- for the parts of the decoder ---- */

static inline uint32_t cm_a64_bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static inline void cm_a64_add(cm_a64 *decoded, size_t fact)
{
    decoded->facts[decoded->fact_count++] = (uint16_t)fact;
}

void cm_a64_decode_memory(uint32_t word, cm_a64 *decoded);
void cm_a64_decode_fp(uint32_t word, cm_a64 *decoded);
void cm_a64_decode_sve(uint32_t word, unsigned vector_bits, cm_a64 *decoded);

#endif
