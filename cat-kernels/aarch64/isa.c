/* What the CPU can execute and the operating system saves, by the auxiliary vector (Linux,
 * Documentation/arm64/elf_hwcaps.rst). */
#include "cat-kernels/aarch64/isa.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

#include "cat-kernels/registry.h"

static const cm_isa_row rows[] = {
    {CM_ISA_ASIMD, CM_ISA_FP16, "ASIMD"},
    {CM_ISA_FP16, 0, "FP16"},
};

const cm_isa_row *const cm_isa_table = rows;
const size_t cm_isa_table_size = sizeof rows / sizeof rows[0];

unsigned cm_isa_offered(void)
{
    unsigned long offered = getauxval(AT_HWCAP);
    unsigned isa = 0;
    if ((offered & HWCAP_ASIMD) != 0)
        isa |= CM_ISA_ASIMD;
    if ((offered & HWCAP_ASIMDHP) != 0 && (offered & HWCAP_FPHP) != 0)
        isa |= CM_ISA_FP16;
    return isa;
}
