/* Joining measurement tables that have the same kernels. */
#ifndef CM_SWEEP_RECORD_MERGE_TABLE_H
#define CM_SWEEP_RECORD_MERGE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_merged_event {
    char *name;    /* in the tables */
    char *key;     /* component:::NAME */
    size_t source; /* whose table has it, if it was counted */
    bool counted;  /* every table has all of its rows, unless it is mixed */
    bool mixed;    /* the tables of its directory are of several sweeps, of which some may not have counted it */
    size_t tables; /* that have its rows, so far */
} cm_merged_event;

/* What the tables must hold: of each event all repetitions of all threads, or nothing of one that was not counted. */
typedef struct cm_merged_rows {
    size_t event_count;
    cm_merged_event *events;
    long long repetitions, threads; /* as manifests say */
} cm_merged_rows;

/* After all tables: CM_BAD_INPUT where an event that was counted has rows in none of them. */
cm_status cm_merged_events_found(const cm_merged_event *events, size_t count, cm_error *error);

/* Writes the rows of all tables into `path`, in the order of the events as far as each table follows it; nothing but
 * one row of each table is held, and a bit for each row. CM_BAD_INPUT where kernels or iterations differ, and where a
 * row is missing, there twice, or of no event. */
cm_status cm_merge_tables(const char *const *paths, size_t count, const cm_merged_rows *rows, const char *path,
                          cm_error *error);

#endif
