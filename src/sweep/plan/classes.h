/* Codes that count the same: classes by checksums of their counts. */
#ifndef CM_SWEEP_PLAN_CLASSES_H
#define CM_SWEEP_PLAN_CLASSES_H

#include "counting/raw/device.h"

typedef struct cm_code_class {
    uint64_t sums[2];
    size_t count, capacity;
    cm_raw_code *codes; /* the simplest first, the others as they came */
} cm_code_class;

/* Zero-initialised: empty. */
typedef struct cm_code_classes {
    size_t count, capacity;
    cm_code_class *classes; /* in the order of their first codes */
    size_t slot_count;
    size_t *slots; /* by their checksums: 1 + the class, 0: free */
} cm_code_classes;

/* Into the class that has these checksums. */
cm_status cm_code_classes_add(cm_code_classes *classes, const uint64_t sums[2], const cm_raw_code *code,
                              cm_error *error);
void cm_code_classes_clear(cm_code_classes *classes);

/* Whether a code is simpler than another: nothing beyond event and unit mask, fewer bits set, then the smaller one. */
bool cm_code_is_simpler(const cm_raw_code *code, const cm_raw_code *other);

#endif
