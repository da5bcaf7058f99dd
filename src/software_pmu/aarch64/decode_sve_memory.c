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
static void set_lanes(uint32_t word, bool stores, unsigned size, cm_decoded *decoded)
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
    set_lanes(word, false, SINGLE, decoded);
}

static void gather_doubles(uint32_t word, cm_decoded *decoded)
{
    set_lanes(word, false, DOUBLE, decoded);
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
    set_lanes(word, true, SINGLE, decoded);
}

static void scatter_doubles(uint32_t word, cm_decoded *decoded)
{
    set_lanes(word, true, DOUBLE, decoded);
}

static void decode_prefetch(uint32_t word, cm_decoded *decoded)
{
    (void)word, (void)decoded;
}

/* The address of an access: a register and another one, in elements; or in whole accesses, by a constant; or each lane
 * at a register and its index. */
typedef enum place { ELSEWHERE, ELEMENTS, FOUR_BITS, SIX_BITS, NINE_BITS, LOADED, STORED_32, STORED_64 } place;

/* The first row that fits decodes the word. */
typedef struct memory_class {
    uint32_t mask, value;
    void (*decode)(uint32_t word, cm_decoded *decoded);
    place place;
} memory_class;

static const memory_class sve_classes[] = {
    /* contiguous loads */
    {0xFE00C000, 0xA4004000, load_lanes, ELEMENTS},       /* ld1 ldff1, scalar and scalar */
    {0xFE00E000, 0xA400A000, load_lanes, FOUR_BITS},      /* ld1 ldnf1, scalar and constant */
    {0xFE00E000, 0xA400C000, load_registers, ELEMENTS},   /* ldnt1 ld2 ld3 ld4 */
    {0xFE10E000, 0xA400E000, load_registers, FOUR_BITS},  /* the same, with a constant */
    {0xFE00E000, 0xA4000000, load_replicated, ELEMENTS},  /* ld1rq ld1ro */
    {0xFE10E000, 0xA4002000, load_replicated, FOUR_BITS}, /* the same, with a constant */
    /* gathers of 32 bits, and loads without a size */
    {0xFE408000, 0x84408000, load_broadcast, SIX_BITS},   /* ld1r */
    {0xFFC0E010, 0x85800000, load_predicate, NINE_BITS},  /* ldr */
    {0xFFC0E000, 0x85804000, load_vector, NINE_BITS},     /* ldr */
    {0xFFC08010, 0x85C00000, decode_prefetch, ELSEWHERE}, /* with a constant */
    {0xFFA08010, 0x84200000, decode_prefetch, ELSEWHERE}, /* gathered */
    {0xFE60C000, 0x8400C000, decode_prefetch, ELSEWHERE}, /* with two scalars, of a vector */
    {0xFE008000, 0x84000000, gather_singles, LOADED},     /* a scalar and offsets of 32 bits */
    {0xFE60C000, 0x84008000, gather_singles, ELSEWHERE},  /* ldnt1 */
    {0xFE608000, 0x84208000, gather_singles, ELSEWHERE},  /* a vector and a constant */
    /* gathers of 64 bits */
    {0xFFA08010, 0xC4200000, decode_prefetch, ELSEWHERE}, /* offsets of 32 bits */
    {0xFFE08010, 0xC4608000, decode_prefetch, ELSEWHERE}, /* of 64 bits */
    {0xFE60E000, 0xC400E000, decode_prefetch, ELSEWHERE}, /* a vector and a constant */
    {0xFE60A000, 0xC400A000, decode_prefetch, ELSEWHERE}, /* unallocated in these versions of the architecture */
    {0xFE000000, 0xC4000000, gather_doubles, LOADED},     /* all others */
    /* stores */
    {0xFFC0E010, 0xE5800000, store_predicate, NINE_BITS}, /* str */
    {0xFFC0E000, 0xE5804000, store_vector, NINE_BITS},    /* str */
    {0xFE00E000, 0xE4004000, store_lanes, ELEMENTS},      /* st1, scalar and scalar */
    {0xFE10E000, 0xE400E000, store_lanes, FOUR_BITS},     /* st1, scalar and constant */
    {0xFE00E000, 0xE4006000, store_registers, ELEMENTS},  /* stnt1 st2 st3 st4 */
    {0xFE10E000, 0xE410E000, store_registers, FOUR_BITS}, /* the same, with a constant */
    {0xFE60E000, 0xE4002000, scatter_doubles, ELSEWHERE}, /* stnt1 */
    {0xFE60E000, 0xE4402000, scatter_singles, ELSEWHERE}, /* stnt1 */
    {0xFE40A000, 0xE4008000, scatter_doubles, STORED_32}, /* a scalar and offsets of 32 bits */
    {0xFE40A000, 0xE4408000, scatter_singles, STORED_32}, /* the same */
    {0xFE40E000, 0xE400A000, scatter_doubles, STORED_64}, /* offsets of 64 bits */
    {0xFE60E000, 0xE440A000, scatter_doubles, ELSEWHERE}, /* a vector and a constant */
    {0xFE60E000, 0xE460A000, scatter_singles, ELSEWHERE}, /* the same */
};

/* NULL: none fits. */
static const memory_class *find_class(uint32_t word)
{
    for (size_t i = 0; i < sizeof sve_classes / sizeof sve_classes[0]; i++)
        if ((word & sve_classes[i].mask) == sve_classes[i].value)
            return &sve_classes[i];
    return NULL;
}

