/* Groups codes that count the same into classes, by checksums of their counts. */
#ifndef CM_SWEEP_PLAN_CLASSES_H
#define CM_SWEEP_PLAN_CLASSES_H

#include "counting/raw/device.h"

typedef struct cm_code_class {
    uint64_t sums[2];
    size_t count, capacity;
    cm_raw_code *codes; /* the simplest first, the others in order of arrival */
} cm_code_class;

/* Zero-initialised: empty. */
typedef struct cm_code_classes {
    size_t count, capacity;
    cm_code_class *classes; /* in the order of their first codes */
    size_t slot_count;
    size_t *slots; /* by their checksums: 1 + the class, 0: free */
} cm_code_classes;

/* Adds a code to the class with these checksums, which is made if necessary. */
cm_status cm_code_classes_add(cm_code_classes *classes, const uint64_t sums[2], const cm_raw_code *code,
                              cm_error *error);
void cm_code_classes_clear(cm_code_classes *classes);

/* Whether a code is simpler than another: only event and unit mask, fewer bits set, then the smaller number. */
bool cm_code_is_simpler(const cm_raw_code *code, const cm_raw_code *other);

#endif
