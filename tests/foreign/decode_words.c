/* Prints what the decoder of A64 takes each word of standard input for, one a line: kind, offset of the target, bytes
 * loaded and stored, whether it is locked, facts. */
#include <inttypes.h>
#include <stdio.h>

#include <catmint/software_pmu.h>

#include "software_pmu/aarch64/decode.h"

static const char *const kinds[] = {
    [CM_A64_PLAIN] = "plain",   [CM_A64_CONDITIONAL] = "conditional",
    [CM_A64_JUMP] = "jump",     [CM_A64_JUMP_INDIRECT] = "jump_indirect",
    [CM_A64_CALL] = "call",     [CM_A64_CALL_INDIRECT] = "call_indirect",
    [CM_A64_RETURN] = "return", [CM_A64_WALL] = "wall",
};

int main(void)
{
    const uint64_t address = 1 << 30;
    uint32_t word;
    while (scanf("%" SCNx32, &word) == 1) {
        cm_a64 decoded;
        cm_a64_decode(address, word, 256, &decoded);
        int64_t offset = decoded.target != 0 ? (int64_t)(decoded.target - address) : 0;
        printf("%s %" PRId64 " %u %u %d", kinds[decoded.kind], offset, decoded.load_bytes, decoded.store_bytes,
               decoded.locked);
        for (size_t i = 0; i < decoded.fact_count; i++)
            printf(" %s", cm_fact_name(decoded.facts[i]));
        putchar('\n');
    }
    return 0;
}
