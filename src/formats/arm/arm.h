/* Metrics of Arm's telemetry specifications. */
#ifndef CM_FORMATS_ARM_ARM_H
#define CM_FORMATS_ARM_ARM_H

#include "formulas/formulas.h"

cm_status cm_arm_read(cm_formulas *formulas, cm_error *error);

#endif
