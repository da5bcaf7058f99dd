/* The effects of A64's instructions on general registers, for the addresses of scalable vectors under QEMU. In sums 31
 * is the stack pointer, and the register of zeros is none. */
#include "software_pmu/aarch64/decode.h"

enum { WORD_BITS = 32, LONG_BITS = 64 };

static int64_t signed_bits(uint32_t word, unsigned high, unsigned low)
{
    const unsigned unused = LONG_BITS - 1 - (high - low);
    return (int64_t)((uint64_t)cm_code_bits(word, high, low) << unused) >> unused;
}

static bool is_long(uint32_t word)
{
    return word >> 31 != 0;
}

/* The register becomes the sum. */
static void set_register(cm_effect *effect, uint8_t number, cm_effect_sum sum)
{
    effect->sets = number;
    effect->value = sum;
    if (number != CM_EFFECT_NONE)
        effect->forgets |= UINT32_C(1) << number;
}

static cm_effect_sum moved(uint8_t base, int64_t displacement)
{
    return (cm_effect_sum){.base = base, .index = CM_EFFECT_NONE, .displacement = displacement};
}

/* ---- C4.1.63 "Data Processing -- Immediate" ---- */

static void take_relative(uint32_t word, uint64_t address, cm_effect *effect)
{
    const int64_t offset = signed_bits(word, 23, 5) * 4 + (int64_t)cm_code_bits(word, 30, 29);
    const uint64_t page = address & ~UINT64_C(0xFFF);
    set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD),
                 moved(CM_EFFECT_NONE, is_long(word) ? (int64_t)page + offset * 4096 : (int64_t)address + offset));
}

static void take_sum(uint32_t word, cm_effect *effect)
{
    const int64_t constant = (int64_t)cm_code_bits(word, 21, 10) << (cm_code_bits(word, 22, 22) * 12);
    const bool subtracts = cm_code_bits(word, 30, 30) != 0, compares = cm_code_bits(word, 29, 29) != 0;
    set_register(effect,
                 compares ? cm_a64_register_or_zero(word, CM_A64_RD) : cm_a64_register_or_stack(word, CM_A64_RD),
                 moved(cm_a64_register_or_stack(word, CM_A64_RN), subtracts ? -constant : constant));
}

/* movz, movn, and movk of a register whose higher bits are zeros, as in constants made part by part from the lowest. */
static void take_constant(uint32_t word, cm_effect *effect)
{
    enum { INVERTED, ZEROS = 2, KEPT };
    const unsigned kind = cm_code_bits(word, 30, 29), shift = cm_code_bits(word, 22, 21) * 16;
    const int64_t constant = (int64_t)((uint64_t)cm_code_bits(word, 20, 5) << shift);
    cm_effect_sum sum = moved(CM_EFFECT_NONE, kind == INVERTED ? ~constant : constant);
    if (kind == KEPT && shift == 0)
        return;
    if (kind == KEPT) {
        sum.index = cm_a64_register_or_zero(word, CM_A64_RD);
        sum.scale = 1;
        sum.width = (uint8_t)shift;
    }
    set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD), sum);
}

/* ubfm and sbfm: shifts by constants, extensions and fields. */
static void take_field(uint32_t word, cm_effect *effect)
{
    const unsigned kind = cm_code_bits(word, 30, 29), right = cm_code_bits(word, 21, 16),
                   last = cm_code_bits(word, 15, 10);
    const unsigned left = last < right ? (is_long(word) ? LONG_BITS : WORD_BITS) - right : 0;
    if (kind == 1) /* bfm keeps the other bits */
        return;
    set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD),
                 (cm_effect_sum){.base = CM_EFFECT_NONE,
                                 .index = cm_a64_register_or_zero(word, CM_A64_RN),
                                 .scale = (int64_t)(UINT64_C(1) << left),
                                 .from = (uint8_t)(left != 0 ? 0 : right),
                                 .width = (uint8_t)(left != 0 ? last + 1 : last - right + 1),
                                 .is_signed = kind == 0});
}

