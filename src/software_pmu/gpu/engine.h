/* The engine for GPUs: kernels run as they are and launch what they have loaded; the software GPU's library, which is
 * loaded as the driver, counts. */
#ifndef CM_SOFTWARE_PMU_GPU_ENGINE_H
#define CM_SOFTWARE_PMU_GPU_ENGINE_H

#include "gpu/session.h"
#include "software_pmu/engine.h"

/* For machines with a `gpu`. */
extern const cm_engine cm_gpu_engine;

/* The library, to be freed: what a backend opens instead of the driver's. */
cm_status cm_software_gpu_library(char **path, cm_error *error);
/* The devices of the machine, which a software PMU was created for. Free with cm_gpu_session_close. */
cm_status cm_software_gpu_open(const cm_pmu_machine *machine, cm_gpu_session **session, cm_error *error);

#endif
