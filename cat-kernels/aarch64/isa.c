/* The instruction sets that the CPU executes and whose registers the operating system saves, by the auxiliary vector
 * (Linux, Documentation/arm64/elf_hwcaps.rst). */
#include "cat-kernels/aarch64/isa.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "cat-kernels/registry.h"

enum { LENGTHS = CM_ISA_SVE_128 | CM_ISA_SVE_256 | CM_ISA_SVE_512 };

static const cm_isa_row rows[] = {
    {CM_ISA_ASIMD, CM_ISA_FP16 | CM_ISA_BF16 | CM_ISA_LSE | CM_ISA_CRC32 | CM_ISA_AES | CM_ISA_SVE | LENGTHS, "ASIMD"},
    {CM_ISA_FP16, CM_ISA_SVE | LENGTHS, "FP16"},
    {CM_ISA_SVE, LENGTHS, "SVE"},
    {CM_ISA_SVE_128, 0, "SVE-128"},
    {CM_ISA_SVE_256, 0, "SVE-256"},
    {CM_ISA_SVE_512, 0, "SVE-512"},
    {CM_ISA_BF16, 0, "BF16"},
    {CM_ISA_LSE, 0, "LSE"},
    {CM_ISA_CRC32, 0, "CRC32"},
    {CM_ISA_AES, 0, "AES"},
};

const cm_isa_row *const cm_isa_table = rows;
const size_t cm_isa_table_size = sizeof rows / sizeof rows[0];

/* The length is this process's; the system administrator chooses it. */
static unsigned scalable(void)
{
    int bytes = prctl(PR_SVE_GET_VL);
    switch (bytes > 0 ? bytes & PR_SVE_VL_LEN_MASK : 0) {
    case 16: return CM_ISA_SVE | CM_ISA_SVE_128;
    case 32: return CM_ISA_SVE | CM_ISA_SVE_256;
    case 64: return CM_ISA_SVE | CM_ISA_SVE_512;
    default: return CM_ISA_SVE;
    }
}

/* The sets that one bit of the vector stands for. */
static unsigned by_bit(unsigned long offered)
{
    static const struct {
        unsigned long offered;
        unsigned isa;
    } bits[] = {
        {HWCAP_ASIMD, CM_ISA_ASIMD}, {HWCAP_ATOMICS, CM_ISA_LSE}, {HWCAP_CRC32, CM_ISA_CRC32}, {HWCAP_AES, CM_ISA_AES}};
    unsigned isa = 0;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        isa |= (offered & bits[i].offered) != 0 ? bits[i].isa : 0;
    return isa;
}

unsigned cm_isa_offered(void)
{
    unsigned long offered = getauxval(AT_HWCAP);
    unsigned isa = by_bit(offered);
    if ((offered & HWCAP_ASIMDHP) != 0 && (offered & HWCAP_FPHP) != 0)
        isa |= CM_ISA_FP16;
    if ((getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0)
        isa |= CM_ISA_BF16;
    if ((offered & HWCAP_SVE) != 0 && (isa & CM_ISA_FP16) != 0) /* every processor with SVE has FP16 */
        isa |= scalable();
    return isa;
}
