/* Vector length and timer of ppc64le processors. */
#include "software_pmu/qemu/decoded.h"

const char *const cm_guest_architecture = "ppc64le";

unsigned cm_guest_vector_bits(void)
{
    return 0;
}

uint64_t cm_guest_timer(void)
{
    uint64_t ticks;
    __asm__ volatile("mftb %0" : "=r"(ticks)); /* the time base */
    return ticks;
}
