/* All instructions met so far, by address. */
#ifndef CM_SOFTWARE_PMU_X86_64_STEP_TABLE_H
#define CM_SOFTWARE_PMU_X86_64_STEP_TABLE_H

#include <string.h>

#include "software_pmu/x86_64/mappings.h"
#include "software_pmu/x86_64/step.h"

typedef struct cm_step_chunk cm_step_chunk;

typedef struct cm_step_table {
    cm_decoder decoder;
    cm_mappings mappings;
    cm_step **buckets;   /* open addressing; NULL: free */
    size_t bucket_count; /* a power of two */
    size_t step_count;
    cm_step_chunk *chunks; /* memory of the steps, which never move */
} cm_step_table;

cm_status cm_step_table_init(cm_step_table *table, uint32_t xcr0, cm_error *error);
void cm_step_table_clear(cm_step_table *table);

/* The instruction at `address`. CM_UNSUPPORTED if no code can be read there; CM_IO and CM_NO_MEMORY if the system does
 * not list the code's addresses. */
cm_status cm_step_table_find(cm_step_table *table, uint64_t address, cm_step **step, cm_error *error);

/* Sanitizers must not check reads of the stepped code's bytes. */
#define CM_CODE_READER __attribute__((no_sanitize("address"))) static inline

CM_CODE_READER bool cm_begin_alike(const unsigned char *code, const unsigned char *other, size_t size)
{
    uint64_t one = 0, two = 0;
    memcpy(&one, code, size);
    memcpy(&two, other, size);
    return one == two;
}

/* Whether code is the same, on each step: most of it is one instruction, for which a call of memcmp takes longer. */
CM_CODE_READER bool cm_same_code(const unsigned char *code, const unsigned char *other, size_t size)
{
    bool same = true;
    if (size < 4) {
        for (size_t i = 0; i < size; i++)
            same &= code[i] == other[i];
        return same;
    }
    if (size < 8)
        return cm_begin_alike(code, other, 4) && cm_begin_alike(code + size - 4, other + size - 4, 4);
    for (size_t i = 0; i + 8 < size && same; i += 8)
        same = cm_begin_alike(code + i, other + i, 8);
    return same && cm_begin_alike(code + size - 8, other + size - 8, 8);
}

/* Decodes it again if the code has changed: programs generate code, or load another library in its place. */
void cm_step_table_refresh(cm_step_table *table, cm_step *step);

/* Makes `address` an end, at which stepping stops. */
cm_status cm_step_table_add_end(cm_step_table *table, uint64_t address, cm_error *error);

#endif
