/* The engine for GPUs: kernels run normally and launch their code; the software GPU's library, loaded instead of the
 * driver, executes and counts it. */
#ifndef CM_SOFTWARE_PMU_GPU_ENGINE_H
#define CM_SOFTWARE_PMU_GPU_ENGINE_H

#include "gpu/gpu.h"
#include "software_pmu/engine.h"

/* For machines that have `gpu`. */
extern const cm_engine cm_gpu_engine;

/* The path of the library, which a backend opens instead of the driver's; to be freed. */
cm_status cm_software_gpu_library(char **path, cm_error *error);
/* Opens the devices of a machine for which a software PMU was created. Free with cm_gpu_session_close. */
cm_status cm_software_gpu_open(const cm_pmu_machine *machine, cm_gpu_session **session, cm_error *error);

#endif
