/* Joining measurement tables that have the same kernels. */
#ifndef CM_SWEEP_MERGE_TABLE_H
#define CM_SWEEP_MERGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_merged_event {
    char *name;    /* in the tables */
    char *key;     /* component:::NAME */
    size_t source; /* whose table has it, if it was counted */
    bool counted;
} cm_merged_event;

/* Writes the rows of all tables into `path`, in the order of `events` as far as each table follows it; nothing but one
 * row of each table is held. CM_BAD_INPUT where kernels or iterations differ. */
cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_event *events, size_t event_count,
                          const char *path, cm_error *error);

#endif
