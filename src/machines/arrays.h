/* Arrays for streams, in huge pages where the system gives them. */
#ifndef CM_MACHINES_ARRAYS_H
#define CM_MACHINES_ARRAYS_H

#include "machines/timed.h"

typedef struct cm_arrays {
    char *start;
    void *mapping;
    size_t mapped;
} cm_arrays;

/* Room for CM_TIMED_ARRAYS of `most` bytes each. Unmap also after a failure. */
cm_status cm_arrays_map(cm_arrays *arrays, size_t most, cm_error *error);
void cm_arrays_unmap(cm_arrays *arrays);
/* Arrays of `bytes` each, full of ones. They stand one behind the other with a gap, so that a store and the loads
 * behind it do not agree in the bits of the address that cores compare first. */
cm_timed_memory cm_arrays_fill(const cm_arrays *arrays, size_t bytes);

#endif
