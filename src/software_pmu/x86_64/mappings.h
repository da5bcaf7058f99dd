/* The addresses of code in this process, checked before bytes are read at an untrusted address. */
#ifndef CM_SOFTWARE_PMU_X86_64_MAPPINGS_H
#define CM_SOFTWARE_PMU_X86_64_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cm_mapping {
    uint64_t start, end;
} cm_mapping;

typedef struct cm_mappings {
    cm_mapping *items; /* readable and executable, ascending, adjoining ones joined */
    size_t count;
    size_t capacity;
} cm_mappings;

/* Readable bytes of code from `address` on, 0 if none. Reads the system's list again if code may be new. */
size_t cm_mappings_readable(cm_mappings *mappings, uint64_t address);

void cm_mappings_clear(cm_mappings *mappings);

#endif