bool cm_a64_decode_sve_memory(uint32_t word, cm_decoded *decoded)
{
    const memory_class *found = find_class(word);
    if (found != NULL)
        found->decode(word, decoded);
    return found != NULL;
}

/* ---- addresses ---- */

static int64_t extend_sign(uint32_t value, unsigned width)
{
    return (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
}

/* The lanes of an access to all registers of a vector, by its predicate; of others each byte stands for a lane. */
static cm_effect_scalable contiguous(uint32_t word, const memory_class *found, const cm_decoded *decoded)
{
    cm_effect_scalable scalable = {.kind = CM_SCALABLE_CONTIGUOUS,
                                   .predicate = CM_EFFECT_NONE,
                                   .lane = 1,
                                   .bytes = 1,
                                   .vectors = 1,
                                   .stores = decoded->unplaced.store,
                                   .all = decoded->unplaced.bytes};
    const unsigned type = cm_code_bits(word, 24, 21), size = cm_code_bits(word, 24, 23);
    const bool of_registers = found->decode == load_registers || found->decode == store_registers;
    const bool loads_lanes = found->decode == load_lanes;
    if (!of_registers && !loads_lanes && found->decode != store_lanes)
        return scalable;
    scalable.predicate = (uint8_t)cm_code_bits(word, 12, 10);
    scalable.bytes = (uint8_t)(1u << (loads_lanes ? memory_sizes[type] : size));
    scalable.lane = (uint8_t)(1u << (loads_lanes    ? lane_sizes[type]
                                     : of_registers ? size
                                                    : cm_code_bits(word, 22, 21)));
    scalable.vectors = (uint8_t)(of_registers ? cm_code_bits(word, 22, 21) + 1 : 1);
    scalable.all = (uint16_t)(vector_bytes(decoded) / scalable.lane);
    return scalable;
}

/* The address of a contiguous access, and the registers that it changes. */
static void place_contiguous(uint32_t word, const memory_class *found, const cm_decoded *decoded, cm_effect *effect)
{
    const unsigned index = cm_code_bits(word, 20, 16), type = cm_code_bits(word, 24, 21);
    int64_t accesses = 0;
    effect->scalable = contiguous(word, found, decoded);
    if (found->place == FOUR_BITS)
        accesses = extend_sign(cm_code_bits(word, 19, 16), 4);
    else if (found->place == SIX_BITS)
        accesses = cm_code_bits(word, 21, 16);
    else if (found->place == NINE_BITS)
        accesses = extend_sign(cm_code_bits(word, 21, 16) << 3 | cm_code_bits(word, 12, 10), 9);
    effect->address.displacement = accesses * decoded->unplaced.bytes;
    if (found->place == ELEMENTS && index != 31) {
        const unsigned size = found->decode == load_lanes ? memory_sizes[type] : cm_code_bits(word, 24, 23);
        effect->address.index = (uint8_t)index;
        effect->address.scale = INT64_C(1) << size;
    }
    if (found->decode == load_registers)
        for (unsigned i = 0; i < effect->scalable.vectors; i++)
            effect->forgets_vectors |= UINT32_C(1) << (cm_code_bits(word, 4, 0) + i) % 32;
    if (found->decode == load_lanes) {
        effect->fills = (uint8_t)cm_code_bits(word, 4, 0);
        effect->is_signed = type == 4 || type == 8 || type == 9 || (type >= 12 && type != 15);
    }
}

/* A scalar and a vector of indices of 64 bits, or of 32 bits that are extended. */
static void place_gathered(uint32_t word, const memory_class *found, const cm_decoded *decoded, cm_effect *effect)
{
    const bool singles = found->decode == gather_singles || found->decode == scatter_singles;
    const bool loads = found->place == LOADED, high = cm_code_bits(word, 15, 15) != 0;
    const bool is_long = found->place == STORED_64 || (loads && high);
    const bool is_signed = cm_code_bits(word, loads ? 22 : 14, loads ? 22 : 14) != 0;
    if (loads && high && (singles || cm_code_bits(word, 22, 22) == 0)) /* of a vector and a constant */
        return;
    effect->scalable = (cm_effect_scalable){.kind = CM_SCALABLE_GATHERED,
                                            .predicate = (uint8_t)cm_code_bits(word, 12, 10),
                                            .lane = singles ? 1u << SINGLE : 1u << DOUBLE,
                                            .bytes = (uint8_t)decoded->unplaced.bytes,
                                            .indices = (uint8_t)cm_code_bits(word, 20, 16),
                                            .index_bits = is_long ? 64 : 32,
                                            .index_signed = is_signed,
                                            .stores = !loads,
                                            .all = decoded->unplaced.count};
    if (cm_code_bits(word, 21, 21) != 0)
        effect->scalable.shift = (uint8_t)cm_code_bits(word, 24, 23);
}

void cm_a64_place_sve(uint32_t word, const cm_decoded *decoded, cm_effect *effect)
{
    const memory_class *found = find_class(word);
    if (found == NULL || found->place == ELSEWHERE || decoded->unplaced.count == 0)
        return;
    effect->address = (cm_effect_sum){.base = (uint8_t)cm_code_bits(word, 9, 5), .index = CM_EFFECT_NONE};
    if (found->place >= LOADED)
        place_gathered(word, found, decoded, effect);
    else
        place_contiguous(word, found, decoded, effect);
}
