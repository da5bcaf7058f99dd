/* Finds names: a hash table from a text to its position in the caller's array. */
#ifndef CM_CORE_NAME_INDEX_H
#define CM_CORE_NAME_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_name_index cm_name_index;

cm_status cm_name_index_create(cm_name_index **index, cm_error *error);
void cm_name_index_free(cm_name_index *index);

/* `name` is not copied: it must live, unmoved, as long as the index. It must not be in the index yet. */
cm_status cm_name_index_add(cm_name_index *index, const char *name, size_t position, cm_error *error);
bool cm_name_index_find(const cm_name_index *index, const char *name, size_t *position);

#endif
