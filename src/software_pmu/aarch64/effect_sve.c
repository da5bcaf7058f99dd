/* The effects of scalable vectors' instructions: counts of lanes in general registers, predicates, and the addresses
 * and active lanes of loads, stores and arithmetic (C4.1.65 "SVE encodings"). */
#include "software_pmu/aarch64/decode.h"

static unsigned lanes_of(uint32_t word, const cm_decoded *decoded)
{
    return cm_a64_pattern_lanes(cm_code_bits(word, 9, 5), decoded->vectors.bits / (8u << cm_code_bits(word, 23, 22)));
}

/* The register becomes the other one plus a constant. */
static void set_to_sum(cm_effect *effect, uint8_t number, uint8_t base, int64_t constant)
{
    effect->sets = number;
    effect->value = (cm_effect_sum){.base = base, .index = CM_EFFECT_NONE, .displacement = constant};
    if (number != CM_EFFECT_NONE)
        effect->forgets |= UINT32_C(1) << number;
}

/* Instructions that write a general register in bits 4 to 0, and no value that is followed. */
static const struct {
    uint32_t mask, value;
} others[] = {
    {0xFF20F000, 0x0420F000}, /* sqinc and the like, by a pattern */
    {0xFF3EFE00, 0x252C8800}, /* incp decp */
    {0xFF3CF800, 0x25288800}, /* sqincp and the like */
    {0xFF3FC200, 0x25208000}, /* cntp */
    {0xFF3EE000, 0x0520A000}, /* lasta lastb */
    {0xFF3EE000, 0x0530A000}, /* clasta clastb */
};

/* Counts of lanes and lengths of vectors are constants. */
static void take_general(uint32_t word, const cm_decoded *decoded, cm_effect *effect)
{
    const unsigned bits = decoded->vectors.bits;
    const int64_t six_bits = (int64_t)((uint64_t)word << 53) >> 58;
    const int64_t lanes = (int64_t)lanes_of(word, decoded) * (cm_code_bits(word, 19, 16) + 1);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if ((word & others[i].mask) == others[i].value && cm_a64_register_or_zero(word, 0) != CM_EFFECT_NONE)
            effect->forgets |= UINT32_C(1) << cm_a64_register_or_zero(word, 0);
    if ((word & 0xFF30FC00) == 0x0420E000) /* cntb cnth cntw cntd */
        set_to_sum(effect, cm_a64_register_or_zero(word, 0), CM_EFFECT_NONE, lanes);
    else if ((word & 0xFF30F800) == 0x0430E000) /* incb decb and the like */
        set_to_sum(effect, cm_a64_register_or_zero(word, 0), cm_a64_register_or_zero(word, 0),
                   cm_code_bits(word, 10, 10) != 0 ? -lanes : lanes);
    else if ((word & 0xFFE0F800) == 0x04205000) /* addvl */
        set_to_sum(effect, cm_a64_register_or_stack(word, 0), cm_a64_register_or_stack(word, 16),
                   six_bits * (int64_t)(bits / 8));
    else if ((word & 0xFFE0F800) == 0x04605000) /* addpl */
        set_to_sum(effect, cm_a64_register_or_stack(word, 0), cm_a64_register_or_stack(word, 16),
                   six_bits * (int64_t)(bits / 64));
    else if ((word & 0xFFFFF800) == 0x04BF5000) /* rdvl */
        set_to_sum(effect, cm_a64_register_or_zero(word, 0), CM_EFFECT_NONE, six_bits * (int64_t)(bits / 8));
}

/* The lanes that a predicate sets active, for the instructions whose lanes can be followed. */
static void take_predicate(uint32_t word, const cm_decoded *decoded, cm_effect *effect)
{
    cm_effect_predicate predicate = {.sets = (uint8_t)cm_code_bits(word, 3, 0),
                                     .size = (uint8_t)(1u << cm_code_bits(word, 23, 22)),
                                     .counter = cm_a64_register_or_zero(word, 5),
                                     .limit = cm_a64_register_or_zero(word, 16)};
    const unsigned from = cm_code_bits(word, 8, 5);
    if (!cm_a64_writes_predicate(word))
        return;
    effect->forgets_predicates = UINT32_C(1) << predicate.sets;
    if ((word & 0xFF3EFC10) == 0x2518E000) { /* ptrue ptrues */
        predicate.kind = CM_PREDICATE_LANES;
        predicate.lanes = (uint16_t)lanes_of(word, decoded);
    } else if ((word & 0xFFFFFFF0) == 0x2518E400) { /* pfalse */
        predicate.kind = CM_PREDICATE_LANES;
    } else if ((word & 0xFF20E400) == 0x25200400) { /* whilelt whilele whilelo whilels */
        predicate.kind = CM_PREDICATE_WHILE;
        predicate.lanes = (uint16_t)(decoded->vectors.bits / 8 / predicate.size);
        predicate.is_word = cm_code_bits(word, 12, 12) == 0;
        predicate.is_signed = cm_code_bits(word, 11, 11) == 0;
        predicate.includes_limit = cm_code_bits(word, 4, 4) != 0;
    } else if ((word & 0xFFF0C210) == 0x25804000 && from == cm_code_bits(word, 13, 10) &&
               from == cm_code_bits(word, 19, 16)) { /* mov, which is orr */
        predicate.kind = CM_PREDICATE_COPY;
        predicate.lanes = (uint16_t)from;
    }
    effect->predicate = predicate;
}

/* Arithmetic whose lanes a predicate decides. */
static void take_arithmetic(const cm_decoded *decoded, cm_effect *effect)
{
    for (size_t i = 0; i < decoded->fact_count; i++)
        if (decoded->facts[i] == CM_FACT_FP_LANES_UNKNOWN)
            effect->scalable = (cm_effect_scalable){.kind = CM_SCALABLE_ARITHMETIC,
                                                    .predicate = decoded->predicate,
                                                    .lane = decoded->mask_lane,
                                                    .fact = decoded->lanes_fact};
}

void cm_a64_take_sve_effect(uint32_t word, const cm_decoded *decoded, cm_effect *effect)
{
    take_general(word, decoded, effect);
    take_predicate(word, decoded, effect);
    take_arithmetic(decoded, effect);
    cm_a64_place_sve(word, decoded, effect);
}
