/* Binds counting to the cores of a device that counts only some, as on hybrid processors. */
#ifndef CM_COUNTING_DEVICE_CORES_H
#define CM_COUNTING_DEVICE_CORES_H

#include <sched.h>
#include <stdbool.h>

#include <catmint/error.h>

/* Zero-initialised: nothing is bound. */
typedef struct cm_device_cores {
    bool bound;
    cpu_set_t before; /* the processors allowed before */
} cm_device_cores;

/* Binds this thread, and processes that it forks later, to those of its processors that the device counts, "4-7"; "":
 * all. CM_UNSUPPORTED if it may use none of them. `device` is for messages. */
cm_status cm_device_cores_bind(const char *device, const char *cpus, cm_device_cores *cores, cm_error *error);
void cm_device_cores_release(cm_device_cores *cores);

#endif
