/* Which symbols the kernels of a restricted basis separate. */
#ifndef CM_TABLES_INDEPENDENCE_H
#define CM_TABLES_INDEPENDENCE_H

#include <stdbool.h>

#include <catmint/error.h>
#include <catmint/matrix.h>

/* `confounded`, `surplus`: one a column. A column is confounded where it takes part in a linear dependency; surplus are
 * the first ones of those, as many as must go for the rest to be independent. */
cm_status cm_find_dependencies(const cm_matrix *columns, bool *confounded, bool *surplus, cm_error *error);

#endif
