/* The engine for GPUs: kernels run as they are and launch what they have loaded; the software GPU's library, which is
 * loaded as the driver, counts. */
#ifndef CM_SOFTWARE_PMU_GPU_ENGINE_H
#define CM_SOFTWARE_PMU_GPU_ENGINE_H

#include "software_pmu/engine.h"

/* For machines with a `gpu`. */
extern const cm_engine cm_gpu_engine;

/* The library, to be freed: what a backend opens instead of the driver's. */
cm_status cm_software_gpu_library(char **path, cm_error *error);

#endif
