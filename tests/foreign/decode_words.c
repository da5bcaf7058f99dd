/* Prints what the decoder takes each instruction of standard input for, one a line: kind, offset of the target, bytes
 * loaded and stored, whether it is locked, facts. */
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
    unsigned vectors = 256;
    uint64_t word;
    while (scanf("%" SCNx64, &word) == 1) {
        cm_decoded decoded;
        cm_decode(address, &word, vectors, &decoded);
        vectors = decoded.vectors != 0 ? decoded.vectors : vectors;
        int64_t offset = decoded.target != 0 ? (int64_t)(decoded.target - address) : 0;
        const cm_decoded_access *access = &decoded.accesses[0];
        printf("%s %" PRId64 " %u %u %d", kinds[decoded.kind], offset, access->load ? access->bytes : 0,
               access->store ? access->bytes : 0, access->locked);
        for (size_t i = 0; i < decoded.fact_count; i++)
            printf(" %s", cm_fact_name(decoded.facts[i]));
        putchar('\n');
    }
    return 0;
}
