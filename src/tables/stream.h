/* Large measurement tables, read by two threads and never held: for plain ones, whose rows of an event stand together,
 * with one thread and the same repetitions for every event, without quotes, blanks and anything beyond ASCII. Whatever
 * is not so is for cm_measurements_load, which also has the words for what is wrong. */
#ifndef CM_TABLES_STREAM_H
#define CM_TABLES_STREAM_H

#include <stdbool.h>

#include <catmint/tables.h>

typedef struct cm_stream cm_stream;

/* *stream stays NULL where the table is not plain. `smallest`: files below this size, in bytes, count as not plain. */
cm_status cm_stream_open(const char *path, size_t smallest, cm_stream **stream, cm_error *error);
void cm_stream_close(cm_stream *stream);
/* File, header line, kernels and iterations; no events. */
const cm_measurements *cm_stream_head(const cm_stream *stream);
size_t cm_stream_repetitions(const cm_stream *stream);
/* Blocks are independent; several threads may visit different ones. */
size_t cm_stream_block_count(const cm_stream *stream);

/* One event: `vectors` are counts per iteration, repetition after repetition; `offset` finds it again. False ends the
 * visit. */
typedef bool (*cm_stream_visit)(void *context, const char *event, size_t offset, const double *vectors);

/* Visits the events of a block in their order. False where the block is not plain, memory is short, reading failed, or
 * the visitor said so. */
bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
/* The vectors of one event once more. */
bool cm_stream_again(const cm_stream *stream, size_t offset, double *vectors);

#endif