/* The constant of bits 22 to 10 (DecodeBitMasks): ones in an element of `size` bits, rotated and repeated. */
static uint64_t decode_bit_mask(uint32_t word)
{
    const unsigned ends = cm_code_bits(word, 22, 22) << 6 | (~cm_code_bits(word, 15, 10) & 0x3F);
    const unsigned size = ends > 1 ? 1u << (31 - __builtin_clz(ends)) : 2, last = size - 1;
    const unsigned ones = (cm_code_bits(word, 15, 10) & last) + 1, by = cm_code_bits(word, 21, 16) & last;
    const uint64_t all = UINT64_MAX >> (LONG_BITS - size);
    const uint64_t element = UINT64_MAX >> (LONG_BITS - ones);
    uint64_t mask = (by == 0 ? element : element >> by | element << (size - by)) & all;
    for (unsigned filled = size; filled < LONG_BITS; filled *= 2)
        mask |= mask << filled;
    return mask;
}

/* and; mov of such a constant. */
static void take_mask(uint32_t word, cm_effect *effect)
{
    enum { AND, OR, AND_COMPARES = 3 };
    const unsigned kind = cm_code_bits(word, 30, 29);
    const uint64_t mask = decode_bit_mask(word);
    if (kind == AND || kind == AND_COMPARES) {
        set_register(effect,
                     kind == AND ? cm_a64_register_or_stack(word, CM_A64_RD) : cm_a64_register_or_zero(word, CM_A64_RD),
                     moved(cm_a64_register_or_zero(word, CM_A64_RN), 0));
        effect->mask = mask;
    } else if (kind == OR && cm_a64_register_or_zero(word, CM_A64_RN) == CM_EFFECT_NONE)
        set_register(effect, cm_a64_register_or_stack(word, CM_A64_RD), moved(CM_EFFECT_NONE, (int64_t)mask));
}

/* ---- C4.1.68 "Data Processing -- Register" ---- */

/* A register that is shifted by a constant, times `sign`. */
static cm_effect_sum shifted(uint32_t word, int sign)
{
    enum { LEFT, RIGHT, ARITHMETIC, ROTATED };
    const unsigned kind = cm_code_bits(word, 23, 22), by = cm_code_bits(word, 15, 10),
                   all = is_long(word) ? LONG_BITS : WORD_BITS;
    return (cm_effect_sum){.base = CM_EFFECT_NONE,
                           .index = cm_a64_register_or_zero(word, CM_A64_RM),
                           .scale = kind == LEFT ? sign * (int64_t)(UINT64_C(1) << by) : sign,
                           .from = (uint8_t)(kind == LEFT ? 0 : by),
                           .width = (uint8_t)(kind == LEFT ? all : all - by),
                           .is_signed = kind == ARITHMETIC};
}

/* The sum of a register and of another one's bits, extended and shifted. */
static cm_effect_sum extended(uint32_t word, int sign, unsigned shift)
{
    const unsigned option = cm_code_bits(word, 15, 13);
    return (cm_effect_sum){.base = cm_a64_register_or_stack(word, CM_A64_RN),
                           .index = cm_a64_register_or_zero(word, CM_A64_RM),
                           .scale = sign * (INT64_C(1) << shift),
                           .width = (uint8_t)(8u << (option & 3)),
                           .is_signed = (option & 4) != 0};
}

/* A sum with a product of two registers, of their lowest `width` bits if that is not 0. */
static void take_product(uint32_t word, unsigned width, bool is_signed, cm_effect *effect)
{
    set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD),
                 (cm_effect_sum){.base = cm_a64_register_or_zero(word, CM_A64_RA),
                                 .index = cm_a64_register_or_zero(word, CM_A64_RN),
                                 .scale = cm_code_bits(word, 15, 15) != 0 ? -1 : 1,
                                 .width = (uint8_t)width,
                                 .is_signed = is_signed,
                                 .multiplies = true,
                                 .factor = cm_a64_register_or_zero(word, CM_A64_RM)});
}

