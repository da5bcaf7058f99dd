/* Instructions of Power by their forms. Source: Power ISA Version 3.1, Book I, 1.6 "Instruction Formats". */
#ifndef CM_PROGRAMS_PPC64LE_ENCODE_H
#define CM_PROGRAMS_PPC64LE_ENCODE_H

#include <stdint.h>

/* Opcode and three fields of five bits. */
static inline uint32_t cm_ppc_fields(uint32_t opcode, uint32_t first, uint32_t second, uint32_t third)
{
    return opcode << 26 | first << 21 | second << 16 | third << 11;
}

/* A displacement or an immediate of 16 bits. */
static inline uint32_t cm_ppc_d(uint32_t opcode, uint32_t first, uint32_t second, int32_t value)
{
    return cm_ppc_fields(opcode, first, second, 0) | ((uint32_t)value & 0xFFFF);
}

/* Opcode 31, extended opcode; logical instructions have their result second. */
static inline uint32_t cm_ppc_x(uint32_t extended, uint32_t first, uint32_t second, uint32_t third)
{
    return cm_ppc_fields(31, first, second, third) | extended << 1;
}

/* Rotates left by `by`, and keeps the bits from `mask` on (kind 0, rldicl) or up to it (kind 1, rldicr). */
static inline uint32_t cm_ppc_rotate(uint32_t kind, uint32_t to, uint32_t from, uint32_t by, uint32_t mask)
{
    return cm_ppc_fields(30, from, to, by & 31) | (mask & 31) << 6 | (mask >> 5) << 5 | kind << 2 | (by >> 5) << 1;
}

/* VSX with three registers of 64, and with two. */
static inline uint32_t cm_ppc_xx3(uint32_t extended, uint32_t to, uint32_t a, uint32_t b)
{
    return cm_ppc_fields(60, to & 31, a & 31, b & 31) | extended << 3 | (a >> 5) << 2 | (b >> 5) << 1 | to >> 5;
}

static inline uint32_t cm_ppc_xx2(uint32_t extended, uint32_t to, uint32_t from)
{
    return cm_ppc_fields(60, to & 31, 0, from & 31) | extended << 2 | (from >> 5) << 1 | to >> 5;
}

#endif
