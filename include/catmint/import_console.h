/* Imports the output of emitted kernels (freestanding.h) on a console. */
#ifndef CATMINT_IMPORT_CONSOLE_H
#define CATMINT_IMPORT_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_console_import_options {
    size_t size;      /* of this structure */
    size_t log_count; /* one or more: several runs with different events are joined */
    const char *const *logs;
    const char *directory; /* output directory; made if it is missing */
    const char *name;      /* of the PMU, for results; NULL: the instruction set */
    void (*note)(const char *text,
                 void *data); /* called with a line for everything that was left out or looks wrong; may be NULL */
    void *note_data;
} cm_console_import_options;
CM_OPTIONS_DEFAULT(cm_console_import_options)

typedef struct cm_console_import_summary {
    size_t tables, events, kernels, repetitions;
    size_t left_out;    /* kernels that trapped */
    size_t programs;    /* random programs, in the directory's validation */
    bool deterministic; /* nothing disturbed the counts: of some event that every kernel counts, repetitions, and the
                         * sets of events it was counted with, agree */
} cm_console_import_summary;

/* Writes a sweep directory: a table for each benchmark, events.csv and manifest.json, and of random programs its
 * validation. The count of N turns is taken off
 * that of 2 N. Lines of others in a log are skipped. CM_BAD_INPUT with the line if a log is cut or garbled, or was made
 * with another instruction set, or other turns or repetitions, than the first; CM_IO if a file cannot be read or
 * written. In each case nothing is written. `summary` may be NULL. */
CM_API cm_status cm_import_console(const cm_console_import_options *options, cm_console_import_summary *summary,
                                   cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
