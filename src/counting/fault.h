/* Failures that a model declares for its events, for tests (cm_pmu_fault). */
#ifndef CM_COUNTING_FAULT_H
#define CM_COUNTING_FAULT_H

#include "software_pmu/model/model.h"

/* Crashes or hangs if `fault` is `crash` or `hang`; it does not return then. */
void cm_pmu_fault_show(cm_pmu_fault fault, cm_pmu_fault crash, cm_pmu_fault hang);

#endif
