/* Facts of two instructions one after the other, by registers, for the instructions that kernels have. */
#include "verify/freestanding/freestanding.h"

enum { NO = 32, MOST_READS = 3 };

/* The lowest bits of the registers' numbers in the words that fit; NO: none. */
typedef struct usage {
    uint32_t mask, value;
    uint8_t writes, reads[MOST_READS];
} usage;

/* The RISC-V Instruction Set Manual, volume I, "RV32/64G Instruction Set Listings". */
static const usage riscv[] = {
    {0x0000007F, 0x00000003, 7, {15, NO, NO}},  /* loads */
    {0x00000077, 0x00000013, 7, {15, NO, NO}},  /* integers with a constant */
    {0x0000005F, 0x00000017, 7, {NO, NO, NO}},  /* auipc lui */
    {0x0000007F, 0x00000023, NO, {15, 20, NO}}, /* stores */
    {0x0000007F, 0x0000002F, 7, {15, 20, NO}},  /* atomic instructions */
    {0x00000077, 0x00000033, 7, {15, 20, NO}},  /* integers */
    {0x0000007F, 0x00000063, NO, {15, 20, NO}}, /* branches */
    {0x0000007F, 0x00000067, NO, {15, NO, NO}}, /* jalr: its target is not the next instruction */
    {0x0000407F, 0x00000073, 7, {15, NO, NO}},  /* control registers */
    {0x0000407F, 0x00004073, 7, {NO, NO, NO}},  /* with a constant */
};

/* Arm Architecture Reference Manual, DDI 0487, C4.1. */
static const usage aarch64[] = {
    {0x3FC00000, 0x39400000, 0, {5, NO, NO}},  /* ldr */
    {0x3FC00000, 0x39000000, NO, {0, 5, NO}},  /* str */
    {0x3FE00000, 0x38400000, 0, {5, NO, NO}},  /* ldur */
    {0x3FE00000, 0x38000000, NO, {0, 5, NO}},  /* stur */
    {0x3F200C00, 0x38200000, 0, {5, 16, NO}},  /* atomic instructions */
    {0x3FC00000, 0x08400000, 0, {5, NO, NO}},  /* ldxr */
    {0x3FC00000, 0x08000000, 16, {0, 5, NO}},  /* stxr */
    {0x1F000000, 0x10000000, 0, {NO, NO, NO}}, /* adr */
    {0x1F800000, 0x12800000, 0, {NO, NO, NO}}, /* movz movn */
    {0x1F800000, 0x13800000, 0, {5, 16, NO}},  /* extr */
    {0x1C000000, 0x10000000, 0, {5, NO, NO}},  /* others with a constant */
    {0x1F000000, 0x1B000000, 0, {5, 16, 10}},  /* madd */
    {0x0E000000, 0x0A000000, 0, {5, 16, NO}},  /* integers */
    {0x7C000000, 0x34000000, NO, {0, NO, NO}}, /* cbz tbz */
    {0xFE000000, 0xD6000000, NO, {5, NO, NO}}, /* br blr ret */
    {0xFFF00000, 0xD5300000, 0, {NO, NO, NO}}, /* mrs */
    {0xFFF00000, 0xD5100000, NO, {0, NO, NO}}, /* msr */
};

static const usage *find_usage(const usage *rows, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].value)
            return &rows[i];
    return NULL;
}

void cm_trace_add_order(const cm_emit_isa *isa, const cm_decoded *decoded, uint32_t word, uint32_t next, double *facts)
{
    const bool of_riscv = strcmp(isa->family, "riscv") == 0;
    const usage *rows = of_riscv ? riscv : aarch64;
    const size_t count = of_riscv ? CM_COUNT_OF(riscv) : CM_COUNT_OF(aarch64);
    const usage *before = find_usage(rows, count, word), *behind = find_usage(rows, count, next);
    if (before == NULL || behind == NULL || before->writes == NO)
        return;
    const unsigned written = cm_code_bits(word, before->writes + 4u, before->writes);
    bool reads = false;
    for (size_t i = 0; i < MOST_READS && written != (of_riscv ? 0 : 31); i++)
        reads |= behind->reads[i] != NO && cm_code_bits(next, behind->reads[i] + 4u, behind->reads[i]) == written;
    const bool jumps = of_riscv ? (next & 0x7F) == 0x67 : next >> 25 == 0x6B;
    facts[CM_FACT_LOAD_USES] += reads && decoded->access_count > 0 && decoded->accesses[0].load;
    facts[CM_FACT_JUMP_USES] += reads && jumps;
}
