/* The devices of the software GPU opened. */
#include "core/base.h"
#include "software_pmu/gpu/engine.h"

cm_status cm_software_gpu_open(const cm_pmu_machine *machine, cm_gpu_session **session, cm_error *error)
{
    char *path = NULL;
    const cm_gpu_backend *backend = cm_gpu_backend_find(machine->gpu);
    if (backend == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED, "this catmint drives no GPU of %s", machine->gpu);
    cm_status status = cm_software_gpu_library(&path, error);
    CM_THEN(status, cm_gpu_session_open(backend, path, session, error));
    free(path);
    return status;
}
