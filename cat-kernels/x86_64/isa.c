/* The instruction sets that the CPU executes and whose registers the operating system saves, by CPUID and XGETBV (Intel
 * SDM vol. 1, 13.3, 14.3 and 15.2). */
#include "cat-kernels/x86_64/isa.h"

#include <cpuid.h>

#include "cat-kernels/registry.h"

#define ABOVE_AVX2 (CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)
#define ABOVE_AVX (CM_ISA_FMA | CM_ISA_AVX2 | ABOVE_AVX2)

static const cm_isa_row rows[] = {
    {CM_ISA_SSE2, CM_ISA_SSE4_2 | CM_ISA_AES | CM_ISA_AVX | ABOVE_AVX, "SSE2"},
    {CM_ISA_SSE4_2, CM_ISA_AVX | ABOVE_AVX, "SSE4.2"},
    {CM_ISA_AES, 0, "AES"},
    {CM_ISA_AVX, ABOVE_AVX, "AVX"},
    {CM_ISA_FMA, ABOVE_AVX2, "FMA"},
    {CM_ISA_AVX2, ABOVE_AVX2, "AVX2"},
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
    if (c & bit_SSE4_2)
        isa |= CM_ISA_SSE4_2;
    if (c & bit_AES)
        isa |= CM_ISA_AES;
    unsigned state = c & bit_OSXSAVE ? enabled_state() : 0;
    if ((state & XCR0_AVX) != XCR0_AVX)
        return isa;
    if (c & bit_AVX)
        isa |= CM_ISA_AVX;
    if (c & bit_FMA)
        isa |= CM_ISA_FMA;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return isa;
    if (b & bit_AVX2)
        isa |= CM_ISA_AVX2;
    if ((state & XCR0_AVX512) != XCR0_AVX512)
        return isa;
    if (b & bit_AVX512F)
        isa |= CM_ISA_AVX512F;
    if (b & bit_AVX512VL)
        isa |= CM_ISA_AVX512VL;
    if (d & 1u << 23)
        isa |= CM_ISA_AVX512_FP16;
    return isa;
}
