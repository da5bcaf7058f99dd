/* How stable a definition is, as a small text of the table. */
#ifndef CM_REPORT_STABILITY_TEXT_H
#define CM_REPORT_STABILITY_TEXT_H

#include <catmint/analysis.h>

#include "core/number.h"

/* The factor by which tau or alpha, each alone, may be larger or smaller without changing the definition: "1.4x",
 * ">999x". Returns `text`. */
char *cm_stability_text(const cm_stability *stability, const cm_thresholds *thresholds, char text[CM_NUMBER_SIZE]);

#endif
