/* Counts of one benchmark, collected cell by cell. */
#ifndef CM_FORMATS_SHEET_TABLE_H
#define CM_FORMATS_SHEET_TABLE_H

#include <catmint/import_table.h>

#include "core/name_index.h"

typedef struct cm_gathered_names {
    size_t count;
    const char **names; /* owned by the sheet */
    cm_name_index *index;
} cm_gathered_names;

typedef struct cm_gathered_count {
    size_t event, kernel, repetition, thread;
    double value; /* NaN: the cell has no number */
} cm_gathered_count;

typedef struct cm_gathered {
    const char *benchmark;
    char *file; /* the file name, once it is saved */
    cm_gathered_names events, kernels;
    size_t count;
    cm_gathered_count *counts;
    size_t seen_count; /* combinations of event, kernel and thread, with the number of times each appeared */
    size_t *seen;
    char **seen_keys;
    cm_name_index *seen_index;
} cm_gathered;

/* `repetition` SIZE_MAX: the number of times that this event, kernel and thread appeared. */
cm_status cm_gathered_add(cm_gathered *gathered, const char *event, const char *kernel, size_t repetition,
                          size_t thread, double value, cm_error *error);
void cm_gathered_clear(cm_gathered *gathered);
/* Writes complete events as measurement tables, in one commit, into a directory that is made if it is missing. Only
 * tables imported there before are replaced; CM_IO names another file in the way, or the imported one. */
cm_status cm_gathered_save(cm_gathered *tables, size_t count, const cm_table_import_options *options,
                           cm_table_import_summary *summary, cm_error *error);

#endif
