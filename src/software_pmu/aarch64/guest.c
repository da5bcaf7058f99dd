/* Vector length and timer of aarch64 processors. */
#include "software_pmu/qemu/decoded.h"

#include <sys/auxv.h>
#include <sys/prctl.h>

#include <asm/hwcap.h>

const char *const cm_guest_architecture = "aarch64";

unsigned cm_guest_vector_bits(void)
{
    int length = (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? prctl(PR_SVE_GET_VL) : -1;
    return length > 0 ? (unsigned)(length & PR_SVE_VL_LEN_MASK) * 8 : 0;
}

uint64_t cm_guest_timer(void)
{
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks)); /* the generic timer */
    return ticks;
}
