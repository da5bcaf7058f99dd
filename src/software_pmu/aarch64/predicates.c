/* Predicates of scalable vectors. A mask is KNOWN with the size and the pattern of the ptrue that set it, or 0: after
 * any other write the code alone does not determine the lanes. */
#include "software_pmu/aarch64/decode.h"

enum { KNOWN = 1 << 15, SIZE = 5, PATTERN = (1 << SIZE) - 1, NO_PATTERN = 14 /* a pattern without lanes */ };

/* Instructions that write the predicate of bits 3 to 0, C4.1.65. */
static const struct {
    uint32_t mask, value;
} writers[] = {
    {0xFF000000, 0x24000000}, /* comparisons of integers */
    {0xFF204000, 0x25000000}, /* with a constant */
    {0xFF204000, 0x25004000}, /* logic, brka and similar ones, pfirst, pnext, rdffr; not ptest */
    {0xFF20E000, 0x25200000}, /* while */
    {0xFF20FC00, 0x25203000}, /* whilewr whilerw */
    {0xFF20E000, 0x05204000}, /* zip uzp trn rev punpk */
    {0xFF20E000, 0x45208000}, /* match nmatch */
    {0xFF204000, 0x65004000}, /* comparisons of floating point */
    {0xFF3CE000, 0x65102000}, /* with 0 */
    {0xFFC0E010, 0x85800000}, /* ldr */
};

bool cm_a64_writes_predicate(uint32_t word)
{
    if ((word & 0xFFFFC210) == 0x2550C000) /* ptest */
        return false;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if ((word & writers[i].mask) == writers[i].value)
            return true;
    return false;
}

static uint16_t mask_of(uint32_t word)
{
    if ((word & 0xFF3EFC10) == 0x2518E000) /* ptrue ptrues */
        return (uint16_t)(KNOWN | cm_code_bits(word, 23, 22) << SIZE | cm_code_bits(word, 9, 5));
    return (word & 0xFFFFFFF0) == 0x2518E400 ? KNOWN | NO_PATTERN : 0; /* pfalse */
}

void cm_a64_follow_predicates(uint32_t word, cm_vectors *vectors)
{
    unsigned predicate = cm_code_bits(word, 3, 0);
    if (predicate < CM_VECTOR_MASKS && cm_a64_writes_predicate(word))
        vectors->masks[predicate] = mask_of(word);
}

unsigned cm_a64_pattern_lanes(unsigned pattern, unsigned all)
{
    enum { POW2 = 0, VL8 = 8, POWERS = 5, VL256 = 13, MUL4 = 29, MUL3 = 30, ALL = 31 };
    if (pattern == ALL)
        return all;
    if (pattern == MUL4 || pattern == MUL3)
        return all - all % (pattern == MUL4 ? 4 : 3);
    if (pattern == POW2)
        return all == 0 ? 0 : 1u << (31 - __builtin_clz(all));
    if (pattern > VL256)
        return 0;
    unsigned wanted = pattern <= VL8 ? pattern : 1u << (pattern - POWERS);
    return wanted <= all ? wanted : 0;
}

unsigned cm_a64_active_lanes(const cm_vectors *vectors, unsigned predicate, unsigned size)
{
    unsigned mask = vectors->masks[predicate];
    if ((mask & KNOWN) == 0)
        return CM_LANES_UNKNOWN;
    unsigned of = mask >> SIZE & 3, lanes = cm_a64_pattern_lanes(mask & PATTERN, vectors->bits / (8u << of));
    if (size <= of)
        return lanes;
    unsigned each = 1u << (size - of);
    return (lanes + each - 1) / each;
}
