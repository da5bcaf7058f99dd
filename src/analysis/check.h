/* What a definition yields on each kernel, against what its signature expects (the paper's Figure 3). */
#ifndef CM_ANALYSIS_CHECK_H
#define CM_ANALYSIS_CHECK_H

#include <catmint/analysis.h>

/* Fills `check` for coefficients and rounded coefficients of the selected events; its arrays are allocated here. */
cm_status cm_check_fill(const cm_analysis *analysis, const double *signature, const double *coefficients,
                        const double *rounded, cm_check *check, cm_error *error);
void cm_check_clear(cm_check *check);

#endif
