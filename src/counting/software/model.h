/* What a model is made of: data/pmu/<model>/ or any other folder with events.csv and machine.csv. */
#ifndef CM_COUNTING_SOFTWARE_MODEL_H
#define CM_COUNTING_SOFTWARE_MODEL_H

#include <catmint/software_pmu.h>

/* Reads and validates machine.csv. */
cm_status cm_pmu_machine_load(const char *path, cm_pmu_machine *machine, cm_error *error);

#endif
