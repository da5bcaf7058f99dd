/* The GPUs in use: one vendor's driver, and its devices. */
#ifndef CM_GPU_SESSION_H
#define CM_GPU_SESSION_H

#include "gpu/backend.h"

typedef struct cm_gpu_session {
    const cm_gpu_backend *backend;
    cm_gpu_driver *driver;
    size_t device_count;
    cm_gpu_device *devices;
} cm_gpu_session;

/* Opens the driver, with a context on each device. `backend` NULL: the first whose driver has a device; if none has,
 * CM_UNSUPPORTED with the words of each. `library` NULL: the driver's. Free with cm_gpu_session_close. */
cm_status cm_gpu_session_open(const cm_gpu_backend *backend, const char *library, cm_gpu_session **session,
                              cm_error *error);
void cm_gpu_session_close(cm_gpu_session *session); /* accepts NULL */

#endif
