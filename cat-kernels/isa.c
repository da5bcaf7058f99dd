/* What the CPU can execute and the operating system saves, by CPUID and XGETBV (Intel SDM vol. 1, 13.3, 14.3 and 15.2).
 */
#include <stdio.h>

#include <catmint/kernels.h>

static const struct {
    unsigned bit;
    const char *name;
} isa_names[] = {
    {CM_ISA_SSE2, "SSE2"},       {CM_ISA_AVX, "AVX"},           {CM_ISA_FMA, "FMA"},
    {CM_ISA_AVX512F, "AVX512F"}, {CM_ISA_AVX512VL, "AVX512VL"}, {CM_ISA_AVX512_FP16, "AVX512-FP16"},
};

char *cm_isa_names(unsigned isa, char *buffer, size_t size)
{
    size_t length = 0;
    if (size != 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < sizeof isa_names / sizeof isa_names[0]; i++) {
        if ((isa & isa_names[i].bit) == 0 || length >= size)
            continue;
        int written = snprintf(buffer + length, size - length, "%s%s", length != 0 ? " " : "", isa_names[i].name);
        length += written > 0 ? (size_t)written : 0;
    }
    return buffer;
}

#if defined(__x86_64__) && defined(__LP64__)

#include <cpuid.h>

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

unsigned cm_isa_available(void)
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

#else

unsigned cm_isa_available(void)
{
    return 0;
}

#endif
