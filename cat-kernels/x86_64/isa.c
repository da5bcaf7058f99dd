/* What the CPU can execute and the operating system saves, by CPUID and XGETBV (Intel SDM vol. 1, 13.3, 14.3 and 15.2).
 */
#include "cat-kernels/x86_64/isa.h"

#include <cpuid.h>

#include "cat-kernels/registry.h"

static const cm_isa_row rows[] = {
    {CM_ISA_SSE2, CM_ISA_AVX | CM_ISA_FMA | CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "SSE2"},
    {CM_ISA_AVX, CM_ISA_FMA | CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "AVX"},
    {CM_ISA_FMA, CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "FMA"},
    {CM_ISA_AVX512F, CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "AVX512F"},
    {CM_ISA_AVX512VL, CM_ISA_AVX512_FP16, "AVX512VL"},
    {CM_ISA_AVX512_FP16, 0, "AVX512-FP16"},
};

const cm_isa_row *const cm_isa_table = rows;
const size_t cm_isa_table_size = sizeof rows / sizeof rows[0];

enum {
    XCR0_AVX = 1 << 1 | 1 << 2,      /* xmm, upper ymm */
    XCR0_AVX512 = XCR0_AVX | 7 << 5, /* masks, upper zmm, zmm16 to 31 */
};

static unsigned enabled_state(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

unsigned cm_isa_offered(void)
{
    unsigned a, b, c, d, isa = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (d & bit_SSE2)
        isa |= CM_ISA_SSE2;
    unsigned state = c & bit_OSXSAVE ? enabled_state() : 0;
    if ((state & XCR0_AVX) != XCR0_AVX)
        return isa;
    if (c & bit_AVX)
        isa |= CM_ISA_AVX;
    if (c & bit_FMA)
        isa |= CM_ISA_FMA;
    if ((state & XCR0_AVX512) != XCR0_AVX512 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return isa;
    if (b & bit_AVX512F)
        isa |= CM_ISA_AVX512F;
    if (b & bit_AVX512VL)
        isa |= CM_ISA_AVX512VL;
    if (d & 1u << 23)
        isa |= CM_ISA_AVX512_FP16;
    return isa;
}
