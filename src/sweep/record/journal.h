/* The journal: the counts of a sweep, on the disk as soon as a set is done, so that nothing is lost if the sweep is
 * killed.
 *
 * A text file in the sweep's directory, locked while the sweep runs. The first line is the sweep's identity, then
 * follow blocks: a line for each event with all its counts, or with the reason why it failed; a line for each set that
 * could not be counted as a whole; and a line with a checksum, which ends the block. Events are named component:::NAME.
 * Text behind the last complete block was torn off, and is dropped. */
#ifndef CM_SWEEP_RECORD_JOURNAL_H
#define CM_SWEEP_RECORD_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

typedef struct cm_journal cm_journal;

/* A line of a complete block; texts live until the next line is read. */
typedef struct cm_journal_line {
    const char *benchmark, *event;
    const char *counts;  /* NULL: the event failed, or refused others */
    const char *others;  /* events with which it cannot be counted, separated by tabs; NULL: none */
    const char *outcome; /* how it failed; `reason`: why */
    const char *reason;
    long offset; /* in the file */
} cm_journal_line;

typedef cm_status (*cm_journal_reader)(const cm_journal_line *line, void *data, cm_error *error);

/* Opens and locks `directory`'s journal. With `resume`, each line of an unfinished sweep is read, if there is one; it
 * must have been the same sweep, else CM_BAD_ARGUMENT names the difference. Without, an unfinished sweep is
 * CM_BAD_ARGUMENT, and so is a running one. */
cm_status cm_journal_open(const char *directory, const json_t *identity, bool resume, cm_journal_reader reader,
                          void *data, cm_journal **journal, cm_error *error);

/* The identity of an unfinished sweep in the directory, NULL if there is none that can be read. CM_NO_MEMORY. */
cm_status cm_journal_identity(const char *directory, json_t **identity, cm_error *error);

/* Adds a line to the current block. `offset` (may be NULL) gets its offset in the file. */
cm_status cm_journal_add_counts(cm_journal *journal, const char *benchmark, const char *event, size_t count,
                                const double *counts, long *offset, cm_error *error);
cm_status cm_journal_add_failure(cm_journal *journal, const char *benchmark, const char *event, const char *outcome,
                                 const char *reason, cm_error *error);
cm_status cm_journal_add_refusal(cm_journal *journal, const char *benchmark, size_t count, const char *const *events,
                                 cm_error *error);
/* Ends the block and writes it to the disk. */
cm_status cm_journal_commit(cm_journal *journal, cm_error *error);

/* The counts of the line at `offset`. */
cm_status cm_journal_read_counts(cm_journal *journal, long offset, size_t count, double *counts, cm_error *error);

/* `finished`: the sweep is complete, or nothing was counted, and the file is removed. NULL: no operation. */
void cm_journal_close(cm_journal *journal, bool finished);
bool cm_journal_is_empty(const cm_journal *journal);

#endif
