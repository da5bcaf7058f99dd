/* Groups of instructions; branches and barriers. */
#include "software_pmu/aarch64/decode.h"

enum { LENGTH = 4 };

typedef struct branch_row {
    uint32_t mask, value;
    cm_decoded_kind kind;
    uint8_t high, low; /* bits of the offset, in instructions; 0: a register gives the target */
} branch_row;

/* C4.1.66 "Branches, Exception Generating and System instructions", including those with pointer authentication. */
static const branch_row branches[] = {
    {0xFC000000, 0x14000000, CM_DECODED_JUMP, 25, 0},         /* b */
    {0xFC000000, 0x94000000, CM_DECODED_CALL, 25, 0},         /* bl */
    {0xFF000000, 0x54000000, CM_DECODED_CONDITIONAL, 23, 5},  /* b.cond bc.cond */
    {0x7E000000, 0x34000000, CM_DECODED_CONDITIONAL, 23, 5},  /* cbz cbnz */
    {0x7E000000, 0x36000000, CM_DECODED_CONDITIONAL, 18, 5},  /* tbz tbnz */
    {0xFEFF0000, 0xD61F0000, CM_DECODED_JUMP_INDIRECT, 0, 0}, /* br braa brab */
    {0xFEFF0000, 0xD63F0000, CM_DECODED_CALL_INDIRECT, 0, 0}, /* blr blraa blrab */
    {0xFEFF0000, 0xD65F0000, CM_DECODED_RETURN, 0, 0},        /* ret retaa retab */
    {0xFFFFF0FF, 0xD50330DF, CM_DECODED_WALL, 0, 0},          /* isb */
    {0xFFFFF0FF, 0xD503309F, CM_DECODED_WALL, 0, 0},          /* dsb ssbb pssbb */
    {0xFFFFF3FF, 0xD503323F, CM_DECODED_WALL, 0, 0},          /* dsb nxs */
    {0xFFFFF0FF, 0xD50330FF, CM_DECODED_WALL, 0, 0},          /* sb */
    {0xFFE0001F, 0xD4000001, CM_DECODED_WALL, 0, 0},          /* svc */
};

/* Not among the facts by kind of branch. */
static const cm_decoded_row hints[] = {
    {0xFFFFFFFF, 0xD503201F, CM_FACT_NOPS},
    {0xFFFFFFFF, 0xD503203F, CM_FACT_PAUSES},      /* yield */
    {0xFFFFF3DF, 0xD503319F, CM_FACT_LOAD_FENCES}, /* dsb and dmb of loads, below */
    {0xFFFFF0FF, 0xD50330DF, CM_FACT_INSTRUCTION_FENCES},
    {0xFFE0001F, 0xD4000001, CM_FACT_ENVIRONMENT_CALLS},
    {0xFFE0001F, 0xD4200000, CM_FACT_BREAKPOINTS},
    {0xFFFFFFFF, 0xD69F03E0, CM_FACT_TRAP_RETURNS},
    {0xFFFFFBFF, 0xD69F0BFF, CM_FACT_TRAP_RETURNS}, /* eretaa eretab */
    {0xFFF00000, 0xD5300000, CM_FACT_CSR_READS},    /* mrs */
    {0xFFF00000, 0xD5100000, CM_FACT_CSR_WRITES},   /* msr of a register */
};

static uint64_t target_of(const branch_row *row, uint64_t address, uint32_t word)
{
    unsigned unused = 63 - row->high;
    int64_t offset = (int64_t)((uint64_t)word << unused) >> (unused + row->low);
    return address + (uint64_t)offset * LENGTH;
}

/* Decodes branches, barriers, hints and calls of the system. */
static void decode_branch(uint32_t word, cm_decoded *decoded)
{
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++)
        if ((word & branches[i].mask) == branches[i].value) {
            cm_decoded_branch(decoded, branches[i].kind);
            if (branches[i].high != 0)
                decoded->target = target_of(&branches[i], decoded->address, word);
        }
    bool dmb = (word & 0xFFFFF0FF) == 0xD50330BF;
    if (dmb || (decoded->kind == CM_DECODED_WALL && word >> 24 == 0xD5))
        cm_decoded_add(decoded, CM_FACT_FENCES);
    cm_decoded_find(word, hints, sizeof hints / sizeof hints[0], decoded);
    if ((word & 0xFFE0001F) == 0xD4000001) { /* svc: the kernel keeps no predicates */
        decoded->scalable = true;
        memset(decoded->vectors.masks, 0, sizeof decoded->vectors.masks);
    }
}

/* First instructions of pairs that fuse; `fact` is a cm_fusion_first. Operands are not shifted. */
static const cm_decoded_row firsts[] = {
    {0x3F80001F, 0x3100001F, CM_FUSES_COMPARE}, /* cmp cmn of a constant */
    {0x3FE0FC1F, 0x2B00001F, CM_FUSES_COMPARE}, /* of a register */
    {0x7F80001F, 0x7200001F, CM_FUSES_TEST},    /* tst of a constant */
    {0x7FC0FC1F, 0x6A00001F, CM_FUSES_TEST},    /* of a register; bics of one, without a result */
};

static cm_fusible fusible_of(uint32_t word)
{
    cm_fusible fusible = {.condition = (word & 0xFF000000) == 0x54000000 ? CM_CONDITION_OTHER : CM_CONDITION_NONE};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++)
        if ((word & firsts[i].mask) == firsts[i].value)
            fusible.first = (uint8_t)firsts[i].fact;
    return fusible;
}

/* Loads and stores that write their address back, which Neoverse V2 takes one operation more for. */
static const cm_decoded_row writing_back[] = {
    {0x3B200400, 0x38000400, 1}, /* of a register, before or after */
    {0x3A800000, 0x28800000, 1}, /* of a pair */
    {0xBE800000, 0x0C800000, 1}, /* of structures */
};

static cm_operations operations_of(uint32_t word)
{
    enum { NEOVERSE_V2 = 3 };
    cm_operations operations = {0};
    for (size_t i = 0; i < sizeof writing_back / sizeof writing_back[0]; i++)
        if ((word & writing_back[i].mask) == writing_back[i].value)
            operations.more[NEOVERSE_V2] = (uint8_t)writing_back[i].fact;
    return operations;
}

/* Bits 28 to 25 give the group (C4.1). */
void cm_decode(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    *decoded = (cm_decoded){.address = address,
                            .length = LENGTH,
                            .fusible = fusible_of(word),
                            .operations = operations_of(word),
                            .vectors = *vectors};
    unsigned group = cm_code_bits(word, 28, 25);
    if ((group & 0xE) == 0xA)
        decode_branch(word, decoded);
    else if ((group & 0x5) == 0x4)
        cm_a64_decode_memory(word, decoded);
    else if ((group & 0x7) == 0x7) {
        cm_a64_decode_fp(word, decoded);
        cm_a64_decode_vector_integer(word, decoded);
    } else if ((group & 0x7) == 0x5)
        cm_a64_decode_register(word, decoded);
    else if ((group & 0xE) == 0x8)
        cm_a64_decode_immediate(word, decoded);
    else if (group == 0x2)
        cm_a64_decode_sve(word, decoded);
}
