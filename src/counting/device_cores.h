/* What a device counts on some cores alone, as each kind of a hybrid processor does, is counted on these. */
#ifndef CM_COUNTING_DEVICE_CORES_H
#define CM_COUNTING_DEVICE_CORES_H

#include <sched.h>
#include <stdbool.h>

#include <catmint/error.h>

/* Zero-initialised: nothing is bound. */
typedef struct cm_device_cores {
    bool bound;
    cpu_set_t before; /* where this thread could run */
} cm_device_cores;

/* Leaves this thread, and the processes that it forks from now on, those of its processors that the device of this name
 * counts on, "4-7": all where `cpus` is "". CM_UNSUPPORTED where it may use none of them. */
cm_status cm_device_cores_bind(const char *device, const char *cpus, cm_device_cores *cores, cm_error *error);
void cm_device_cores_release(cm_device_cores *cores);

#endif
