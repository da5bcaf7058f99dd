/* The parts of the decoder of A64. Source: Arm Architecture Reference Manual, DDI 0487, C4.1 "A64 instruction set
 * encoding". A word that is no instruction counts as a plain one. */
#ifndef CM_SOFTWARE_PMU_AARCH64_DECODE_H
#define CM_SOFTWARE_PMU_AARCH64_DECODE_H

#include "software_pmu/qemu/decoded.h"

void cm_a64_decode_memory(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_fp(uint32_t word, cm_decoded *decoded);
/* Integer instructions: with a constant, in registers, in vectors. */
void cm_a64_decode_immediate(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_register(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_vector_integer(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_sve(uint32_t word, cm_decoded *decoded);
/* Takes the word if it loads or stores; false: it does neither. */
bool cm_a64_decode_sve_memory(uint32_t word, cm_decoded *decoded);

/* ---- predicates, whose lanes are known if ptrue or pfalse set them last: cm_vectors.masks ---- */

void cm_a64_follow_predicates(uint32_t word, cm_vectors *vectors);
void cm_a64_forget_predicates(cm_decoded *decoded);
/* The number of active lanes of 8 << size bits in a predicate, one of the first eight; CM_LANES_UNKNOWN. */
unsigned cm_a64_active_lanes(const cm_vectors *vectors, unsigned predicate, unsigned size);

#endif
