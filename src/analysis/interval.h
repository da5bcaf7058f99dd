/* 95 % intervals of coefficients by leaving out one repetition after the other (the jackknife). */
#ifndef CM_ANALYSIS_INTERVAL_H
#define CM_ANALYSIS_INTERVAL_H

#include <stddef.h>

#include "analysis/state.h"

/* Student's t that is exceeded, in magnitude, with a probability of 5 %. Infinity for 0 degrees of freedom. */
double cm_student_quantile(size_t freedom);

/* Half the width of the interval around each coefficient as solved, in pivot order: t(R - 1) times the jackknife's
 * standard error, where repetition r is left out of all events at once, since events of one repetition may have met the
 * same disturbance. Percentiles of a bootstrap would be far too narrow for five repetitions. NaN where the selected
 * events' repetitions are not known, fewer than two, or not as many for each. */
cm_status cm_half_widths(const cm_analysis *analysis, const double *signature, double *half_widths, cm_error *error);

#endif
