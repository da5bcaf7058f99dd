/* Instructions of 16 bits (volume I, "C" Standard Extension, and Zcb), by bits 1 to 0 and 15 to 13. */
#include "software_pmu/riscv64/decode.h"

static unsigned bit(uint32_t word, unsigned from, unsigned to)
{
    return cm_code_bits(word, from, from) << to;
}

static void take_compressed_jump(uint32_t word, cm_decoded *decoded)
{
    uint32_t offset = bit(word, 12, 11) | bit(word, 11, 4) | cm_code_bits(word, 10, 9) << 8 | bit(word, 8, 10) |
                      bit(word, 7, 6) | bit(word, 6, 7) | cm_code_bits(word, 5, 3) << 1 | bit(word, 2, 5);
    cm_rv_branch(decoded, CM_DECODED_JUMP, cm_rv_signed(offset, 12));
}

static void take_compressed_conditional(uint32_t word, cm_decoded *decoded)
{
    uint32_t offset = bit(word, 12, 8) | cm_code_bits(word, 11, 10) << 3 | cm_code_bits(word, 6, 5) << 6 |
                      cm_code_bits(word, 4, 3) << 1 | bit(word, 2, 5);
    cm_rv_branch(decoded, CM_DECODED_CONDITIONAL, cm_rv_signed(offset, 9));
}

/* c.jr and c.jalr; c.mv, c.add and c.ebreak share their opcode. */
static void take_compressed_indirect(uint32_t word, cm_decoded *decoded)
{
    unsigned from = cm_code_bits(word, 11, 7);
    if (cm_code_bits(word, 6, 2) != 0 || from == 0)
        return;
    if (cm_code_bits(word, 12, 12) != 0)
        cm_decoded_branch(decoded, CM_DECODED_CALL_INDIRECT);
    else
        cm_decoded_branch(decoded, cm_rv_links(from) ? CM_DECODED_RETURN : CM_DECODED_JUMP_INDIRECT);
}

/* Zcb: c.lbu, c.lhu and c.lh, c.sb, c.sh. */
static void take_short(uint32_t word, cm_decoded *decoded)
{
    switch (cm_code_bits(word, 12, 10)) {
    case 0: cm_decoded_load(decoded, 1); break;
    case 1: cm_decoded_load(decoded, 2); break;
    case 2: cm_decoded_store(decoded, 1); break;
    case 3: cm_decoded_store(decoded, cm_code_bits(word, 6, 6) == 0 ? 2 : 0); break;
    default: break;
    }
}

static void load_word(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    cm_decoded_load(decoded, 4);
}

static void load_double(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    cm_decoded_load(decoded, 8);
}

static void store_word(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    cm_decoded_store(decoded, 4);
}

static void store_double(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    cm_decoded_store(decoded, 8);
}

static void (*const quadrants[3][8])(uint32_t word, cm_decoded *decoded) = {
    {NULL, load_double, load_word, load_double, take_short, store_double, store_word, store_double},
    {NULL, NULL, NULL, NULL, NULL, take_compressed_jump, take_compressed_conditional, take_compressed_conditional},
    {NULL, load_double, load_word, load_double, take_compressed_indirect, store_double, store_word, store_double},
};

void cm_rv_decode_compressed(uint32_t word, cm_decoded *decoded)
{
    void (*take)(uint32_t word, cm_decoded * decoded) = quadrants[cm_code_bits(word, 1, 0)][cm_code_bits(word, 15, 13)];
    if (take != NULL)
        take(word, decoded);
    cm_rv_decode_compressed_integer(word, decoded);
}
