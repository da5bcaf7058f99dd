/* Finds the symbols that the kernels of a restricted basis cannot distinguish. */
#ifndef CM_TABLES_INDEPENDENCE_H
#define CM_TABLES_INDEPENDENCE_H

#include <stdbool.h>

#include <catmint/error.h>
#include <catmint/matrix.h>

/* `confounded`, `surplus`: one a column. A confounded column takes part in a linear dependency; surplus are the first
 * ones of these, as many as must be removed to leave the rest independent. */
cm_status cm_find_dependencies(const cm_matrix *columns, bool *confounded, bool *surplus, cm_error *error);

#endif
