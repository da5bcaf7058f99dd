/* What a model lets its events do, for tests (cm_pmu_fault). */
#ifndef CM_COUNTING_FAULT_H
#define CM_COUNTING_FAULT_H

#include "software_pmu/model/model.h"

/* Shows `fault` if it is `crash` or `hang`: does not return then. */
void cm_pmu_fault_show(cm_pmu_fault fault, cm_pmu_fault crash, cm_pmu_fault hang);

#endif
