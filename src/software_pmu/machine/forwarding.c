#include "software_pmu/machine/forwarding.h"

#include <stdbool.h>

#include "software_pmu/machine/facts.h"

enum { COMPARED = 4096 };

void cm_forwarding_store(cm_forwarding *forwarding, uint64_t address, size_t bytes)
{
    forwarding->held[forwarding->next] = (struct cm_held_store){address, bytes};
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
    for (unsigned age = 1; age <= forwarding->stores; age++) {
        const unsigned at = (forwarding->next + forwarding->stores - age) % forwarding->stores;
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
