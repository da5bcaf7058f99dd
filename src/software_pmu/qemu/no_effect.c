/* For decoders that do not know prefetches. */
#include "software_pmu/qemu/decoded.h"

bool cm_decode_effect(uint64_t address, const void *code, cm_effect *effect)
{
    (void)address, (void)code;
    *effect = (cm_effect){0};
    return false;
}