/* Arithmetic on registers whose results addresses are made of; others forget their destination. */
static void take_register(uint32_t word, cm_effect *effect)
{
    const int sign = cm_code_bits(word, 30, 30) != 0 ? -1 : 1;
    const bool compares = cm_code_bits(word, 29, 29) != 0, rotates = (word & 0x00C00000) == 0x00C00000;
    if ((word & 0x1F200000) == 0x0B000000 && !rotates) { /* add, sub */
        cm_effect_sum sum = shifted(word, sign);
        sum.base = cm_a64_register_or_zero(word, CM_A64_RN);
        set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD), sum);
    } else if ((word & 0x1FE00000) == 0x0B200000) /* with an extended register */
        set_register(effect,
                     compares ? cm_a64_register_or_zero(word, CM_A64_RD) : cm_a64_register_or_stack(word, CM_A64_RD),
                     extended(word, sign, cm_code_bits(word, 12, 10)));
    else if ((word & 0x7F2003E0) == 0x2A0003E0 && !rotates) /* mov */
        set_register(effect, cm_a64_register_or_zero(word, CM_A64_RD), shifted(word, 1));
    else if ((word & 0x7FE00000) == 0x1B000000) /* madd msub */
        take_product(word, 0, false, effect);
    else if ((word & 0xFF600000) == 0x9B200000) /* smaddl umaddl smsubl umsubl */
        take_product(word, WORD_BITS, cm_code_bits(word, 23, 23) == 0, effect);
}

/* ---- C4.1.67 "Loads and Stores" ---- */

/* The base moves. */
static void move_base(uint32_t word, int64_t by, cm_effect *effect)
{
    set_register(effect, cm_a64_register_or_stack(word, CM_A64_RN),
                 moved(cm_a64_register_or_stack(word, CM_A64_RN), by));
}

static void load_general_registers(cm_effect *effect, uint8_t first, unsigned bytes, bool is_signed, bool is_word)
{
    effect->load =
        (cm_effect_load){1, {first, CM_EFFECT_NONE}, (uint8_t)bytes, is_signed, is_word ? UINT32_MAX : UINT64_MAX};
}

/* Loads and stores of pairs: the address, the base that moves, and both loaded registers. */
static void take_pair(uint32_t word, cm_effect *effect)
{
    enum { BEHIND = 1, BEFORE = 3 };
    const bool vector = cm_code_bits(word, 26, 26) != 0, loads = cm_code_bits(word, 22, 22) != 0;
    const unsigned kind = cm_code_bits(word, 24, 23), size = word >> 30,
                   bytes = vector      ? 4u << size
                           : size == 2 ? 8
                                       : 4;
    const int64_t offset = signed_bits(word, 21, 15) * (int64_t)bytes;
    effect->has_address = true;
    effect->address = moved(cm_a64_register_or_stack(word, CM_A64_RN), kind == BEHIND ? 0 : offset);
    if (kind == BEHIND || kind == BEFORE)
        move_base(word, offset, effect);
    if (vector || !loads)
        return;
    load_general_registers(effect, cm_a64_register_or_zero(word, CM_A64_RD), bytes, size == 1, false);
    effect->load.count = 2;
    effect->load.registers[1] = cm_a64_register_or_zero(word, CM_A64_RA);
}

/* The address of an access to one register, and the new value of its base. */
static void place_single(uint32_t word, unsigned scale, cm_effect *effect)
{
    enum { BEHIND = 1, BEFORE = 3 };
    const unsigned kind = cm_code_bits(word, 11, 10);
    const int64_t offset = signed_bits(word, 20, 12);
    effect->has_address = true;
    effect->address = moved(cm_a64_register_or_stack(word, CM_A64_RN), 0);
    if (cm_code_bits(word, 24, 24) != 0)
        effect->address.displacement = (int64_t)cm_code_bits(word, 21, 10) << scale;
    else if (cm_code_bits(word, 21, 21) == 0) {
        effect->address.displacement = kind == BEHIND ? 0 : offset;
        if (kind == BEHIND || kind == BEFORE)
            move_base(word, offset, effect);
    } else if (kind == 2)
        effect->address = extended(word, 1, cm_code_bits(word, 12, 12) != 0 ? scale : 0);
}

/* Loads and stores of one register, prefetches and atomic ones included. */
static void take_single(uint32_t word, cm_effect *effect)
{
    const bool vector = cm_code_bits(word, 26, 26) != 0;
    const bool atomic = (word & 0x01200C00) == 0x00200000, authenticates = (word & 0x01200400) == 0x00200400;
    const unsigned size = word >> 30, kind = cm_code_bits(word, 23, 22);
    if (authenticates)
        return;
    place_single(word, vector ? (kind & 2) << 1 | size : size, effect);
    if (!vector && !atomic && kind != 0 && !(size == 3 && kind == 2)) /* prfm */
        load_general_registers(effect, cm_a64_register_or_zero(word, CM_A64_RD), 1u << size, kind >= 2, kind == 3);
}

