/* Vector length and timer of riscv64 processors. */
#include "software_pmu/qemu/decoded.h"

#include <sys/auxv.h>

const char *const cm_guest_architecture = "riscv64";

unsigned cm_guest_vector_bits(void)
{
    unsigned long bytes;
    if ((getauxval(AT_HWCAP) >> ('V' - 'A') & 1) == 0)
        return 0;
    __asm__ volatile("csrr %0, 0xc22" : "=r"(bytes)); /* vlenb */
    return (unsigned)bytes * 8;
}

uint64_t cm_guest_timer(void)
{
    uint64_t ticks;
    __asm__ volatile("rdtime %0" : "=r"(ticks));
    return ticks;
}
