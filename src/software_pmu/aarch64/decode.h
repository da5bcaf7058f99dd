/* The parts of the decoder of A64. Source: Arm Architecture Reference Manual, DDI 0487, C4.1 "A64 instruction set
 * encoding". What is no instruction counts as a plain one. Of SVE accesses nothing is known: see decode_sve.c. */
#ifndef CM_SOFTWARE_PMU_AARCH64_DECODE_H
#define CM_SOFTWARE_PMU_AARCH64_DECODE_H

#include "software_pmu/qemu/decoded.h"

void cm_a64_decode_memory(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_fp(uint32_t word, cm_decoded *decoded);
void cm_a64_decode_sve(uint32_t word, unsigned vector_bits, cm_decoded *decoded);

#endif
