/* The parts of the decoder of A64. Source: Arm Architecture Reference Manual, DDI 0487, C4.1 "A64 instruction set
 * encoding". A word that is no instruction counts as a plain one. */
#ifndef CM_SOFTWARE_PMU_AARCH64_DECODE_H
#define CM_SOFTWARE_PMU_AARCH64_DECODE_H

#include "software_pmu/machine/facts.h"
#include "software_pmu/qemu/decoded.h"

/* The lowest bits of a word's registers; the number of the stack pointer, or of zero. */
enum { CM_A64_RD = 0, CM_A64_RN = 5, CM_A64_RA = 10, CM_A64_RM = 16, CM_A64_STACK = 31 };

/* The register from bit `low` on; 31 is the stack pointer. */
static inline uint8_t cm_a64_register_or_stack(uint32_t word, unsigned low)
{
    return (uint8_t)cm_code_bits(word, low + 4, low);
}

/* The same; 31 is zero, which is none. */
static inline uint8_t cm_a64_register_or_zero(uint32_t word, unsigned low)
{
    const uint8_t number = cm_a64_register_or_stack(word, low);
    return number == CM_A64_STACK ? CM_EFFECT_NONE : number;
}

void cm_a64_decode_memory(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_fp(uint32_t word, cm_decoded *decoded);
/* Integer instructions: with a constant, in registers, in vectors. */
void cm_a64_decode_immediate(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_register(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_vector_integer(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_sve(uint32_t word, cm_decoded *decoded);
/* Takes the word if it loads or stores; false: it does neither. */
bool cm_a64_decode_sve_memory(uint32_t word, cm_decoded *decoded);
/* The address of the load or store, in registers of which 31 is the stack pointer, and its active lanes. Nothing if it
 * is at addresses that no general register has a part in. */
void cm_a64_place_sve(uint32_t word, const cm_decoded *decoded, cm_effect *effect);

/* effect_sve.c: of an instruction of scalable vectors. */
void cm_a64_take_sve_effect(uint32_t word, const cm_decoded *decoded, cm_effect *effect);

/* ---- predicates, whose lanes are known if ptrue or pfalse set them last: cm_vectors.masks ---- */

bool cm_a64_writes_predicate(uint32_t word);
void cm_a64_follow_predicates(uint32_t word, cm_vectors *vectors);
/* The number of active lanes of 8 << size bits in a predicate, one of the first eight; CM_LANES_UNKNOWN. */
/* The lanes of a pattern, out of `all` lanes (DecodePredCount). */
unsigned cm_a64_pattern_lanes(unsigned pattern, unsigned all);
unsigned cm_a64_active_lanes(const cm_vectors *vectors, unsigned predicate, unsigned size);

/* ---- floating-point instructions as rows: the words of an instruction, and its operation ---- */

/* The place of the precision: bits 23 and 22, bit 22 alone, or none. */
typedef enum cm_a64_precision {
    CM_A64_OF_TYPE,         /* of scalars: 0 single, 1 double, 3 half */
    CM_A64_OF_ELEMENT,      /* by element: 0 half, 2 single, 3 double */
    CM_A64_OF_COMPLEX,      /* 1 half, 2 single, 3 double */
    CM_A64_OF_SZ,           /* bit 22: single or double */
    CM_A64_OF_SIZE_HALF_UP, /* SVE, by element: 0 and 1 half, 2 single, 3 double */
    CM_A64_OF_SIZE_FROM_2,  /* SVE, complex by element: 2 half, 3 single */
    CM_A64_OF_HALF,
    CM_A64_OF_SINGLE,
    CM_A64_OF_DOUBLE,
} cm_a64_precision;

typedef struct cm_a64_fp_row {
    uint32_t mask, value;
    uint8_t operation, precision;
    bool vector; /* counts as a vector though its result is a scalar: its source is a whole register */
} cm_a64_fp_row;

enum { CM_A64_NO_PRECISION = CM_FP_PRECISIONS };

/* Adds the facts of the first row that fits, and returns it; NULL: none. `width`: of instructions on vectors. */
const cm_a64_fp_row *cm_a64_find_fp(uint32_t word, const cm_a64_fp_row *rows, size_t count, cm_fp_width width,
                                    cm_decoded *decoded);
/* A cm_fp_precision or CM_A64_NO_PRECISION. */
unsigned cm_a64_precision_of(uint32_t word, const cm_a64_fp_row *row);

#endif