/* Loads and stores of any class, with the registers whose values are unknown behind them. */
static void take_access(uint32_t word, cm_effect *effect)
{
    const bool structures = (word & 0xBE000000) == 0x0C000000, literal = (word & 0x3B000000) == 0x18000000;
    if ((word & 0x3A000000) == 0x28000000)
        take_pair(word, effect);
    else if ((word & 0x3A000000) == 0x38000000)
        take_single(word, effect);
    else if (literal) {
        if (cm_code_bits(word, 26, 26) == 0 && word >> 30 != 3)
            load_general_registers(effect, cm_a64_register_or_zero(word, CM_A64_RD), word >> 30 == 1 ? 8 : 4,
                                   word >> 30 == 2, false);
    } else {
        effect->has_address = true;
        effect->address = moved(cm_a64_register_or_stack(word, CM_A64_RN), 0);
        if (structures) /* up to four */
            effect->forgets_vectors = UINT32_MAX;
        if (structures && cm_code_bits(word, 23, 23) != 0)
            effect->forgets |= UINT32_C(1) << cm_a64_register_or_stack(word, CM_A64_RN);
        else if (!structures) /* exclusive ones: data, a second register, and the status of stores */
            effect->forgets |= UINT32_C(1) << cm_a64_register_or_stack(word, CM_A64_RD) |
                               UINT32_C(1) << cm_a64_register_or_stack(word, CM_A64_RM) |
                               UINT32_C(1) << cm_a64_register_or_stack(word, CM_A64_RA);
    }
}

/* ---- all ---- */

/* Arithmetic with constants, by its class. */
static void take_immediate(uint32_t word, uint64_t address, cm_effect *effect)
{
    switch (cm_code_bits(word, 25, 23)) {
    case 0:
    case 1: take_relative(word, address, effect); break;
    case 2: take_sum(word, effect); break;
    case 4: take_mask(word, effect); break;
    case 5: take_constant(word, effect); break;
    case 6: take_field(word, effect); break;
    default: break;
    }
}

/* Forgets the registers that the instruction writes. */
static void forget_written(const void *code, cm_effect *effect)
{
    enum { VECTORS = 32 };
    cm_flow flow;
    cm_decode_flow(code, &flow);
    for (size_t i = 0; i < flow.write_count; i++)
        if (flow.writes[i] < CM_A64_STACK)
            effect->forgets |= UINT32_C(1) << flow.writes[i];
        else if (flow.writes[i] >= VECTORS && flow.writes[i] < 2 * VECTORS)
            effect->forgets_vectors |= UINT32_C(1) << (flow.writes[i] - VECTORS);
}

bool cm_decode_effect(uint64_t address, const void *code, unsigned vector_bits, cm_effect *effect)
{
    const cm_vectors vectors = {.bits = (uint16_t)vector_bits};
    cm_decoded decoded;
    uint32_t word;
    memcpy(&word, code, sizeof word);
    cm_decode(address, code, &vectors, &decoded);
    *effect = (cm_effect){.sets = CM_EFFECT_NONE, .mask = UINT64_MAX, .fills = CM_EFFECT_NONE};
    forget_written(code, effect);
    const unsigned group = cm_code_bits(word, 28, 25);
    const bool sums = (group & 0xE) == 0x8 || (group & 0x7) == 0x5;
    if ((group & 0xE) == 0x8)
        take_immediate(word, address, effect);
    else if ((group & 0x7) == 0x5)
        take_register(word, effect);
    else if ((group & 0x5) == 0x4)
        take_access(word, effect);
    else if (group == 0x2)
        cm_a64_take_sve_effect(word, &decoded, effect);
    if (sums && !is_long(word) && (word & 0x1F000000) != 0x10000000) /* not adr */
        effect->mask &= UINT32_MAX;
    if ((word & 0xFFE0001F) == 0xD4000001) { /* svc answers in x0 */
        effect->forgets |= 1;
        effect->forgets_vectors = effect->forgets_predicates = UINT32_MAX;
    }
    return true;
}
