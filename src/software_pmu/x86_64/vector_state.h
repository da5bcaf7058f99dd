/* The vector registers of the stepped code, in the XSAVE area of its context (standard format). */
#ifndef CM_SOFTWARE_PMU_X86_64_VECTOR_STATE_H
#define CM_SOFTWARE_PMU_X86_64_VECTOR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

#include "software_pmu/x86_64/context.h"

enum { CM_VECTOR_FEATURES = 8 };

typedef struct cm_vector_layout {
    uint32_t mask;                       /* features of XCR0 that are switched: x87, SSE, AVX, AVX-512 */
    size_t size;                         /* size of the area in bytes, a multiple of 64 */
    uint32_t offset[CM_VECTOR_FEATURES]; /* offset of each feature from AVX on, 0 if it is missing */
    bool has_xsaveopt;
} cm_vector_layout;

/* CM_UNSUPPORTED if the operating system has not enabled XSAVE. */
cm_status cm_vector_layout_find(cm_vector_layout *layout, cm_error *error);

/* Stores the registers as they are now. */
void cm_vector_state_store(const cm_vector_layout *layout, unsigned char *area);

/* `bytes` (at most 8) bytes at `offset` of vector register `number` (0 to 31), as a little-endian number. */
uint64_t cm_vector_state_element(const cm_vector_layout *layout, const unsigned char *area, unsigned number,
                                 size_t offset, size_t bytes);

/* Mask register k0 to k7. */
uint64_t cm_vector_state_mask(const cm_vector_layout *layout, const unsigned char *area, unsigned number);

#endif
