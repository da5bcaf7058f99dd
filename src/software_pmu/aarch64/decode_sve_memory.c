/* Loads and stores of scalable vectors (C4.1.65 "SVE Memory"), with sizes by the length of the vectors: QEMU 7.2 does
 * not report the memory that they touch. A contiguous one is one access as wide as all lanes, active or not, of all its
 * registers; a gather or scatter is one access each active lane, or each lane if the code alone does not determine the
 * active ones. Prefetches move nothing. */
#include "software_pmu/aarch64/decode.h"

enum { BYTE = 8, SINGLE = 2, DOUBLE = 3 };

/* By the field dtype: log2 of the bytes of an element in memory, and of a lane. */
static const uint8_t memory_sizes[16] = {0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0, 3};
static const uint8_t lane_sizes[16] = {0, 1, 2, 3, 3, 1, 2, 3, 3, 2, 2, 3, 3, 2, 1, 3};

static unsigned vector_bytes(const cm_decoded *decoded)
{
    return decoded->vectors.bits / BYTE;
}

static void load_bytes(cm_decoded *decoded, unsigned bytes)
{
    cm_decoded_unplace(decoded, false, 1, bytes);
}

static void store_bytes(cm_decoded *decoded, unsigned bytes)
{
    cm_decoded_unplace(decoded, true, 1, bytes);
}

/* Elements of 1 << msz bytes in lanes of 1 << size. */
static void scatter(uint32_t word, bool stores, unsigned size, cm_decoded *decoded)
{
    unsigned lanes = cm_a64_active_lanes(&decoded->vectors, cm_code_bits(word, 12, 10), size);
    if (lanes == CM_LANES_UNKNOWN)
        lanes = vector_bytes(decoded) >> size;
    cm_decoded_unplace(decoded, stores, lanes, 1u << cm_code_bits(word, 24, 23));
}

static void load_lanes(uint32_t word, cm_decoded *decoded)
{
    unsigned type = cm_code_bits(word, 24, 21);
    load_bytes(decoded, vector_bytes(decoded) >> lane_sizes[type] << memory_sizes[type]);
}

static void load_registers(uint32_t word, cm_decoded *decoded)
{
    load_bytes(decoded, (cm_code_bits(word, 22, 21) + 1) * vector_bytes(decoded));
}

static void load_replicated(uint32_t word, cm_decoded *decoded)
{
    static const uint8_t bytes[4] = {16, 32};
    load_bytes(decoded, bytes[cm_code_bits(word, 22, 21)]);
}

static void load_broadcast(uint32_t word, cm_decoded *decoded)
{
    load_bytes(decoded, 1u << memory_sizes[cm_code_bits(word, 24, 23) << 2 | cm_code_bits(word, 14, 13)]);
}

static void load_predicate(uint32_t word, cm_decoded *decoded)
{
    load_bytes(decoded, vector_bytes(decoded) / BYTE);
    cm_a64_follow_predicates(word, &decoded->vectors);
}

static void load_vector(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    load_bytes(decoded, vector_bytes(decoded));
}

static void gather_singles(uint32_t word, cm_decoded *decoded)
{
    scatter(word, false, SINGLE, decoded);
}

static void gather_doubles(uint32_t word, cm_decoded *decoded)
{
    scatter(word, false, DOUBLE, decoded);
}

static void store_lanes(uint32_t word, cm_decoded *decoded)
{
    store_bytes(decoded, vector_bytes(decoded) >> cm_code_bits(word, 22, 21) << cm_code_bits(word, 24, 23));
}

static void store_registers(uint32_t word, cm_decoded *decoded)
{
    store_bytes(decoded, (cm_code_bits(word, 22, 21) + 1) * vector_bytes(decoded));
}

static void store_predicate(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    store_bytes(decoded, vector_bytes(decoded) / BYTE);
}

static void store_vector(uint32_t word, cm_decoded *decoded)
{
    (void)word;
    store_bytes(decoded, vector_bytes(decoded));
}

