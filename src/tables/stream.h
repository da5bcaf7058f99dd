/* Large measurement tables, read by several threads and never held. Where the rows of an event stand together, as
 * catmint writes them, blocks of the file are read one after another; else a first reading finds where each row is, and
 * the rows of an event are read from there. A table in which anything is wrong is for cm_measurements_load, which has
 * the words for it. */
#ifndef CM_TABLES_STREAM_H
#define CM_TABLES_STREAM_H

#include <stdbool.h>

#include <catmint/tables.h>

typedef struct cm_stream cm_stream;

/* *stream stays NULL where the table is not to be streamed: `smallest`: files below this size, in bytes; something
 * wrong; fewer than two repetitions. Once `stop` (may be NULL) is not 0, reading fails as if something were wrong. */
cm_status cm_stream_open(const char *path, size_t smallest, const volatile int *stop, cm_stream **stream,
                         cm_error *error);
void cm_stream_close(cm_stream *stream);
/* File, header line, kernels and iterations; no events. */
const cm_measurements *cm_stream_head(const cm_stream *stream);
size_t cm_stream_repetitions(const cm_stream *stream);
size_t cm_stream_most_threads(const cm_stream *stream); /* of any event */

/* Whether each row has been found; else an event may turn out to have rows in two places. */
bool cm_stream_is_indexed(const cm_stream *stream);
/* Finds each row: for a stream that turned out not to have the rows of an event together. *good: this can be read. */
cm_status cm_stream_index(cm_stream *stream, bool *good, cm_error *error);

/* Blocks are independent; several threads may visit different ones. */
size_t cm_stream_block_count(const cm_stream *stream);

/* One event, which lives until the visitor returns; `tag` finds it again. False ends the visit. */
typedef bool (*cm_stream_visit)(void *context, const cm_measurement *event, size_t tag);

/* Visits the events of a block; all blocks after each other have them in the order of their first rows. False where a
 * row is bad or not where it must be, memory is short, reading failed, or the visitor said so. */
bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
/* Visits one event once more. */
bool cm_stream_again(const cm_stream *stream, size_t tag, cm_stream_visit visit, void *context);

#endif
