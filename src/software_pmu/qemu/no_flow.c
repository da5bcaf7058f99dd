/* For decoders that do not know registers. */
#include "software_pmu/qemu/decoded.h"

bool cm_decode_flow(const void *code, cm_flow *flow)
{
    (void)code;
    *flow = (cm_flow){0};
    return false;
}
