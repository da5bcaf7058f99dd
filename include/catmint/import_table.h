/* Importing other people's tables of counts: whatever separates their cells, whichever way they are turned, with
 * spreadsheets' blanks and thousands separators. */
#ifndef CATMINT_IMPORT_TABLE_H
#define CATMINT_IMPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is NULL, 0 or false is found out from the table. */
typedef struct cm_table_import_options {
    const char *path;
    const char *directory;         /* where <benchmark>.csv go; made where it is missing */
    const char *benchmark;         /* of a table that does not name it */
    const char *events_column;     /* its heading, or its number from 1 on: events are rows */
    const char *kernels_column;    /* the same, of kernels: events are columns */
    const char *counts_column;     /* the same, where each row is one count, of an event and a kernel */
    const char *repetition_column; /* the same */
    size_t kernel_count;
    const char *const *kernels; /* what its kernels are called, in the order of the table */
    size_t kernels_row;         /* the row of headings, from 1 on */
    char separator;
    bool decimal_comma;                         /* 1.234,5 */
    void (*note)(const char *text, void *data); /* what was understood, and what was left out; may be NULL */
    void *note_data;
} cm_table_import_options;

typedef struct cm_table_import_summary {
    size_t tables, events, left_out;
} cm_table_import_summary;

/* Writes a measurement table for each benchmark that the table has. An event with a blank or with text among its counts
 * is left out. CM_BAD_INPUT with the line where something cannot be guessed, and the option that says it; CM_IO where
 * files cannot be read or written. `summary` may be NULL. */
CM_API cm_status cm_import_table(const cm_table_import_options *options, cm_table_import_summary *summary,
                                 cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
