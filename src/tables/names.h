/* Lists of names: kernels, symbols. */
#ifndef CM_TABLES_NAMES_H
#define CM_TABLES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#include "core/name_index.h"

cm_status cm_names_create(size_t count, const char *const *names, char ***copy, cm_error *error);
void cm_names_free(size_t count, char **names);

/* An index from each name to its index; the names must be distinct and outlive it. */
cm_status cm_names_index_create(size_t count, char *const *names, cm_name_index **index, cm_error *error);

/* Whether the name is about a cache level beyond `levels`, as the symbol "L3_WB" and the metric "Lines between L2 and
 * L3" are about the third; false if `levels` is 0: unknown. */
bool cm_name_is_beyond(size_t levels, const char *name);

#endif
