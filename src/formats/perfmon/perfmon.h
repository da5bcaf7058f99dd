/* Metrics of Intel's perfmon. */
#ifndef CM_FORMATS_PERFMON_PERFMON_H
#define CM_FORMATS_PERFMON_PERFMON_H

#include "formulas/formulas.h"

cm_status cm_perfmon_read(cm_formulas *formulas, cm_error *error);

#endif
