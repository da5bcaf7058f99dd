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
/* The address of the load or store, in registers of which 31 is the stack pointer, and its active lanes. Nothing if it
 * is at addresses that no general register has a part in. */
void cm_a64_place_sve(uint32_t word, const cm_decoded *decoded, cm_effect *effect);

/* effect_sve.c: of an instruction of scalable vectors. */
void cm_a64_take_sve_effect(uint32_t word, const cm_decoded *decoded, cm_effect *effect);

/* ---- predicates, whose lanes are known if ptrue or pfalse set them last: cm_vectors.masks ---- */

bool cm_a64_writes_predicate(uint32_t word);
void cm_a64_follow_predicates(uint32_t word, cm_vectors *vectors);
void cm_a64_forget_predicates(cm_decoded *decoded);
/* The number of active lanes of 8 << size bits in a predicate, one of the first eight; CM_LANES_UNKNOWN. */
/* The lanes of a pattern, out of `all` lanes (DecodePredCount). */
unsigned cm_a64_pattern_lanes(unsigned pattern, unsigned all);
unsigned cm_a64_active_lanes(const cm_vectors *vectors, unsigned predicate, unsigned size);

#endif
