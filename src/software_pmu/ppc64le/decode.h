/* The parts of the decoder of Power. Source: Power ISA Version 3.1, Book I and Book II, and its Appendices "Opcode
 * Maps". A word that is no instruction counts as a plain one. */
#ifndef CM_SOFTWARE_PMU_PPC64LE_DECODE_H
#define CM_SOFTWARE_PMU_PPC64LE_DECODE_H

#include "software_pmu/machine/facts.h"
#include "software_pmu/qemu/decoded.h"

#define CM_PPC_COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

static inline unsigned cm_ppc_opcode(uint32_t word)
{
    return word >> 26;
}

/* The register, or other field of five bits, from bit `low` on. */
static inline unsigned cm_ppc_field(uint32_t word, unsigned low)
{
    return cm_code_bits(word, low + 4, low);
}

/* Loads and stores; also adds CM_FACT_SIMD_INSTRUCTIONS if the register is a floating-point or a vector one. */
void cm_ppc_decode_memory(uint32_t word, cm_decoded *decoded);
/* The second word of a prefixed load or store; `mls`: of the form that also exists without prefix. */
void cm_ppc_decode_prefixed_memory(uint32_t suffix, bool mls, cm_decoded *decoded);
/* Opcodes 4, 59, 60, 63. */
void cm_ppc_decode_fp(uint32_t word, cm_decoded *decoded);
/* The fact of an integer instruction, of any opcode. */
void cm_ppc_decode_integer(uint32_t word, cm_decoded *decoded);

#endif
