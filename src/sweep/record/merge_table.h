/* Joins measurement tables with the same kernels. */
#ifndef CM_SWEEP_RECORD_MERGE_TABLE_H
#define CM_SWEEP_RECORD_MERGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_merged_event {
    char *name;    /* in the tables */
    char *key;     /* component:::NAME */
    size_t source; /* the source whose table has it, if it was counted */
    bool counted;  /* every table has all its rows, unless it is mixed */
    bool mixed;    /* the tables of its directory are of several sweeps, and some of these may not have counted it */
    size_t tables; /* tables with its rows so far */
} cm_merged_event;

/* The rows that tables must have: all repetitions and threads of each event, or none of an event that was not
 * counted. */
typedef struct cm_merged_rows {
    size_t event_count;
    cm_merged_event *events;
    long long repetitions, threads; /* from the manifests */
} cm_merged_rows;

/* After all tables: CM_BAD_INPUT if a counted event has no rows in any of them. */
cm_status cm_merged_events_found(const cm_merged_event *events, size_t count, cm_error *error);

/* Writes the rows of all tables to `path`, in the order of the events as far as each table follows it. It holds only
 * one row of each table, and a bit for each row. CM_BAD_INPUT if kernels or iterations differ, or if a row is missing,
 * appears twice, or belongs to no event. */
cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_rows *rows, const char *path,
                          cm_error *error);

#endif
