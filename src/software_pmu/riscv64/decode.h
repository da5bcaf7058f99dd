/* The parts of the decoder of RISC-V. Source: The RISC-V Instruction Set Manual, volume I (RV64GC with Zfh), and The
 * RISC-V "V" Vector Extension, version 1.0. A word that is no instruction counts as a plain one. */
#ifndef CM_SOFTWARE_PMU_RISCV64_DECODE_H
#define CM_SOFTWARE_PMU_RISCV64_DECODE_H

#include "software_pmu/qemu/decoded.h"

/* Whether a jump to `rs` is a return: calls leave their address in ra and t0 (volume I, "Unconditional Jumps"). */
static inline bool cm_rv_links(unsigned rs)
{
    return rs == 1 || rs == 5;
}

static inline int64_t cm_rv_signed(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline void cm_rv_branch(cm_decoded *decoded, cm_decoded_kind kind, int64_t offset)
{
    cm_decoded_branch(decoded, kind);
    decoded->target = decoded->address + (uint64_t)offset;
}

void cm_rv_decode_compressed(uint32_t word, cm_decoded *decoded);
void cm_rv_decode_integer(uint32_t word, cm_decoded *decoded);
void cm_rv_decode_compressed_integer(uint32_t word, cm_decoded *decoded);
void cm_rv_decode_fp(uint32_t word, cm_decoded *decoded);
/* Also scalar floating-point loads and stores, which share their opcodes with those of vectors. */
void cm_rv_decode_fp_memory(uint32_t word, cm_decoded *decoded);
void cm_rv_decode_vector(uint32_t word, cm_decoded *decoded);
void cm_rv_decode_vector_memory(uint32_t word, cm_decoded *decoded);

/* ---- vectors; cm_vectors.type and .active have CM_RV_KNOWN if the code alone determines them ---- */

enum { CM_RV_KNOWN = 1 << 15 };

/* Bits of an element, and number of elements in the registers of the type. */
unsigned cm_rv_element_bits(unsigned type);
unsigned cm_rv_most_lanes(const cm_vectors *vectors);

#endif
