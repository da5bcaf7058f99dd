/* For decoders that do not know registers. */
#include "software_pmu/qemu/decoded.h"

bool cm_decode_flow(const void *code, cm_flow *flow)
{
    (void)code;
    *flow = (cm_flow){0};
    return false;
}

bool cm_decode_effect(uint64_t address, const void *code, cm_effect *effect)
{
    (void)address, (void)code;
    *effect = (cm_effect){0};
    return false;
}
