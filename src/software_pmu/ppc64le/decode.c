/* Branches and barriers, prefixes, and the dispatch to the other parts. */
#include "software_pmu/ppc64le/decode.h"

enum { WORD = 4, PREFIX = 1 /* opcode of the first of two words */, ADDI = 14 };

static const uint32_t isync = 0x4C00012C, nop = 0x60000000;

static void set_target(cm_decoded *decoded, uint32_t word, unsigned bits)
{
    bool absolute = word & 2;
    unsigned unused = 64 - bits;
    decoded->target =
        (absolute ? 0 : decoded->address) + (uint64_t)((int64_t)((uint64_t)(word & ~UINT32_C(3)) << unused) >> unused);
}

/* BO: neither the condition nor the count register decides. */
static bool is_always(uint32_t word)
{
    return (cm_code_bits(word, 25, 21) & 0x14) == 0x14;
}

static void branch_conditional(uint32_t word, cm_decoded *decoded)
{
    if (!is_always(word))
        cm_decoded_branch(decoded, CM_DECODED_CONDITIONAL);
    else /* bcl 20,31,.+4 reads its own address: no processor treats it as a call (Book I, 2.4) */
        cm_decoded_branch(decoded, (word & 1) != 0 && word != 0x429F0005 ? CM_DECODED_CALL : CM_DECODED_JUMP);
    set_target(decoded, word, 16);
}

static void decode_branch(uint32_t word, cm_decoded *decoded)
{
    cm_decoded_branch(decoded, (word & 1) != 0 ? CM_DECODED_CALL : CM_DECODED_JUMP);
    set_target(decoded, word, 26);
}

/* Jumps to the link register are returns if BH says so, else indirect jumps. */
static void branch_to_register(uint32_t word, bool to_link, cm_decoded *decoded)
{
    bool returns = to_link && cm_code_bits(word, 12, 11) == 0;
    if (!is_always(word))
        cm_decoded_branch(decoded, CM_DECODED_CONDITIONAL);
    else if ((word & 1) != 0)
        cm_decoded_branch(decoded, CM_DECODED_CALL_INDIRECT);
    else
        cm_decoded_branch(decoded, returns ? CM_DECODED_RETURN : CM_DECODED_JUMP_INDIRECT);
}

/* Opcode 19. rfebb and the returns from interrupts are walls, as isync is. */
static void decode_control(uint32_t word, cm_decoded *decoded)
{
    switch (cm_code_bits(word, 10, 1)) {
    case 16: branch_to_register(word, true, decoded); break;
    case 528:                                                  /* bcctr */
    case 560: branch_to_register(word, false, decoded); break; /* bctar */
    case 18:                                                   /* rfid */
    case 82:                                                   /* rfscv */
    case 146:                                                  /* rfebb */
    case 274: decoded->kind = CM_DECODED_WALL; break;          /* hrfid */
    default: break;
    }
    if (word == isync) {
        decoded->kind = CM_DECODED_WALL;
        cm_decoded_add(decoded, CM_FACT_FENCES);
    }
}

static void fixed_point(uint32_t word, cm_decoded *decoded)
{
    unsigned extended = cm_code_bits(word, 10, 1);
    if (extended == 598 || extended == 854) /* sync and variants, eieio */
        cm_decoded_add(decoded, CM_FACT_FENCES);
    else
        cm_ppc_decode_memory(word, decoded);
}

/* Decodes a word without prefix. */
static void decode_word(uint32_t word, cm_decoded *decoded)
{
    switch (cm_ppc_opcode(word)) {
    case 16: branch_conditional(word, decoded); break;
    case 17: decoded->kind = CM_DECODED_WALL; break; /* sc, scv */
    case 18: decode_branch(word, decoded); break;
    case 19: decode_control(word, decoded); break;
    case 31: fixed_point(word, decoded); break;
    case 4:
    case 59:
    case 60:
    case 63: cm_ppc_decode_fp(word, decoded); break;
    default: cm_ppc_decode_memory(word, decoded); break;
    }
    cm_ppc_decode_integer(word, decoded);
    if (word == nop)
        cm_decoded_add(decoded, CM_FACT_NOPS);
}

/* paddi: to its own address (pla), to zero (pli), or to a register. */
static void decode_prefixed_addition(uint32_t prefix, uint32_t suffix, cm_decoded *decoded)
{
    if (cm_code_bits(prefix, 20, 20) != 0)
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_ADDRESS);
    else
        cm_ppc_decode_integer(suffix, decoded);
}

/* Type 0: loads and stores of their own; 1: registers only; 2: as without a prefix; 3: outer products, and pnop. */
static void decode_prefixed(uint32_t prefix, uint32_t suffix, cm_decoded *decoded)
{
    unsigned type = cm_code_bits(prefix, 25, 24);
    if (type == 2 && cm_ppc_opcode(suffix) == ADDI)
        decode_prefixed_addition(prefix, suffix, decoded);
    else if (type == 0 || type == 2)
        cm_ppc_decode_prefixed_memory(suffix, type == 2, decoded);
    else if (type == 3 && cm_code_bits(prefix, 23, 20) == 0)
        cm_decoded_add(decoded, CM_FACT_NOPS);
    else if (type == 3)
        cm_ppc_decode_fp(suffix, decoded);
    else
        cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
}

static size_t length_of(const void *code)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    return cm_ppc_opcode(word) == PREFIX ? 2 * WORD : WORD;
}

void cm_decode(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded)
{
    uint32_t words[2] = {0};
    (void)vectors;
    *decoded = (cm_decoded){.address = address, .length = (uint8_t)length_of(code)};
    memcpy(words, code, decoded->length);
    if (decoded->length == WORD)
        decode_word(words[0], decoded);
    else
        decode_prefixed(words[0], words[1], decoded);
}
