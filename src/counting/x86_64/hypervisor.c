/* The hypervisor, as CPUID reports it. */
#include "counting/counting.h"

#include <cpuid.h>

bool cm_hypervisor_read(char name[CM_HYPERVISOR_NAME_SIZE])
{
    enum { HYPERVISOR_BIT = 1u << 31, HYPERVISOR_LEAF = 0x40000000 };
    unsigned a, b, c, d;
    name[0] = '\0';
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & HYPERVISOR_BIT) == 0)
        return false;
    __cpuid(HYPERVISOR_LEAF, a, b, c, d);
    const unsigned words[] = {b, c, d};
    memcpy(name, words, sizeof words);
    name[sizeof words] = '\0';
    return true;
}
