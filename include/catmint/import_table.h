/* Imports tables of counts that other programs wrote: with any separator, events as rows or as columns, with
 * spreadsheets' blanks and thousands separators. */
#ifndef CATMINT_IMPORT_TABLE_H
#define CATMINT_IMPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Members that are NULL, 0 or false are recognised from the table. */
typedef struct cm_table_import_options {
    size_t size; /* of this structure */
    const char *path;
    const char *directory;         /* output directory for <benchmark>.csv; made if it is missing */
    const char *benchmark;         /* for a table that does not name it */
    const char *events_column;     /* heading of the column of events, or its number from 1 on: events are rows */
    const char *kernels_column;    /* likewise of kernels: events are columns */
    const char *counts_column;     /* likewise of counts: each row is one count of an event and a kernel */
    const char *repetition_column; /* likewise of repetitions */
    size_t kernel_count;
    const char *const *kernels; /* names of its kernels, in the order of the table */
    size_t kernels_row;         /* the row of headings, from 1 on */
    char separator;
    bool decimal_comma;                         /* 1.234,5 */
    void (*note)(const char *text, void *data); /* called with a line for everything that was recognised or left out;
                                                 * may be NULL */
    void *note_data;
} cm_table_import_options;
CM_OPTIONS_DEFAULT(cm_table_import_options)

typedef struct cm_table_import_summary {
    size_t tables, events, left_out;
} cm_table_import_summary;

/* Writes a measurement table for each benchmark of the table. An event with a blank or with text among its counts is
 * left out. CM_BAD_INPUT with the line if something cannot be recognised, and the option that gives it; CM_IO if files
 * cannot be read or written. `summary` may be NULL. */
CM_API cm_status cm_import_table(const cm_table_import_options *options, cm_table_import_summary *summary,
                                 cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
