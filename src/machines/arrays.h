/* Arrays for streams, in huge pages if the system gives them. */
#ifndef CM_MACHINES_ARRAYS_H
#define CM_MACHINES_ARRAYS_H

#include "machines/timed.h"

typedef struct cm_arrays {
    char *start;
    void *mapping;
    size_t mapped;
} cm_arrays;

/* Maps space for CM_TIMED_ARRAYS of `most` bytes each. Unmap also after a failure. */
cm_status cm_arrays_map(cm_arrays *arrays, size_t most, cm_error *error);
void cm_arrays_unmap(cm_arrays *arrays);
/* Arrays of `bytes` each, full of ones. A gap separates them, so that the addresses of a store and of the loads after
 * it differ in the bits that cores compare first. */
cm_timed_memory cm_arrays_fill(const cm_arrays *arrays, size_t bytes);

#endif
