/* Instructions of 32 bits by their opcode. */
#include "software_pmu/riscv64/decode.h"

enum { PAUSE = 0x0100000F };

static void take_conditional(uint32_t word, cm_decoded *decoded)
{
    uint32_t offset = cm_code_bits(word, 31, 31) << 12 | cm_code_bits(word, 7, 7) << 11 |
                      cm_code_bits(word, 30, 25) << 5 | cm_code_bits(word, 11, 8) << 1;
    if ((cm_code_bits(word, 14, 12) & 6) != 2)
        cm_rv_branch(decoded, CM_DECODED_CONDITIONAL, cm_rv_signed(offset, 13));
}

static void take_jump(uint32_t word, cm_decoded *decoded)
{
    uint32_t offset = cm_code_bits(word, 31, 31) << 20 | cm_code_bits(word, 19, 12) << 12 |
                      cm_code_bits(word, 20, 20) << 11 | cm_code_bits(word, 30, 21) << 1;
    bool call = cm_rv_links(cm_code_bits(word, 11, 7));
    cm_rv_branch(decoded, call ? CM_DECODED_CALL : CM_DECODED_JUMP, cm_rv_signed(offset, 21));
}

static void take_indirect(uint32_t word, cm_decoded *decoded)
{
    if (cm_code_bits(word, 14, 12) != 0)
        return;
    if (cm_rv_links(cm_code_bits(word, 11, 7)))
        cm_decoded_branch(decoded, CM_DECODED_CALL_INDIRECT);
    else
        cm_decoded_branch(decoded,
                          cm_rv_links(cm_code_bits(word, 19, 15)) ? CM_DECODED_RETURN : CM_DECODED_JUMP_INDIRECT);
}

/* Counts fences and pauses; fence.i ends the block. */
static void take_fence(uint32_t word, cm_decoded *decoded)
{
    enum { LOADS = 2 }; /* in bits 27 to 24: the accesses that must be done before */
    unsigned kind = cm_code_bits(word, 14, 12);
    if (kind <= 1)
        cm_decoded_add(decoded, word == PAUSE ? CM_FACT_PAUSES : CM_FACT_FENCES);
    if (kind == 0 && cm_code_bits(word, 27, 24) == LOADS)
        cm_decoded_add(decoded, CM_FACT_LOAD_FENCES);
    if (kind == 1) { /* fence.i */
        cm_decoded_add(decoded, CM_FACT_INSTRUCTION_FENCES);
        decoded->kind = CM_DECODED_WALL;
    }
}

static void take_load(uint32_t word, cm_decoded *decoded)
{
    unsigned kind = cm_code_bits(word, 14, 12);
    if (kind != 7)
        cm_decoded_load(decoded, 1u << (kind & 3));
}

static void take_store(uint32_t word, cm_decoded *decoded)
{
    unsigned kind = cm_code_bits(word, 14, 12);
    if (kind < 4)
        cm_decoded_store(decoded, 1u << kind);
}

/* lr only loads, sc only stores. */
static void take_atomic(uint32_t word, cm_decoded *decoded)
{
    enum { ADD = 0, LR = 2, SC = 3, XOR = 4, OR = 8, AND = 12 };
    unsigned operation = cm_code_bits(word, 31, 27);
    uint16_t bytes = (uint16_t)(1u << cm_code_bits(word, 14, 12));
    if (bytes != 4 && bytes != 8)
        return;
    decoded->accesses[0].locked = operation != LR && operation != SC;
    cm_decoded_load(decoded, operation != SC ? bytes : 0);
    cm_decoded_store(decoded, operation != LR ? bytes : 0);
    if (operation == ADD)
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_ADD);
    else if (operation == XOR || operation == OR || operation == AND)
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_LOGIC);
    else if (operation == LR || operation == SC)
        cm_decoded_add(decoded, operation == LR ? CM_FACT_RESERVED_LOADS : CM_FACT_CONDITIONAL_STORES);
}

/* A control register is read and written, unless there is nowhere to read it to (csrw), or nothing to write (csrr). */
static void take_system(uint32_t word, cm_decoded *decoded)
{
    static const cm_decoded_row rows[] = {
        {0xFFFFFFFF, 0x00000073, CM_FACT_ENVIRONMENT_CALLS}, {0xFFFFFFFF, 0x00100073, CM_FACT_BREAKPOINTS},
        {0xDFFFFFFF, 0x10200073, CM_FACT_TRAP_RETURNS}, /* sret mret */
        {0x00003FFF, 0x00001073, CM_FACT_CSR_WRITES},   /* csrrw csrrwi to no register */
        {0x000FA07F, 0x00002073, CM_FACT_CSR_READS},    /* csrrs csrrc csrrsi csrrci of nothing */
        {0x00001073, 0x00001073, CM_FACT_CSR_SWAPS},         {0x00002073, 0x00002073, CM_FACT_CSR_SWAPS},
    };
    cm_decoded_find(word, rows, sizeof rows / sizeof rows[0], decoded);
    if (decoded->fact_count > 0 && decoded->facts[0] == CM_FACT_ENVIRONMENT_CALLS)
        decoded->kind = CM_DECODED_WALL;
}

/* Decoders by bits 6 to 2 (volume I, "RV32/64G Instruction Set Listings"). */
static void (*const opcodes[32])(uint32_t word, cm_decoded *decoded) = {
    [0x00] = take_load,
    [0x01] = cm_rv_decode_fp_memory,
    [0x03] = take_fence,
    [0x04] = cm_rv_decode_integer,
    [0x05] = cm_rv_decode_integer,
    [0x06] = cm_rv_decode_integer,
    [0x0C] = cm_rv_decode_integer,
    [0x0D] = cm_rv_decode_integer,
    [0x0E] = cm_rv_decode_integer,
    [0x08] = take_store,
    [0x09] = cm_rv_decode_fp_memory,
    [0x0B] = take_atomic,
    [0x10] = cm_rv_decode_fp,
    [0x11] = cm_rv_decode_fp,
    [0x12] = cm_rv_decode_fp,
    [0x13] = cm_rv_decode_fp,
    [0x14] = cm_rv_decode_fp,
    [0x18] = take_conditional,
    [0x19] = take_indirect,
    [0x1B] = take_jump,
    [0x1C] = take_system,
};

static size_t length_of(const void *code)
{
    uint8_t first;
    memcpy(&first, code, sizeof first);
    return (first & 3) == 3 ? 4 : 2;
}

void cm_decode(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded)
{
    enum { VECTOR = 0x15 };
    uint32_t word = 0;
    size_t length = length_of(code);
    memcpy(&word, code, length);
    *decoded = (cm_decoded){.address = address, .length = (uint8_t)length, .vectors = *vectors};
    unsigned opcode = cm_code_bits(word, 6, 2);
    if (length == 2) {
        cm_decoded_add(decoded, CM_FACT_SHORT_INSTRUCTIONS);
        cm_rv_decode_compressed(word, decoded);
    } else if (opcode == VECTOR)
        cm_rv_decode_vector(word, decoded);
    else if (opcodes[opcode] != NULL)
        opcodes[opcode](word, decoded);
}
