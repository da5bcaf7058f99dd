/* Loads and stores (C4.1.67). Prefetches, tags and cache control move no data. */
#include "software_pmu/aarch64/decode.h"

static void move_bytes(cm_decoded *decoded, bool load, unsigned bytes)
{
    if (load)
        cm_decoded_load(decoded, bytes);
    else
        cm_decoded_store(decoded, bytes);
}

static void decode_exchange(cm_decoded *decoded, unsigned bytes)
{
    decoded->accesses[0].locked = true;
    move_bytes(decoded, true, bytes);
    move_bytes(decoded, false, bytes);
}

/* ld1 to ld4 and st1 to st4 of whole registers: bits 15 to 12 give their number. */
static void structures(uint32_t word, cm_decoded *decoded)
{
    static const uint8_t registers[16] = {[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};
    unsigned each = cm_code_bits(word, 30, 30) != 0 ? 16 : 8;
    move_bytes(decoded, cm_code_bits(word, 22, 22), registers[cm_code_bits(word, 15, 12)] * each);
}

/* One element of each register, or one element for all lanes of each. */
static void elements(uint32_t word, cm_decoded *decoded)
{
    unsigned opcode = cm_code_bits(word, 15, 13), scale = opcode >> 1;
    unsigned count = (opcode & 1) * 2 + cm_code_bits(word, 21, 21) + 1;
    if (scale == 2)
        scale += cm_code_bits(word, 10, 10);
    else if (scale == 3)
        scale = cm_code_bits(word, 11, 10);
    move_bytes(decoded, cm_code_bits(word, 22, 22), count << scale);
}

/* Exclusive and ordered accesses, and compare and swap. */
static void exclusive(uint32_t word, cm_decoded *decoded)
{
    unsigned size = word >> 30;
    bool pair = cm_code_bits(word, 23, 23) == 0 && cm_code_bits(word, 21, 21) != 0;
    bool swaps = cm_code_bits(word, 21, 21) != 0 && (!pair || size < 2);
    bool load = cm_code_bits(word, 22, 22) != 0;
    if (swaps)
        decode_exchange(decoded, pair ? 8u << size : 1u << size); /* casp, cas */
    else
        move_bytes(decoded, load, pair ? 2u << size : 1u << size);
    if (!swaps && cm_code_bits(word, 23, 23) == 0)
        cm_decoded_add(decoded, load ? CM_FACT_RESERVED_LOADS : CM_FACT_CONDITIONAL_STORES);
}

static void literal(uint32_t word, cm_decoded *decoded)
{
    static const uint8_t general[4] = {4, 8, 4, 0}; /* the last is prfm */
    unsigned size = word >> 30;
    move_bytes(decoded, true, cm_code_bits(word, 26, 26) != 0 ? 4u << size : general[size]);
}

static void pair(uint32_t word, cm_decoded *decoded)
{
    unsigned opcode = word >> 30;
    bool load = cm_code_bits(word, 22, 22);
    if (cm_code_bits(word, 26, 26) != 0)
        move_bytes(decoded, load, 8u << opcode);
    else
        move_bytes(decoded, load, opcode == 2 || (opcode == 1 && !load) ? 16 : 8); /* opcode 1: ldpsw, stgp */
}

/* ldadd, then ldclr, ldeor and ldset. */
static void atomic(uint32_t word, cm_decoded *decoded)
{
    unsigned size = word >> 30, operation = cm_code_bits(word, 15, 12);
    if (operation == 12)
        move_bytes(decoded, true, 1u << size); /* ldapr */
    else if (operation > 8)
        move_bytes(decoded, operation == 13, 64); /* ld64b, st64b */
    else
        decode_exchange(decoded, 1u << size);
    if (operation < 4)
        cm_decoded_add(decoded, operation == 0 ? CM_FACT_INT_SCALAR_ADD : CM_FACT_INT_SCALAR_LOGIC);
}

static void single(uint32_t word, cm_decoded *decoded)
{
    unsigned size = word >> 30, opcode = cm_code_bits(word, 23, 22);
    bool vector = cm_code_bits(word, 26, 26);
    if (vector)
        move_bytes(decoded, opcode & 1, opcode >= 2 ? 16 : 1u << size);
    else if (size != 3 || opcode < 2) /* else prfm */
        move_bytes(decoded, opcode != 0, 1u << size);
}

/* stzg and variants zero 16 bytes of data with their tags, or 32. */
static void tag(uint32_t word, cm_decoded *decoded)
{
    unsigned opcode = cm_code_bits(word, 23, 22);
    if ((opcode == 1 || opcode == 3) && cm_code_bits(word, 11, 10) != 0)
        move_bytes(decoded, false, opcode == 1 ? 16 : 32);
}

/* ldapur, stlur: unscaled, with order. */
static void ordered(uint32_t word, cm_decoded *decoded)
{
    move_bytes(decoded, cm_code_bits(word, 23, 22) != 0, 1u << (word >> 30));
}

static void authenticated(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    move_bytes(decoded, true, 8);
}

static const struct {
    uint32_t mask, value;
    void (*decode)(uint32_t word, cm_decoded *decoded);
} memory_classes[] = {
    {0xBFBF0000, 0x0C000000, structures}, {0xBFA00000, 0x0C800000, structures},    {0xBF9F0000, 0x0D000000, elements},
    {0xBF800000, 0x0D800000, elements},   {0x3F000000, 0x08000000, exclusive},     {0x3F200C00, 0x19000000, ordered},
    {0xFF200000, 0xD9200000, tag},        {0x3B000000, 0x18000000, literal},       {0x3A000000, 0x28000000, pair},
    {0x3B000000, 0x39000000, single},     {0x3B200000, 0x38000000, single},        {0x3B200C00, 0x38200800, single},
    {0x3F200C00, 0x38200000, atomic},     {0xFF200400, 0xF8200400, authenticated},
};

void cm_a64_decode_memory(uint32_t word, cm_decoded *decoded)
{
    for (size_t i = 0; i < sizeof memory_classes / sizeof memory_classes[0]; i++)
        if ((word & memory_classes[i].mask) == memory_classes[i].value) {
            memory_classes[i].decode(word, decoded);
            break;
        }
    if (cm_code_bits(word, 26, 26) != 0)
        cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
}
