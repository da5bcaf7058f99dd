/* Top-Down of a program: the table of formulas for the PMU at hand. */
#ifndef CM_COUNT_TOPDOWN_H
#define CM_COUNT_TOPDOWN_H

#include <catmint/counting.h>

#include "core/shared.h"

enum { CM_TOPDOWN_MODEL = 64 };

/* Completes the choice of the PMU if it names no model: by that of this processor, which `model` holds, if the kernel
 * counts here, else by the default model. Finds the table of the model, to be freed in any case. CM_UNSUPPORTED if
 * there is no table, or if the model is emulated and has no time. */
CM_SHARED cm_status cm_topdown_choose(cm_pmu_choice *pmu, char model[CM_TOPDOWN_MODEL], char **table, cm_error *error);

#endif
