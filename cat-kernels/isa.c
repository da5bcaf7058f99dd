/* What the CPU can execute and the operating system saves, by CPUID and XGETBV (Intel SDM vol. 1, 13.3, 14.3 and 15.2).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/kernels.h>

#define SEPARATORS ", "

/* `above` is what there is not without it. */
static const struct {
    unsigned bit, above;
    const char *name;
} isa_names[] = {
    {CM_ISA_SSE2, CM_ISA_AVX | CM_ISA_FMA | CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "SSE2"},
    {CM_ISA_AVX, CM_ISA_FMA | CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "AVX"},
    {CM_ISA_FMA, CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "FMA"},
    {CM_ISA_AVX512F, CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, "AVX512F"},
    {CM_ISA_AVX512VL, CM_ISA_AVX512_FP16, "AVX512VL"},
    {CM_ISA_AVX512_FP16, 0, "AVX512-FP16"},
};

/* The set of that name and those above it, 0 if there is none. */
static unsigned find_set(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof isa_names / sizeof isa_names[0]; i++)
        if (strlen(isa_names[i].name) == length && memcmp(isa_names[i].name, name, length) == 0)
            return isa_names[i].bit | isa_names[i].above;
    return 0;
}

/* What CATMINT_WITHOUT_ISA leaves out; the first name that it does not know goes to `unknown`, cut to `size`. */
static unsigned left_out(char *unknown, size_t size)
{
    const char *rest = getenv("CATMINT_WITHOUT_ISA");
    unsigned isa = 0;
    if (size != 0)
        unknown[0] = '\0';
    for (size_t length; rest != NULL && *(rest += strspn(rest, SEPARATORS)) != '\0'; rest += length) {
        length = strcspn(rest, SEPARATORS);
        unsigned found = find_set(rest, length);
        if (found == 0 && size != 0 && unknown[0] == '\0')
            snprintf(unknown, size, "%.*s", (int)(length < size ? length : size), rest);
        isa |= found;
    }
    return isa;
}

bool cm_isa_unknown(char *buffer, size_t size)
{
    char first[2];
    left_out(first, sizeof first);
    left_out(buffer, size);
    return first[0] != '\0';
}

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

static unsigned offered(void)
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

static unsigned offered(void)
{
    return 0;
}

#endif

unsigned cm_isa_available(void)
{
    return offered() & ~left_out(NULL, 0);
}
