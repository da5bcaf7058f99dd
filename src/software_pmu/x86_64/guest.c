/* Vector length and timer of x86-64 processors. */
#include "software_pmu/qemu/decoded.h"

#include <x86intrin.h>

const char *const cm_guest_architecture = "x86_64";

unsigned cm_guest_vector_bits(void)
{
    return 0;
}

uint64_t cm_guest_timer(void)
{
    return __rdtsc();
}
