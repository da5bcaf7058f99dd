/* A definition from any events. */
#ifndef CM_ANALYSIS_SUBSET_H
#define CM_ANALYSIS_SUBSET_H

#include "analysis/state.h"

/* Solves for the signature over these events, at most one a symbol, and rounds. A definition without events, misfit 1,
 * where the events are dependent or nothing is left. Its arrays have room for `count`; free them. */
cm_status cm_define_over(const cm_analysis *analysis, const double *signature, const size_t *events, size_t count,
                         cm_definition *definition, cm_error *error);
void cm_definition_clear(cm_definition *definition);

#endif
