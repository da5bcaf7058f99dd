#include "gpu/gpu.h"

#include "core/base.h"

/* Describes all devices and creates their contexts. */
static cm_status describe_devices(cm_gpu_session *session, cm_error *error)
{
    session->device_count = session->backend->device_count(session->driver);
    session->devices = calloc(session->device_count + 1, sizeof *session->devices);
    cm_status status = session->devices != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < session->device_count; i++) {
        status = session->backend->device(session->driver, i, &session->devices[i], error);
        CM_THEN(status, session->backend->create_context(session->driver, i, error));
    }
    return status;
}

/* Opens a session with one backend. */
static cm_status open_one(const cm_gpu_backend *backend, const char *library, cm_gpu_session **session, cm_error *error)
{
    cm_gpu_session *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return cm_error_no_memory(error);
    opened->backend = backend;
    cm_status status = backend->open(library, &opened->driver, error);
    CM_THEN(status, describe_devices(opened, error));
    CM_HAND_OVER(status, session, opened, cm_gpu_session_close);
    return status;
}

/* Opens the first backend that works; the error has the words of all: the user knows which GPU should be there. */
static cm_status open_any(cm_gpu_session **session, cm_error *error)
{
    char said[CM_ERROR_TEXT_SIZE] = "";
    cm_status status = CM_UNSUPPORTED;
    for (size_t i = 0; status == CM_UNSUPPORTED && cm_gpu_backends[i] != NULL; i++) {
        cm_error reason = {0};
        status = open_one(cm_gpu_backends[i], NULL, session, &reason);
        cm_text_append(said, sizeof said, "; ", "%.400s", reason.text);
    }
    return status == CM_OK ? CM_OK : CM_FAIL(error, status, "no GPU can be used here: %s", said);
}

cm_status cm_gpu_session_open(const cm_gpu_backend *backend, const char *library, cm_gpu_session **session,
                              cm_error *error)
{
    return backend != NULL ? open_one(backend, library, session, error) : open_any(session, error);
}

void cm_gpu_session_close(cm_gpu_session *session)
{
    if (session == NULL)
        return;
    if (session->driver != NULL)
        session->backend->close(session->driver);
    CM_FREE(session->devices, session);
}
