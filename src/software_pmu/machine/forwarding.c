/* Loads from stores that have not left the store buffer. */
#include "software_pmu/machine/memory.h"

enum { COMPARED = 4096, PART = COMPARED / CM_FORWARDING_PARTS };

/* Changes by `change` how many stores there are in each part of a page that these bytes reach. */
static void count_parts(cm_forwarding *forwarding, const struct cm_held_store *held, int change)
{
    const size_t parts = held->bytes != 0 ? (held->address % PART + held->bytes - 1) / PART + 1 : 0;
    for (size_t i = 0; i < parts && i < CM_FORWARDING_PARTS; i++)
        forwarding->parts[(held->address / PART + i) % CM_FORWARDING_PARTS] += change;
}

/* Whether a store reaches the parts of these bytes; else none overlaps them, whatever its page. */
static bool meets_store(const cm_forwarding *forwarding, uint64_t address, size_t bytes)
{
    for (uint64_t part = address / PART; part <= (address + bytes - 1) / PART; part++)
        if (forwarding->parts[part % CM_FORWARDING_PARTS] != 0)
            return true;
    return false;
}

void cm_forwarding_store(cm_forwarding *forwarding, uint64_t address, size_t bytes)
{
    struct cm_held_store *held = &forwarding->held[forwarding->next];
    count_parts(forwarding, held, -1);
    *held = (struct cm_held_store){address, bytes};
    count_parts(forwarding, held, 1);
    forwarding->next = forwarding->next + 1 == forwarding->stores ? 0 : forwarding->next + 1;
}

/* Whether `bytes` from `distance` on behind a store of `stored` bytes, or before it, overlap it. */
static bool overlaps(uint64_t distance, size_t bytes, size_t stored)
{
    return distance < stored || 0 - distance < bytes;
}

void cm_forwarding_load(const cm_forwarding *forwarding, uint64_t address, size_t bytes, uint64_t *facts)
{
    bool aliased = false;
    if (!meets_store(forwarding, address, bytes))
        return;
    for (unsigned age = 1, at = forwarding->next; age <= forwarding->stores; age++) {
        at = at == 0 ? forwarding->stores - 1 : at - 1;
        const struct cm_held_store *held = &forwarding->held[at];
        const uint64_t distance = address - held->address;
        if (held->bytes != 0 && overlaps(distance, bytes, held->bytes)) {
            const bool whole = distance < held->bytes && bytes <= held->bytes - distance;
            facts[whole ? CM_FACT_LOADS_FORWARDED : CM_FACT_LOADS_BLOCKED]++;
            return;
        }
        const uint64_t low = distance % COMPARED, down = (0 - distance) % COMPARED;
        aliased = aliased || (held->bytes != 0 && (low < held->bytes || (low != 0 && down < bytes)));
    }
    facts[CM_FACT_LOADS_ALIASED] += aliased;
}
