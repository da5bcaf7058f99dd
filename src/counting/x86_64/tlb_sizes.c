/* AMD64 Architecture Programmer's Manual, volume 3, E.4.4 and E.4.5 (functions 8000_0005h and 8000_0006h); Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 2A, CPUID (leaves 02H and 18H). */
#include "counting/counting.h"

#include <cpuid.h>

enum { DESCRIPTORS = 0x02, PARAMETERS = 0x18, AMD_FIRST = 0x80000005, AMD_SECOND = 0x80000006 };

/* Kinds of TLB in leaf 18H. */
enum { DATA = 1, CODE, BOTH, LOADS };

static void take_level(cm_tlb_sizes *sizes, unsigned level, unsigned kind, size_t entries)
{
    bool data = kind == DATA || kind == LOADS || kind == BOTH, code = kind == CODE || kind == BOTH;
    if (data)
        *(level == 1 ? &sizes->data : &sizes->second_data) = entries;
    if (code)
        *(level == 1 ? &sizes->code : &sizes->second_code) = entries;
}

static void take_huge(cm_tlb_sizes *sizes, unsigned level, unsigned kind, size_t entries)
{
    if (kind != CODE)
        *(level == 1 ? &sizes->data_huge : &sizes->second_data_huge) = entries;
}

/* Reads one subleaf for each TLB, with the sizes of its pages; only those of the first two levels. */
static bool read_parameters(cm_tlb_sizes *sizes)
{
    unsigned a, b, c, d, last = 0;
    for (unsigned subleaf = 0; subleaf <= last; subleaf++) {
        if (!__get_cpuid_count(PARAMETERS, subleaf, &a, &b, &c, &d))
            return false;
        last = subleaf == 0 ? a : last;
        unsigned level = d >> 5 & 7;
        size_t entries = (size_t)(b >> 16) * c;
        if ((b & 1) != 0 && (level == 1 || level == 2))
            take_level(sizes, level, d & 0x1F, entries);
        if ((b & 2) != 0 && (level == 1 || level == 2))
            take_huge(sizes, level, d & 0x1F, entries);
    }
    return sizes->data != 0;
}

/* Takes the sizes of a descriptor of leaf 02H. */
static void take_descriptor(cm_tlb_sizes *sizes, unsigned char descriptor)
{
    static const struct {
        unsigned char descriptor;
        unsigned char level, kind;
        unsigned short entries;
    } rows[] =
        {
            {0x03, 1, DATA, 64},  {0x4F, 1, CODE, 32},  {0x57, 1, DATA, 16},   {0x64, 1, DATA, 512},
            {0x6B, 1, DATA, 256}, {0x6D, 2, BOTH, 16},  {0xA0, 1, DATA, 32},   {0xB0, 1, CODE, 128},
            {0xB2, 1, CODE, 64},  {0xB3, 1, DATA, 128}, {0xB4, 1, DATA, 256},  {0xB5, 1, CODE, 64},
            {0xB6, 1, CODE, 128}, {0xBA, 1, DATA, 64},  {0xC1, 2, BOTH, 1024}, {0xC3, 2, BOTH, 1536},
            {0xCA, 2, BOTH, 512},
        },
      huge[] = {{0x5A, 1, DATA, 32}, {0x63, 1, DATA, 32}, {0xC1, 2, BOTH, 1024}, {0xC3, 2, BOTH, 1536}};
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++)
        if (rows[i].descriptor == descriptor)
            take_level(sizes, rows[i].level, rows[i].kind, rows[i].entries);
    for (size_t i = 0; i < CM_COUNT_OF(huge); i++)
        if (huge[i].descriptor == descriptor)
            take_huge(sizes, huge[i].level, DATA, huge[i].entries);
}

static void read_descriptors(cm_tlb_sizes *sizes)
{
    unsigned words[4];
    if (!__get_cpuid(DESCRIPTORS, &words[0], &words[1], &words[2], &words[3]))
        return;
    words[0] &= ~0xFFu; /* the number of times to ask */
    for (size_t i = 0; i < 4; i++)
        for (unsigned shift = 0; (words[i] & 1u << 31) == 0 && shift < 32; shift += 8)
            take_descriptor(sizes, (unsigned char)(words[i] >> shift));
}

/* Reads the sizes from AMD's leaves. */
static void read_amd(cm_tlb_sizes *sizes)
{
    unsigned a, b, c, d;
    if (__get_cpuid(AMD_FIRST, &a, &b, &c, &d)) {
        take_level(sizes, 1, CODE, b & 0xFF);
        take_level(sizes, 1, DATA, b >> 16 & 0xFF);
        take_huge(sizes, 1, DATA, a >> 16 & 0xFF);
    }
    if (__get_cpuid(AMD_SECOND, &a, &b, &c, &d)) {
        take_level(sizes, 2, CODE, b & 0xFFF);
        take_level(sizes, 2, DATA, b >> 16 & 0xFFF);
        take_huge(sizes, 2, DATA, a >> 16 & 0xFFF);
    }
}

void cm_tlb_sizes_read(cm_tlb_sizes *sizes)
{
    unsigned a, b, c, d;
    *sizes = (cm_tlb_sizes){0};
    if (!__get_cpuid(0, &a, &b, &c, &d))
        return;
    if (b == signature_AMD_ebx)
        read_amd(sizes);
    else if (!read_parameters(sizes))
        read_descriptors(sizes);
}
