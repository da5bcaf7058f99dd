/* Prints what the decoder takes each instruction of standard input for, one a line: kind, offset of the target, bytes
 * loaded and stored, whether it is locked, facts, active lanes, and the bytes of each where it moves elements. */
#include <inttypes.h>
#include <stdio.h>

#include <catmint/software_pmu.h>

#include "software_pmu/qemu/decoded.h"

static const char *const kinds[] = {
    [CM_DECODED_PLAIN] = "plain",   [CM_DECODED_CONDITIONAL] = "conditional",
    [CM_DECODED_JUMP] = "jump",     [CM_DECODED_JUMP_INDIRECT] = "jump_indirect",
    [CM_DECODED_CALL] = "call",     [CM_DECODED_CALL_INDIRECT] = "call_indirect",
    [CM_DECODED_RETURN] = "return", [CM_DECODED_WALL] = "wall",
};

int main(void)
{
    const uint64_t address = 1 << 30;
    cm_vectors vectors = {.bits = 256};
    uint64_t word;
    while (scanf("%" SCNx64, &word) == 1) {
        cm_decoded decoded;
        cm_decode(address, &word, &vectors, &decoded);
        vectors = decoded.vectors;
        int64_t offset = decoded.target != 0 ? (int64_t)(decoded.target - address) : 0;
        const cm_decoded_access *access = &decoded.accesses[0];
        const cm_decoded_unplaced *unplaced = &decoded.unplaced;
        unsigned bytes = unplaced->count * (unsigned)unplaced->bytes;
        printf("%s %" PRId64 " %u %u %d", kinds[decoded.kind], offset,
               (access->load ? access->bytes : 0) + (unplaced->store ? 0 : bytes),
               (access->store ? access->bytes : 0) + (unplaced->store ? bytes : 0), access->locked);
        for (size_t i = 0; i < decoded.fact_count; i++)
            printf(" %s", cm_fact_name(decoded.facts[i]));
        if (decoded.lanes != 0)
            printf(" %s:%u", cm_fact_name(decoded.lanes_fact), decoded.lanes);
        if (unplaced->count > 1)
            printf(" each:%u", unplaced->bytes);
        putchar('\n');
    }
    return 0;
}
