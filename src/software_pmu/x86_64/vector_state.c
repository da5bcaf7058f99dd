/* Vector and mask registers as XSAVE stores them. */
#include "software_pmu/x86_64/step.h"

#include <cpuid.h>

#include "core/base.h"

/* Bits of XCR0. AMX tiles and protection keys are not switched: nothing between two steps touches them. */
enum { SSE = 1, AVX = 2, OPMASK = 5, ZMM_HIGH_256 = 6, HIGH_16_ZMM = 7, SWITCHED = 0xE7 };
enum { LEGACY_AND_HEADER = 512 + 64, LEGACY_XMM = 160 };

cm_status cm_vector_layout_find(cm_vector_layout *layout, cm_error *error)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the software PMU needs the XSAVE instructions, which are not enabled here");
    memset(layout, 0, sizeof *layout);
    uint32_t low, high; /* XCR0 */
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    layout->mask = low & SWITCHED;
    layout->size = LEGACY_AND_HEADER;
    for (unsigned feature = AVX; feature < CM_VECTOR_FEATURES; feature++) {
        if ((layout->mask & 1u << feature) == 0)
            continue;
        __cpuid_count(0xD, feature, a, b, c, d);
        layout->offset[feature] = b;
        if (layout->size < b + a)
            layout->size = b + a;
    }
    layout->size = (layout->size + 63) / 64 * 64;
    __cpuid_count(0xD, 1, a, b, c, d);
    layout->has_xsaveopt = (a & 1) != 0;
    return CM_OK;
}

void cm_vector_state_store(const cm_vector_layout *layout, unsigned char *area)
{
    memset(area, 0, layout->size);
    __asm__ volatile("xsave64 %0" : "+m"(*area) : "a"(layout->mask), "d"(0) : "memory");
}

/* The place of a feature's registers; NULL if they are in their initial state, 0, which XSAVE need not store. */
static const unsigned char *feature_state(const cm_vector_layout *layout, const unsigned char *area, unsigned feature)
{
    bool stored = (area[CM_XSTATE_BV] & 1u << feature) != 0;
    if (feature == SSE)
        return stored ? area + LEGACY_XMM : NULL;
    return stored && layout->offset[feature] != 0 ? area + layout->offset[feature] : NULL;
}

uint64_t cm_vector_state_element(const cm_vector_layout *layout, const unsigned char *area, unsigned number,
                                 size_t offset, size_t bytes)
{
    const unsigned char *part;
    if (number >= 16) {
        part = feature_state(layout, area, HIGH_16_ZMM);
        offset += (size_t)64 * (number - 16);
    } else if (offset < 16) {
        part = feature_state(layout, area, SSE);
        offset += (size_t)16 * number;
    } else if (offset < 32) {
        part = feature_state(layout, area, AVX);
        offset += (size_t)16 * number - 16;
    } else {
        part = feature_state(layout, area, ZMM_HIGH_256);
        offset += (size_t)32 * number - 32;
    }
    uint64_t value = 0;
    if (part != NULL)
        memcpy(&value, part + offset, bytes);
    return value;
}

uint64_t cm_vector_state_mask(const cm_vector_layout *layout, const unsigned char *area, unsigned number)
{
    const unsigned char *part = feature_state(layout, area, OPMASK);
    uint64_t value = 0;
    if (part != NULL)
        memcpy(&value, part + (size_t)8 * number, sizeof value);
    return value;
}
