/* For decoders that do not know the new values of registers. */
#include "software_pmu/qemu/decoded.h"

bool cm_decode_effect(uint64_t address, const void *code, unsigned vector_bits, cm_effect *effect)
{
    (void)address, (void)code, (void)vector_bits;
    *effect = (cm_effect){0};
    return false;
}
