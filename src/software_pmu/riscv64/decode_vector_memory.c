/* Loads and stores of vectors, with sizes by the length of the vectors. A contiguous one is one access, of all fields
 * of its segments; a strided or indexed one is one access each element. The active lanes are moved, all lanes if the
 * code alone does not determine them; an access masked by v0 counts as its whole width. */
#include "software_pmu/riscv64/decode.h"

enum { UNIT = 0, STRIDED = 2, WHOLE = 8, MASK = 11, BYTE = 8 }; /* of bits 27 to 26, and 24 to 20 */

static unsigned count_accessed_lanes(const cm_vectors *vectors)
{
    bool known = (vectors->active & CM_RV_KNOWN) != 0;
    return known ? vectors->active & ~(unsigned)CM_RV_KNOWN : cm_rv_most_lanes(vectors);
}

/* Bytes of an element in memory, by bits 14 to 12. */
static unsigned element_bytes(uint32_t word)
{
    static const uint8_t bytes[8] = {[0] = 1, [5] = 2, [6] = 4, [7] = 8};
    return bytes[cm_code_bits(word, 14, 12)];
}

/* Accesses to elements in a row: whole registers, masks, or the active elements. */
static void take_neighbours(uint32_t word, bool store, unsigned fields, cm_decoded *decoded)
{
    unsigned which = cm_code_bits(word, 24, 20);
    if (which == WHOLE)
        cm_decoded_unplace(decoded, store, 1, fields * decoded->vectors.bits / BYTE);
    else if ((decoded->vectors.type & CM_RV_KNOWN) == 0)
        return;
    else if (which == MASK)
        cm_decoded_unplace(decoded, store, 1, (count_accessed_lanes(&decoded->vectors) + BYTE - 1) / BYTE);
    else
        cm_decoded_unplace(decoded, store, 1, count_accessed_lanes(&decoded->vectors) * fields * element_bytes(word));
}

static void take_elements(uint32_t word, bool store, unsigned fields, cm_decoded *decoded)
{
    unsigned type = decoded->vectors.type;
    bool strided = cm_code_bits(word, 27, 26) == STRIDED;
    if ((type & CM_RV_KNOWN) != 0)
        cm_decoded_unplace(decoded, store, count_accessed_lanes(&decoded->vectors),
                           fields * (strided ? element_bytes(word) : cm_rv_element_bits(type) / BYTE));
}

void cm_rv_decode_vector_memory(uint32_t word, cm_decoded *decoded)
{
    bool store = cm_code_bits(word, 5, 5) != 0;
    unsigned fields = cm_code_bits(word, 31, 29) + 1;
    decoded->scalable = true;
    cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
    if (cm_code_bits(word, 27, 26) == UNIT)
        take_neighbours(word, store, fields, decoded);
    else
        take_elements(word, store, fields, decoded);
}
