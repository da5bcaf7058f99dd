/* Codes of a device that counts on some cores alone, as each kind of a hybrid processor does, are counted on these. */
#ifndef CM_SWEEP_PLAN_DEVICE_CORES_H
#define CM_SWEEP_PLAN_DEVICE_CORES_H

#include <sched.h>
#include <stdbool.h>

#include "counting/raw/device.h"

/* Zero-initialised: nothing is bound. */
typedef struct cm_device_cores {
    bool bound;
    cpu_set_t before; /* where this thread could run */
} cm_device_cores;

/* Leaves this thread, and the processes that it forks from now on, those of its processors that the device counts on:
 * all where the device does not say. CM_UNSUPPORTED where it may use none of them. */
cm_status cm_device_cores_bind(const cm_raw_device *device, cm_device_cores *cores, cm_error *error);
void cm_device_cores_release(cm_device_cores *cores);

#endif
