/* Groups of instructions, and branches and barriers. */
#include "software_pmu/aarch64/decode.h"

#include "software_pmu/machine/facts.h"

typedef struct branch_row {
    uint32_t mask, value;
    cm_a64_kind kind;
    uint8_t high, low; /* bits of the offset, in instructions; 0: it leads where a register says */
} branch_row;

/* C4.1.66 "Branches, Exception Generating and System instructions"; with pointer authentication too. */
static const branch_row branches[] = {
    {0xFC000000, 0x14000000, CM_A64_JUMP, 25, 0},         /* b */
    {0xFC000000, 0x94000000, CM_A64_CALL, 25, 0},         /* bl */
    {0xFF000000, 0x54000000, CM_A64_CONDITIONAL, 23, 5},  /* b.cond bc.cond */
    {0x7E000000, 0x34000000, CM_A64_CONDITIONAL, 23, 5},  /* cbz cbnz */
    {0x7E000000, 0x36000000, CM_A64_CONDITIONAL, 18, 5},  /* tbz tbnz */
    {0xFEFF0000, 0xD61F0000, CM_A64_JUMP_INDIRECT, 0, 0}, /* br braa brab */
    {0xFEFF0000, 0xD63F0000, CM_A64_CALL_INDIRECT, 0, 0}, /* blr blraa blrab */
    {0xFEFF0000, 0xD65F0000, CM_A64_RETURN, 0, 0},        /* ret retaa retab */
    {0xFFFFF0FF, 0xD50330DF, CM_A64_WALL, 0, 0},          /* isb */
    {0xFFFFF0FF, 0xD503309F, CM_A64_WALL, 0, 0},          /* dsb ssbb pssbb */
    {0xFFFFF3FF, 0xD503323F, CM_A64_WALL, 0, 0},          /* dsb nxs */
    {0xFFFFF0FF, 0xD50330FF, CM_A64_WALL, 0, 0},          /* sb */
    {0xFFE0001F, 0xD4000001, CM_A64_WALL, 0, 0},          /* svc */
};

static const uint16_t branch_facts[] = {
    [CM_A64_CONDITIONAL] = CM_FACT_BRANCHES_COND,
    [CM_A64_JUMP] = CM_FACT_BRANCHES_UNCOND,
    [CM_A64_JUMP_INDIRECT] = CM_FACT_BRANCHES_INDIRECT,
    [CM_A64_CALL] = CM_FACT_CALLS,
    [CM_A64_CALL_INDIRECT] = CM_FACT_CALLS,
    [CM_A64_RETURN] = CM_FACT_RETURNS,
};

static uint64_t target_of(const branch_row *row, uint64_t address, uint32_t word)
{
    unsigned unused = 63 - row->high;
    int64_t offset = (int64_t)((uint64_t)word << unused) >> (unused + row->low);
    return address + (uint64_t)offset * CM_A64_LENGTH;
}

static void take_branch(const branch_row *row, uint32_t word, cm_a64 *decoded)
{
    decoded->kind = row->kind;
    if (row->kind == CM_A64_WALL)
        return;
    if (row->high != 0)
        decoded->target = target_of(row, decoded->address, word);
    cm_a64_add(decoded, branch_facts[row->kind]);
    if (row->kind == CM_A64_CONDITIONAL)
        cm_a64_add(decoded, CM_FACT_COND_EXECUTED);
    if (row->kind == CM_A64_JUMP)
        cm_a64_add(decoded, CM_FACT_UNCOND_EXECUTED);
    if (row->kind == CM_A64_CALL_INDIRECT)
        cm_a64_add(decoded, CM_FACT_CALLS_INDIRECT);
}

static void decode_branch(uint32_t word, cm_a64 *decoded)
{
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++)
        if ((word & branches[i].mask) == branches[i].value)
            take_branch(&branches[i], word, decoded);
    bool dmb = (word & 0xFFFFF0FF) == 0xD50330BF;
    if (dmb || (decoded->kind == CM_A64_WALL && word >> 24 == 0xD5))
        cm_a64_add(decoded, CM_FACT_FENCES);
    if (word == 0xD503201F)
        cm_a64_add(decoded, CM_FACT_NOPS);
}

/* C4.1: bits 28 to 25 tell the group. */
void cm_a64_decode(uint64_t address, uint32_t word, unsigned vector_bits, cm_a64 *decoded)
{
    *decoded = (cm_a64){.address = address};
    unsigned group = cm_a64_bits(word, 28, 25);
    if ((group & 0xE) == 0xA)
        decode_branch(word, decoded);
    else if ((group & 0x5) == 0x4)
        cm_a64_decode_memory(word, decoded);
    else if ((group & 0x7) == 0x7)
        cm_a64_decode_fp(word, decoded);
    else if (group == 0x2)
        cm_a64_decode_sve(word, vector_bits, decoded);
}