static void scatter_singles(uint32_t word, cm_decoded *decoded)
{
    scatter(word, true, SINGLE, decoded);
}

static void scatter_doubles(uint32_t word, cm_decoded *decoded)
{
    scatter(word, true, DOUBLE, decoded);
}

static void prefetch(uint32_t word, cm_decoded *decoded)
{
    (void)word, (void)decoded;
}

/* The first row that fits decodes the word. */
static const struct {
    uint32_t mask, value;
    void (*decode)(uint32_t word, cm_decoded *decoded);
} classes[] = {
    /* contiguous loads */
    {0xFE00C000, 0xA4004000, load_lanes},      /* ld1 ldff1, scalar and scalar */
    {0xFE00E000, 0xA400A000, load_lanes},      /* ld1 ldnf1, scalar and constant */
    {0xFE00E000, 0xA400C000, load_registers},  /* ldnt1 ld2 ld3 ld4 */
    {0xFE10E000, 0xA400E000, load_registers},  /* the same, with a constant */
    {0xFE00E000, 0xA4000000, load_replicated}, /* ld1rq ld1ro */
    {0xFE10E000, 0xA4002000, load_replicated}, /* the same, with a constant */
    /* gathers of 32 bits, and loads without a size */
    {0xFE408000, 0x84408000, load_broadcast}, /* ld1r */
    {0xFFC0E010, 0x85800000, load_predicate}, /* ldr */
    {0xFFC0E000, 0x85804000, load_vector},    /* ldr */
    {0xFFC08010, 0x85C00000, prefetch},       /* with a constant */
    {0xFFA08010, 0x84200000, prefetch},       /* gathered */
    {0xFE60C000, 0x8400C000, prefetch},       /* with two scalars, of a vector */
    {0xFE008000, 0x84000000, gather_singles}, /* a scalar and offsets of 32 bits */
    {0xFE60C000, 0x84008000, gather_singles}, /* ldnt1 */
    {0xFE608000, 0x84208000, gather_singles}, /* a vector and a constant */
    /* gathers of 64 bits */
    {0xFFA08010, 0xC4200000, prefetch},       /* offsets of 32 bits */
    {0xFFE08010, 0xC4608000, prefetch},       /* of 64 bits */
    {0xFE60E000, 0xC400E000, prefetch},       /* a vector and a constant */
    {0xFE60A000, 0xC400A000, prefetch},       /* unallocated in these versions of the architecture */
    {0xFE000000, 0xC4000000, gather_doubles}, /* all others */
    /* stores */
    {0xFFC0E010, 0xE5800000, store_predicate}, /* str */
    {0xFFC0E000, 0xE5804000, store_vector},    /* str */
    {0xFE00E000, 0xE4004000, store_lanes},     /* st1, scalar and scalar */
    {0xFE10E000, 0xE400E000, store_lanes},     /* st1, scalar and constant */
    {0xFE00E000, 0xE4006000, store_registers}, /* stnt1 st2 st3 st4 */
    {0xFE10E000, 0xE410E000, store_registers}, /* the same, with a constant */
    {0xFE60E000, 0xE4002000, scatter_doubles}, /* stnt1 */
    {0xFE60E000, 0xE4402000, scatter_singles}, /* stnt1 */
    {0xFE40A000, 0xE4008000, scatter_doubles}, /* a scalar and offsets of 32 bits */
    {0xFE40A000, 0xE4408000, scatter_singles}, /* the same */
    {0xFE40E000, 0xE400A000, scatter_doubles}, /* offsets of 64 bits */
    {0xFE60E000, 0xE440A000, scatter_doubles}, /* a vector and a constant */
    {0xFE60E000, 0xE460A000, scatter_singles}, /* the same */
};

bool cm_a64_decode_sve_memory(uint32_t word, cm_decoded *decoded)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if ((word & classes[i].mask) == classes[i].value) {
            classes[i].decode(word, decoded);
            return true;
        }
    return false;
}
