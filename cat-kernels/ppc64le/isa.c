/* The instruction sets that the CPU executes and whose registers the operating system saves, by the auxiliary vector
 * (Linux, Documentation/powerpc/elf_hwcaps.rst). */
#include "cat-kernels/ppc64le/isa.h"

#include <asm/cputable.h>
#include <sys/auxv.h>

#include "cat-kernels/registry.h"

static const cm_isa_row rows[] = {
    {CM_ISA_VSX, CM_ISA_POWER9 | CM_ISA_POWER10 | CM_ISA_MMA, "VSX"},
    {CM_ISA_POWER9, CM_ISA_POWER10 | CM_ISA_MMA, "POWER9"},
    {CM_ISA_POWER10, CM_ISA_MMA, "POWER10"},
    {CM_ISA_MMA, 0, "MMA"},
};

const cm_isa_row *const cm_isa_table = rows;
const size_t cm_isa_table_size = sizeof rows / sizeof rows[0];

unsigned cm_isa_offered(void)
{
    unsigned long offered = getauxval(AT_HWCAP), more = getauxval(AT_HWCAP2);
    unsigned isa = 0;
    if ((offered & PPC_FEATURE_HAS_VSX) != 0 && (more & PPC_FEATURE2_ARCH_2_07) != 0)
        isa |= CM_ISA_VSX;
    if ((isa & CM_ISA_VSX) != 0 && (more & PPC_FEATURE2_ARCH_3_00) != 0)
        isa |= CM_ISA_POWER9;
    if ((isa & CM_ISA_POWER9) != 0 && (more & PPC_FEATURE2_ARCH_3_1) != 0)
        isa |= CM_ISA_POWER10;
    if ((isa & CM_ISA_POWER10) != 0 && (more & PPC_FEATURE2_MMA) != 0)
        isa |= CM_ISA_MMA;
    return isa;
}
